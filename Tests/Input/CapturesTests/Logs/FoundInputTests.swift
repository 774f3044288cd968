import Foundation
import FrameBudgetCaptures
import FrameBudgetParsing
import TestSupport
import Testing

/// Inputs from which fuzzing started, or which it found: each is read or refused in one line.
struct FoundInputTests {
  static let seeds = Project.folder.appending(path: "Tests/Fuzz/Seeds")

  /// The texts before and after a fuzzed input in a complete log: three formats are fuzzed without their outer JSON.
  static let frames = [
    ("logs", "", ""), ("capframex", "{\"Runs\":", "}"), ("chrome", "{\"traceEvents\":", "}"),
    ("benchmarks", "{\"benchmarks\":", "}"),
  ]

  struct Input: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  static var inputs: [Input] {
    get throws {
      try frames.flatMap { folder, opening, closing in
        let path = seeds.appending(path: folder).path
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { name in
          let found = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
          return Input(name: name, bytes: Array(opening.utf8) + found + Array(closing.utf8))
        }
      }
    }
  }

  @Test(arguments: try inputs)
  func `an input found by fuzzing is read or refused`(_ input: Input) {
    if let message = failure(input.bytes) {
      #expect(!message.contains("\n"))
      #expect(input.name.hasPrefix("broken"), "\(message)")
    }
  }

  /// Each byte in turn becomes another: nothing traps, errors stay one line.
  @Test(arguments: try inputs)
  func `an input found by fuzzing with one byte changed is read or refused`(_ input: Input) {
    let bytes = input.bytes
    for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
      for value in [0, UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "9"), 0xFF] {
        var changed = bytes
        changed[place] = value
        if let message = failure(changed) { #expect(!message.contains("\n")) }
      }
    }
  }
}
