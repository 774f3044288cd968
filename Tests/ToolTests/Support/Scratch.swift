import Foundation

/// A folder for one test, gone with it.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(component: "framebudget-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var root: String { folder.path }

  func path(_ name: String) -> String { folder.appending(component: name).path }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(component: name))
  }

  func text(_ name: String) -> String? {
    (try? Data(contentsOf: folder.appending(component: name))).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The names of all files in the folder, or in one within it.
  func names(in inner: String = "") -> [String] {
    let folder = inner.isEmpty ? folder : folder.appending(component: inner)
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }
}
