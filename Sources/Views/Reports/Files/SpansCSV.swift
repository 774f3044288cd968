internal import FrameBudget
public import FrameBudgetParsing

/// A span of a program whose instructions were counted.
public struct CountedSpan: Hashable, Sendable {
  public let name: String
  public let calls: Int
  /// Of a call, on average, without those of spans inside it.
  public let instructions: Double
  /// The difference between two counts of the same work, as a share of the smaller one.
  public let spread: Double
  /// The processor time of a unit; nil without a calibration, and if the counts differ too much.
  public var milliseconds: Double?
  /// The number of calls that the same work had at the first calibration. So work that is done in more calls takes longer, and
  /// work that is only divided among them does not.
  public let units: Double

  /// Counts that differ by more would hide a change of a hundredth, which is the smallest one that counts.
  public static let largestSpread = 0.005

  public init(
    name: String, calls: Int, instructions: Double, spread: Double, milliseconds: Double? = nil,
    units: Double? = nil
  ) {
    self.name = name
    self.calls = calls
    self.instructions = instructions
    self.spread = spread
    self.milliseconds = milliseconds
    self.units = units ?? Double(calls)
  }

  /// What was a call at the first calibration.
  public var instructionsOfUnit: Double {
    calls > 0 && units > 0 ? instructions * Double(calls) / units : instructions
  }

  /// What counts of a name: its letters, as for `Scenario.work(called:)`; all of a name without letters.
  public static func key(_ name: String) -> String {
    let letters = name.filter(\.isLetter)
    return letters.isEmpty ? name : letters
  }

  public var isSteady: Bool { spread <= Self.largestSpread }
}

/// `spans.csv`: a line for each span of a program that `measure` has counted. It is also the calibration of later counts.
public enum SpansCSV {
  private static let calls = "span_calls"
  private static let instructions = "span_instructions"
  private static let spread = "span_spread_pct"
  private static let units = "span_units"

  static let columns: [Column<RunRecord>] = [
    .span, column(calls, "calls", .count),
    column(
      instructions,
      "instructions of a call without those of spans inside it, to four digits: the smaller of two counts",
      .count),
    column(spread, "the difference between two counts of the same work", .percent),
    RunRecord.column(.spanCost),
    column(units, "calls for the same work at the first calibration: `span_ms` is of one", .count),
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
        Metric.spanCost.name: span.isSteady ? span.milliseconds : nil, units: span.units,
      ]
      record.numbers = RowNumbers(
        numbers.compactMapValues { number in number.flatMap { MetricValue.real($0).written } })
      return record
    }
  }

  public static func text(_ rows: [RunRecord]) -> String { format.text(rows) }

  public static func records(_ rows: [RunRecord]) -> RecordTable { format.records("spans", rows) }

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
          milliseconds: row[Metric.spanCost.name].flatMap { $0 == 0 ? nil : $0 },
          units: row[units]))
    }
    guard !spans.isEmpty else {
      throw InputError("has no spans; 'framebudget measure -o DIR' writes a spans.csv", file: name)
    }
    for span in spans {
      if let time = span.milliseconds {
        try require(time, of: Metric.spanCost.name, span, in: 0...1e9, file: name)
      }
      try require(span.units, of: units, span, in: 0...1e15, file: name)
    }
    return spans
  }

  private static func require(
    _ number: Double, of column: String, _ span: CountedSpan, in range: ClosedRange<Double>,
    file: String
  ) throws(InputError) {
    guard !range.contains(number) else { return }
    throw InputError(
      "'\(column)' of \(InputError.quoted(span.name)) is \(Decimal.text(number, places: 6)); allowed: 0 to "
        + Decimal.text(range.upperBound, places: 0), file: file)
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
      let time = span.milliseconds.map { $0 / span.instructionsOfUnit }
      let cells = [
        span.name, "\(span.calls)", Decimal.text(span.instructions, places: 0),
        time.map { Decimal.text(1e6 * $0, places: 3) } ?? "-",
        time.map { Decimal.text($0 * span.instructions, places: 4) } ?? "-",
        earlier[span.name].map { change(from: $0, to: span) } ?? "",
      ]
      return .cells(cells.map { TextTable.Cell(text: $0) })
    }
    return TextTable(titles: titles, lines: lines).text(isColored: isColored)
      .joined(separator: "\n") + "\n"
  }

  private static func change(from old: CountedSpan, to new: CountedSpan) -> String {
    let percent = 100 * (new.instructionsOfUnit / old.instructionsOfUnit - 1)
    return (percent > 0 ? "+" : "") + Decimal.text(percent, places: 2) + " %"
  }

  /// A line for each span that does the same work in another number of calls.
  public static func changedCalls(_ spans: [CountedSpan], since base: [CountedSpan]) -> [String] {
    let earlier = Dictionary(base.map { ($0.name, $0) }) { first, _ in first }
    return spans.compactMap { span in
      guard let old = earlier[span.name], old.units > 0 else { return nil }
      let calls = Double(old.calls) * span.units / old.units
      guard abs(calls - Double(span.calls)) >= 0.5 else { return nil }
      return "\(span.name): \(Decimal.text(calls, places: 0)) → \(span.calls) calls"
    }
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
