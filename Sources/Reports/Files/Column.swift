package import FrameBudget
internal import Parsing

/// A column of a file: its name, its meaning, and the cell of a row.
package struct Column<Row>: Sendable {
  let name: String
  let unit: Metric.Unit
  let meaning: String
  /// Nil if it does not apply to the row.
  let value: @Sendable (Row) -> MetricValue?
  /// Puts the text of a cell into a row; nil for a column that follows from others.
  var read: (@Sendable (inout Row, String) throws(InputError) -> Void)?

  package init(
    _ name: String, _ meaning: String, _ unit: Metric.Unit = .none,
    _ value: @escaping @Sendable (Row) -> MetricValue?
  ) {
    self.name = name
    self.unit = unit
    self.meaning = meaning
    self.value = value
  }

  /// The same column for a row that contains this one.
  func of<Outer>(_ row: @escaping @Sendable (Outer) -> Row) -> Column<Outer> {
    Column<Outer>(name, meaning, unit) { [value] in value(row($0)) }
  }
}

extension Column {
  /// The column that marks learned scenarios in every table of their runs.
  package static func learnedMark(_ mark: @escaping @Sendable (Row) -> Learned?) -> Column {
    learnedMark(by: { mark($0)?.replay.rawValue ?? "" })
  }

  /// The same for rows that have the mark as text; empty without a recording.
  static func learnedMark(by text: @escaping @Sendable (Row) -> String) -> Column {
    Column("learned", Learned.markMeaning) { row in
      let mark = text(row)
      return mark.isEmpty ? nil : .text(mark)
    }
  }
}

extension Learned {
  static let markMeaning =
    "how well the scenario's replay matches the recording: "
    + Replay.allCases.map(\.rawValue).joined(separator: ", ") + "; empty if there is no recording"
}

extension Column where Row == ReportRow {
  /// The platform of the screen, which selects the numbers that results show.
  static let like = Self(
    "like", "the platform of the scenario's screen; empty if it names none"
  ) { $0.log.platform.map { .text($0.rawValue) } }

  /// The mark of learned scenarios, for a run.
  static let learned = Self.learnedMark(by: { $0.log.learned?.replay.rawValue ?? "" })
}

extension Column where Row == ReportRow {
  /// The ranges of metrics if costs and arrivals differ slightly; empty if `run` was not asked for them.
  static let ranges: [Column] = PredictionRange.metrics.flatMap { metric in
    [
      Column(
        Metric.low(of: metric.name),
        "the smallest \(metric.name) over small changes of costs and arrivals (`run`, virtual engine)",
        metric.unit
      ) { row in row.metrics.range?[metric].map { MetricValue.real($0.lowerBound) } },
      Column(
        Metric.high(of: metric.name),
        "the largest \(metric.name) over small changes of costs and arrivals", metric.unit
      ) { row in row.metrics.range?[metric].map { MetricValue.real($0.upperBound) } },
    ]
  }
}

extension ResultRow {
  /// The names of those columns.
  static let rangeNames = Set(Column<ReportRow>.ranges.map(\.name))

  /// The range of `metric` if costs and arrivals differ slightly; nil if the row has none.
  func range(of metric: String) -> ClosedRange<Double>? {
    guard let low = self[Metric.low(of: metric)], let high = self[Metric.high(of: metric)],
      low <= high
    else { return nil }
    return low...high
  }
}

extension PredictionRange {
  /// The differences of costs and arrivals, for people.
  static let words =
    "for costs from 5 % lower to 5 % higher, and arrivals shifted within a vsync period"
}
