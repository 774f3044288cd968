package import Foundation

/// A folder for one test, which is removed after it, even if the test fails.
package final class Scratch: Sendable {
  package let folder: URL

  package init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(component: "framebudget-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A path at which nothing is, whatever else this machine has.
  package static let nowhere =
    FileManager.default.temporaryDirectory.appending(component: "nowhere-\(UUID())").path

  deinit { try? FileManager.default.removeItem(at: folder) }

  package var root: String { folder.path }

  package func path(_ name: String) -> String { folder.appending(component: name).path }

  package func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(component: name))
  }

  package func text(_ name: String) -> String? {
    (try? Data(contentsOf: folder.appending(component: name))).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The names of all files in the folder, or in one within it.
  package func names(in inner: String = "") -> [String] {
    let folder = inner.isEmpty ? folder : folder.appending(component: inner)
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }
}
