import Foundation

/// A folder of files that tests read.
struct Folder {
  private let url: URL

  /// Broken scenario files and the errors they must give.
  static let broken = Folder(url: tests.appending(path: "Broken"))
  /// The files that come with the tool.
  static let shipped = Folder(url: tests.appending(path: "../../scenarios").standardized)

  private static let tests = URL(filePath: #filePath).appending(path: "../..").standardized

  func names(ending suffix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(suffix) }
      .sorted()
  }

  func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appending(path: name)))
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: url.appending(path: name))
  }
}
