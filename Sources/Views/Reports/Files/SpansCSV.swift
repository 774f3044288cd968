internal import FrameBudget
public import FrameBudgetParsing

/// A span of a program whose instructions were counted.
public struct CountedSpan: Hashable, Sendable {
  public let name: String
  public let calls: Int
  /// Of a call, on average, without those of spans inside it.
  public let instructions: Double
  /// The difference between two counts, as a share of the smaller one.
  public let spread: Double
  /// The processor time of a call; nil without a calibration, and if the counts differ too much.
  public var milliseconds: Double?

  /// Counts that differ by more would hide a change of a hundredth, which is the smallest one that counts.
  public static let largestSpread = 0.005

  public init(
    name: String, calls: Int, instructions: Double, spread: Double, milliseconds: Double? = nil
  ) {
    self.name = name
    self.calls = calls
    self.instructions = instructions
    self.spread = spread
    self.milliseconds = milliseconds
  }

  public var isSteady: Bool { spread <= Self.largestSpread }
}

/// `spans.csv`: a line for each span of a program that `measure` has counted. It is also the calibration of later counts.
public enum SpansCSV {
  private static let calls = "span_calls"
  private static let instructions = "span_instructions"
  private static let spread = "span_spread_pct"

  static let columns: [Column<RunRecord>] = [
    .span, column(calls, "calls", .count),
    column(
      instructions,
      "instructions of a call without those of spans inside it, to four digits: the smaller of two counts",
      .count),
    column(spread, "the difference between the two counts", .percent),
    RunRecord.column(.spanCost),
  ]

  static let format = LineFormat<RunRecord>(RunRecord.keys + columns)

  private static func column(
    _ name: String, _ meaning: String, _ unit: Metric.Unit
  ) -> Column<RunRecord> {
    Column(name, meaning, unit) { $0.numbers[name].map(MetricValue.real) }
  }

  /// The rows of spans, which have the scenario and the seed of `run`.
  public static func rows(_ spans: [CountedSpan], of run: ReportRow) -> [RunRecord] {
    spans.map { span in
      var record = run.keys
      (record.strategy, record.options, record.workload) = ("", "", span.name)
      let numbers: [String: Double?] = [
        calls: Double(span.calls), instructions: span.instructions, spread: 100 * span.spread,
        Metric.spanCost.name: span.isSteady ? span.milliseconds : nil,
      ]
      record.numbers = RowNumbers(
        numbers.compactMapValues { number in number.flatMap { MetricValue.real($0).written } })
      return record
    }
  }

  public static func text(_ rows: [RunRecord]) -> String { format.text(rows) }

  public static func records(_ rows: [RunRecord]) -> RecordTable { format.records("spans", rows) }

  /// In milliseconds, of a call.
  private static let times = 0...1e9

  /// Reads such a file.
  public static func spans(_ source: consuming ByteSource) throws(InputError) -> [CountedSpan] {
    let name = source.name
    var spans: [CountedSpan] = []
    _ = try ResultSet.readResults(source) { row in
      guard let count = row[instructions], count > 0, !row.workload.isEmpty else { return }
      spans.append(
        CountedSpan(
          name: row.workload, calls: row[calls].flatMap { Int(exactly: $0) } ?? 0,
          instructions: count, spread: (row[spread] ?? 0) / 100,
          // Less than half a nanosecond is written as 0.
          milliseconds: row[Metric.spanCost.name].flatMap { $0 == 0 ? nil : $0 }))
    }
    guard !spans.isEmpty else {
      throw InputError("has no spans; 'framebudget measure -o DIR' writes a spans.csv", file: name)
    }
    for span in spans {
      guard let time = span.milliseconds, !times.contains(time) else { continue }
      throw InputError(
        "'\(Metric.spanCost.name)' of \(InputError.quoted(span.name)) is \(Decimal.text(time, places: 6)); allowed: 0 to "
          + Decimal.text(times.upperBound, places: 0), file: name)
    }
    return spans
  }
}

/// The spans as a table for people.
public enum SpansText {
  private static let titles = [
    ["", "span"], ["", "calls"], ["instructions", "per call"], ["ns per", "instruction"],
    ["ms per", "call"], ["since the", "calibration"],
  ]

  /// `base` are the spans of the calibration.
  public static func table(
    _ spans: [CountedSpan], since base: [CountedSpan], isColored: Bool
  ) -> String {
    let earlier = Dictionary(base.map { ($0.name, $0) }) { first, _ in first }
    let lines = spans.map { span -> TextTable.Line in
      let cells = [
        span.name, "\(span.calls)", Decimal.text(span.instructions, places: 0),
        span.milliseconds.map { Decimal.text(1e6 * $0 / span.instructions, places: 3) } ?? "-",
        span.milliseconds.map { Decimal.text($0, places: 4) } ?? "-",
        earlier[span.name].map { change(from: $0, to: span) } ?? "",
      ]
      return .cells(cells.map { TextTable.Cell(text: $0) })
    }
    return TextTable(titles: titles, lines: lines).text(isColored: isColored)
      .joined(separator: "\n") + "\n"
  }

  private static func change(from old: CountedSpan, to new: CountedSpan) -> String {
    let percent = 100 * (new.instructions / old.instructions - 1)
    return (percent > 0 ? "+" : "") + Decimal.text(percent, places: 2) + " %"
  }

  /// A sentence for each span whose counts differ.
  public static func doubts(_ spans: [CountedSpan]) -> [String] {
    spans.filter { !$0.isSteady }.map {
      "two counts of '\($0.name)' differ by \(Decimal.text(100 * $0.spread, places: 1)) %, so it does not gate; work that "
        + "depends on the clock, on threads or on random numbers is not the same in each run"
    }
  }

  /// What instructions do not show.
  public static let limits =
    "Instructions do not show waiting for files, networks, locks and other threads, nor cache misses: these are as in the "
    + "scenario, or as at the calibration."
}
