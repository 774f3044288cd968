import FrameBudgetParsing
import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// Own files that another program has saved again: its columns in another order, quoted, and beside others.
@Suite struct `A file of ours` {
  /// The commands that write each kind, and the name of the file.
  private static let kinds: [(name: String, command: [String])] = [
    ("summary.csv", ["run", "--engine", "virtual", "--format", "csv", "-q"]),
    ("limit.csv", ["limit", "--format", "csv", "--engine", "virtual", "-q"]),
    ("advice.csv", ["advise", "--format", "csv", "-q"]),
    ("explained.csv", ["explain", "--format", "csv", "-q"]),
    ("proofs.csv", ["prove", "--format", "csv", "-q"]),
  ]

  private static func records(_ text: String) throws -> [[String]] {
    var records: [[String]] = []
    var reader = CSVRecords(ByteSource(Array(text.utf8), name: "file"))
    try reader.forEach { (fields) throws(InputError) in records.append(fields) }
    return records
  }

  private static func quoted(_ records: [[String]]) -> String {
    records.map { fields in
      fields.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
    }.joined()
  }

  /// The same content in other forms.
  private static func forms(of text: String) throws -> [(name: String, text: String)] {
    let records = try records(text)
    // A further column of a summary is a metric, so it has numbers.
    let inFront = records.enumerated().map { [$0 == 0 ? "note" : "7"] + $1 }
    return [
      ("quoted", quoted(records)), ("reversed", quoted(records.map { $0.reversed() })),
      ("with a column in front", quoted(inFront)),
    ]
  }

  @Test(arguments: kinds.indices) func `is the same to report in any order of columns`(
    _ kind: Int
  ) throws {
    let (name, command) = Self.kinds[kind]
    let scratch = try Scratch()
    try scratch.write(ShortScenario.edge, to: "s.yaml")
    let made = try Performed([command[0], scratch.path("s.yaml")] + command.dropFirst())
    #expect(!made.output.isEmpty, "\(made.diagnostics)")
    let page = { (text: String) in
      try scratch.write(text, to: name)
      let report = try Performed("report", scratch.path(name), "-q")
      #expect(report.status == .success, "\(report.diagnostics)")
      return report.output
    }
    let expected = try page(made.output)
    for (form, text) in try Self.forms(of: made.output) {
      let found = try page(text)
      // A page lists the metrics of a summary in its own order, and its further columns, too.
      let isListed = name == "summary.csv" && form != "quoted"
      #expect(isListed ? found.contains("</html>") : found == expected, "\(name), \(form)")
    }
  }

  @Test func `of frames is recognised by report and import alike`() throws {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "s.yaml")
    let frames = scratch.path("frames.csv")
    let run = try Performed(
      "run", scratch.path("s.yaml"), "--engine", "virtual", "-o", scratch.path("out"), "--frames",
      frames, "-q")
    #expect(run.status == .success)
    let text = try #require(scratch.text("frames.csv"))
    let imported = try Performed("import", frames, "--format", "csv", "-q").output
    let page = try Performed("report", scratch.path("out"), frames, "-q").output
    #expect(page.contains("class=\"gap\"") && !imported.isEmpty)
    for (form, other) in try Self.forms(of: text) {
      try scratch.write(other, to: "frames.csv")
      #expect(
        try Performed("import", frames, "--format", "csv", "-q").output == imported, "\(form)")
      #expect(
        try Performed("report", scratch.path("out"), frames, "-q").output == page, "\(form)")
    }
  }
}
