import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

/// The counted spans of a program: their file, their table, and their comparison.
@Suite struct SpansCSVTests {
  private static func run() -> ReportRow {
    var run = HandMadeRun.mainThread
    run.engine = .virtual
    return run.row()
  }

  private static let spans = [
    CountedSpan(name: "decode", calls: 40, instructions: 1_234_000, spread: 0, milliseconds: 0.5),
    CountedSpan(name: "sync, all", calls: 1, instructions: 50, spread: 0.02, milliseconds: 0.1),
  ]

  private static func text(_ spans: [CountedSpan] = spans) -> String {
    SpansCSV.text(SpansCSV.rows(spans, of: run()))
  }

  private static func source(_ text: String) -> ByteSource {
    ByteSource(Array(text.utf8), name: "spans.csv")
  }

  @Test func `the file has every span, and the time of those whose counts agree`() throws {
    let read = try SpansCSV.spans(Self.source(Self.text()))
    var expected = Self.spans
    expected[1].milliseconds = nil
    #expect(read == expected)
    #expect(SpansText.doubts(Self.spans).count == 1)
    #expect(throws: InputError.self) {
      try SpansCSV.spans(Self.source(SummaryCSV.text([Self.run()])))
    }
  }

  @Test(arguments: [
    ("0", true), ("0.000001", true), ("-1", false), ("-9e14", false), ("1e10", false),
  ])
  func `a time that no call takes is refused, and none stands for one that is too short`(
    _ time: String, _ isRead: Bool
  ) throws {
    let text = Self.text().replacing(",0,0.5,", with: ",0,\(time),")
    try #require(text != Self.text())
    guard isRead else {
      let error = #expect(throws: InputError.self) { try SpansCSV.spans(Self.source(text)) }
      let isNegative = error?.reason.contains("in column span_ms is not zero or more")
      #expect(isNegative == time.hasPrefix("-"))
      return
    }
    let read = try SpansCSV.spans(Self.source(text))
    #expect(read[0].milliseconds == (time == "0" ? nil : 1e-6))
  }

  private static func comparison(_ milliseconds: Double) throws -> ResultComparison {
    var dearer = spans
    dearer[0].milliseconds = milliseconds
    let sides = try [text(), text(dearer)].map { text throws(InputError) in
      var rows = try ComparedRows(
        source(SummaryCSV.text([run()])), Gate.standard.map(\.metric))
      try rows.read(source(text))
      return rows
    }
    return ResultComparison(base: sides[0], new: sides[1], gates: Gate.standard, shown: [])
  }

  @Test(
    arguments: [
      (0.5, .holds), (0.5049, .holds), (0.5051, .regression), (0.4, .holds),
    ] as [(Double, ResultComparison.Outcome)])
  func `a span that takes a hundredth longer is a regression of the result beside it`(
    _ milliseconds: Double, _ outcome: ResultComparison.Outcome
  ) throws {
    let comparison = try Self.comparison(milliseconds)
    #expect(comparison.outcome == outcome)
    #expect(comparison.groups.map(comparison.shortName).contains("decode"))
    // Its counts differ, so it says nothing.
    #expect(!comparison.groups.map(comparison.shortName).contains("sync, all"))
  }

  @Test func `a span keeps the number of calls to which its time belongs`() throws {
    var split = Self.spans[0]
    split = CountedSpan(
      name: "decode", calls: 160, instructions: 308_500, spread: 0, milliseconds: 0.5, units: 40)
    let text = Self.text([split])
    #expect(try SpansCSV.spans(Self.source(text)) == [split])
    #expect(split.instructionsOfUnit == 1_234_000)
    // The table has the time of a call, and the change of the work.
    let table = SpansText.table([split], since: [Self.spans[0]], isColored: false)
    #expect(table.contains("0.405") && table.contains("0.125") && table.contains(" 0 %"))
    #expect(SpansText.changedCalls([split], since: [Self.spans[0]]) == ["decode: 40 → 160 calls"])
    #expect(SpansText.changedCalls(Self.spans, since: Self.spans) == [])
    // A file of an earlier version has no such column: its calls are those of its own calibration.
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropLast().joined(separator: ",")
    }
    let old = try SpansCSV.spans(Self.source(lines.joined(separator: "\n") + "\n"))
    #expect(old.map(\.units) == [160])
    for wrong in ["-1", "1e16"] {
      let broken = text.replacing(",0.5,40\n", with: ",0.5,\(wrong)\n")
      #expect(throws: InputError.self) { try SpansCSV.spans(Self.source(broken)) }
    }
  }

  @Test func `the table has the time of an instruction, and the change since the calibration`() {
    var old = Self.spans
    old[0] = CountedSpan(
      name: "decode", calls: 40, instructions: 1_200_000, spread: 0, milliseconds: 0.4)
    let table = SpansText.table(Self.spans, since: [old[0]], isColored: false)
    #expect(table.contains("decode"))
    #expect(table.contains("1234000") && table.contains("0.405") && table.contains("+2.83 %"))
  }
}
