import Foundation
import Importing
import Parsing
import Testing

/// Inputs that fuzzing started from or found: each is read or refused in one line.
struct FoundInputTests {
  static let folder = URL(filePath: #filePath).appending(path: "../../Fuzz/Seeds/logs").standardized

  static var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test(arguments: try names)
  func `a found input is read or refused`(_ name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    if let message = failure(bytes) {
      #expect(!message.contains("\n"))
      #expect(name.hasPrefix("broken"), "\(message)")
    }
  }

  /// Each byte in turn becomes another: nothing traps, errors stay one line.
  @Test(arguments: try names)
  func `a found input with any byte changed is read or refused`(_ name: String) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
      for value in [0, UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "9"), 0xFF] {
        var changed = bytes
        changed[place] = value
        if let message = failure(changed) { #expect(!message.contains("\n")) }
      }
    }
  }
}
