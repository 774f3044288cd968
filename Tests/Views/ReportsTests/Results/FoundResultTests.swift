import Foundation
import FrameBudgetParsing
import TestSupport
import Testing

@testable import FrameBudgetReports

/// Results from fuzzing: each is read, or refused in one line, with any byte changed.
struct FoundResultTests {
  static let seeds = Project.folder.appending(path: "Tests/Fuzz/Seeds")

  static func read(_ bytes: [UInt8], as folder: String) throws(InputError) {
    let source = ByteSource(bytes, name: folder)
    switch folder {
    case "results", "workloads":
      let set = try ResultSet(source)
      _ = try ReportPage(title: "found", results: set, workloads: set).html()
    case "frames":
      let set = ResultSet(rows: [], metrics: [])
      _ = try ReportPage(title: "found", results: set, frames: try FramesFile(source).runs).html()
    case "limits":
      let set = ResultSet(rows: [], metrics: [])
      _ = try ReportPage(title: "found", results: set, limits: try LimitRecord.records(source))
        .html()
    case "run":
      let text = RunJSON.text(try RunFile(source))
      let again = RunJSON.text(try RunFile(ByteSource(Array(text.utf8), name: "written")))
      let lines = zip(text.split(separator: "\n"), again.split(separator: "\n"))
      let difference = lines.first { $0 != $1 }
      #expect(difference == nil, "what was written reads back differently")
    default: _ = try Gate.gates(source)
    }
  }

  /// The error of reading `bytes`.
  static func failure(_ bytes: [UInt8], as folder: String) -> String? {
    do {
      try read(bytes, as: folder)
      return nil
    } catch {
      return error.description
    }
  }

  /// Slow: reads each found file under every command.
  @Test(arguments: ["results", "workloads", "limits", "frames", "run", "gates"])
  func `found results are read or refused`(_ folder: String) throws {
    let path = Self.seeds.appending(path: folder).path
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(!names.isEmpty)
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
      if let message = Self.failure(bytes, as: folder) {
        #expect(!message.contains("\n") && name.hasPrefix("broken"), "\(message)")
      }
      for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
        for value in [0, UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "9"), 0xFF] {
          var changed = bytes
          changed[place] = value
          if let message = Self.failure(changed, as: folder) { #expect(!message.contains("\n")) }
        }
      }
    }
  }
}
