import Foundation
import FrameBudget
import TestSupport
import Testing

@testable import Tool

/// Files whose numbers are as large, as small and as wrong as text can make them, through the commands that read them.
struct ExtremeValueTests {
  private static let seeds = Project.folder.appending(path: "Tests/Fuzz/Seeds")

  private static let numbers = [
    "0", "-1", "1", "1000000000", "8796093022207", "1125899906842623", "9007199254740993",
    "999999999999999", "4611686018427387904", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551616", "0.000001", "-0.5", "1e15", "1e18", "9.3e18",
    "1e308", "-1e308", "5e-324", "1.7976931348623157e308", "nan", "inf", "",
    String(repeating: "9", count: 400),
  ]

  /// Slow: reads a file for each column of every format.
  @Test(arguments: [
    ("results/summary.csv", ["report", "compare"]), ("workloads/workloads.csv", ["compare"]),
    ("frames/frames.csv", ["report", "import"]), ("logs/frames.csv", ["import"]),
    ("logs/mangohud.csv", ["import"]), ("logs/presentmon1.csv", ["import"]),
    ("logs/presentmon2.csv", ["import"]), ("logs/timestamps.csv", ["import"]),
    ("logs/framestats.txt", ["import"]),
  ])
  func `a table with any number in any column is read or refused`(
    _ name: String, _ commands: [String]
  ) throws {
    let text = try String(contentsOf: Self.seeds.appending(path: name), encoding: .utf8)
    // CR LF is one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    let columns = lines.map { $0.split(separator: ",").count }.max() ?? 0
    for column in 0..<columns {
      // Each column with some of the numbers, each number in many columns.
      for (place, number) in Self.numbers.enumerated() where Self.isTried(place + column) {
        // In every row, in one of them, or in all but the last.
        let rows = Self.rows(of: lines, variant: place + column)
        let changed = lines.indices.map { row in
          rows.contains(row) ? Self.replacing(column, of: lines[row], by: number) : lines[row]
        }
        try Self.check(changed.joined(separator: "\n"), commands, "\(name) \(column) '\(number)'")
      }
    }
  }

  /// Slow: reads a file for each number in it.
  @Test(arguments: [
    ("run/run.json", "beside"), ("traces/seed.json", "report"), ("costs/costs.json", "costs"),
    ("logs/capframex.json", "import"), ("logs/chrome.json", "import"),
  ])
  func `JSON with any number in any place is read or refused`(
    _ name: String, _ command: String
  ) throws {
    let text = try String(contentsOf: Self.seeds.appending(path: name), encoding: .utf8)
    let places = text.ranges(of: /-?[0-9]+(\.[0-9]+)?/)
    for (count, place) in places.enumerated() {
      for (offset, number) in Self.numbers.enumerated() where Self.isTried(offset + count) {
        let changed = text.replacingCharacters(in: place, with: number)
        try Self.check(changed, [command], "\(name) \(count) '\(number)'")
      }
    }
  }

  private static func isTried(_ place: Int) -> Bool {
    place % max(1, numbers.count / Tries.extremeNumbers.count) == 0
  }

  // MARK: What is checked

  private static func check(_ text: String, _ commands: [String], _ what: String) throws {
    let scratch = try Scratch()
    let file = scratch.path("file.csv")
    try scratch.write(text, to: "file.csv")
    for command in commands {
      let done = try perform(command, file, scratch)
      let allowed: [Tool.ExitStatus] = [.success, .failed, .inconclusive, .badInput]
      #expect(allowed.contains(done.status), "\(what), \(command): \(done.diagnostics)")
      for word in ["\"nan", "\"inf", "\"-inf", ",nan", ",inf"] {
        #expect(!done.output.contains(word), "\(what), \(command): \(word)")
      }
      if done.status == .badInput { #expect(!done.diagnostics.isEmpty, "\(what)") }
    }
  }

  private static func perform(
    _ command: String, _ file: String, _ scratch: Scratch
  ) throws -> Performed {
    let summary = seeds.appending(path: "results/summary.csv").path
    switch command {
    case "report": return try Performed("report", summary, file)
    case "compare": return try Performed("compare", file, file, "--format", "csv")
    case "import": return try Performed("import", file, "--hz", "60", "--format", "csv")
    case "costs":
      return try Performed(
        "run", "steady", "--engine", "virtual", "--duration", "100 ms", "--costs", file,
        "--format", "csv")
    default:
      try FileManager.default.copyItem(atPath: summary, toPath: scratch.path("summary.csv"))
      try FileManager.default.moveItem(atPath: file, toPath: scratch.path("run.json"))
      return try Performed("report", scratch.root)
    }
  }

  // MARK: Damage

  private static func rows(of lines: [String], variant: Int) -> Range<Int> {
    let last = lines.count - 1
    switch variant % 3 {
    case 0: return 1..<lines.count
    case 1: return max(1, last - 1)..<last
    default: return 1..<max(2, last - 1)
    }
  }

  private static func replacing(_ column: Int, of line: String, by number: String) -> String {
    var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard fields.indices.contains(column), fields[column].contains(where: \.isNumber) else {
      return line
    }
    fields[column] = number
    return fields.joined(separator: ",")
  }
}
