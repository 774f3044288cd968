import Foundation
import TestSupport

/// A folder of files that tests read.
struct Folder {
  private let url: URL

  /// Broken scenario files and the errors they must give.
  static let broken = Folder(
    url: Project.folder.appending(path: "Tests/Input/ScenariosTests/Broken"))
  /// The files that are shipped with the tool.
  static let shipped = Folder(url: Project.folder.appending(path: "scenarios"))

  func names(ending suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(suffix) }
      .sorted()
  }

  func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appending(path: name)))
  }
}
