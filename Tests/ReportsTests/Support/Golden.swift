import Foundation
import Testing

/// Texts that reports must be to the byte, as files in `Golden`. `UPDATE_GOLDEN=1` rewrites them: the diff then
/// shows what changed.
enum Golden {
  static func expect(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appending(components: "Golden", name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text == expected, "\(name)", sourceLocation: sourceLocation)
  }
}
