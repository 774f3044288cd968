package import FrameBudget
internal import FrameBudgetParsing

/// A row of a file with the ranges of a prediction's figures.
package protocol Ranged: Sendable {
  /// The number in the column called `name`; nil if its cell is empty.
  subscript(name: String) -> Double? { get }
  /// The kind of the prediction; nil without a range, and if it is unknown to the file.
  var rangeKind: PredictionKind? { get set }
}

extension Ranged {
  /// The range of `metric` if costs and arrivals differ slightly; nil if there is none.
  func range(of metric: Metric) -> ClosedRange<Double>? {
    guard let low = self[Metric.low(of: metric.name)],
      let high = self[Metric.high(of: metric.name)],
      low <= high
    else { return nil }
    return low...high
  }

  /// The range of `metric` that contains a measured figure, too, as often as `RangeCalibration.level` says. Nil if there is none, or
  /// if a file of another version says another level, or a kind of runs that is not known here.
  func predictiveRange(of metric: Metric) -> ClosedRange<Double>? {
    guard rangeKind != nil, self[StatedRanges.runs] != nil,
      self[StatedRanges.level] == Double(RangeCalibration.level),
      let margin = self[Metric.margin(of: metric.name)], margin >= 0
    else { return nil }
    return range(of: metric).map { metric.widened($0, by: margin) }
  }

  /// The range to print: the predictive one or, if too few runs of its kind were measured, that of small changes.
  func shownRange(of metric: Metric) -> ClosedRange<Double>? {
    predictiveRange(of: metric) ?? range(of: metric)
  }
}

/// The ranges of a prediction in a row of a file, by the names of their columns.
package struct StatedRanges: Hashable, Sendable, Ranged {
  private var numbers: [String: Double] = [:]
  package var rangeKind: PredictionKind?

  /// Those of a row without any.
  package init() {}

  /// The digits are those of files.
  package init(_ range: PredictionRange?) {
    for (name, number) in zip(Self.names, Self.cells(range)) { numbers[name] = number }
    rangeKind = range?.calibration?.kind
  }

  package subscript(name: String) -> Double? { numbers[name] }

  static let level = "range_level_pct"
  static let runs = "range_runs"

  /// The columns that are numbers: ends, then margins.
  static let names = (Column<Self>.ranges + Column<Self>.margins).map(\.name)

  /// The numbers of `range`, in the order of `names`.
  static func cells(_ range: PredictionRange?) -> [Double?] {
    let ends = PredictionRange.metrics.flatMap { metric in
      [range?[metric]?.lowerBound, range?[metric]?.upperBound]
    }
    let margins = PredictionRange.metrics.map { range?.margin(of: $0) }
    let runs = margins.contains { $0 != nil } ? range?.calibration?.runs : nil
    return (ends + margins).map { $0.flatMap { MetricValue.real($0).written } }
      + [runs.map { _ in Double(RangeCalibration.level) }, runs.map(Double.init)]
  }

  /// All columns, which are written and read.
  static let columns: [Column<Self>] =
    (Column<Self>.ranges + Column<Self>.margins).map { column in
      column.reading { (row, text) throws(InputError) in
        row.numbers[column.name] = text.isEmpty ? nil : try InputNumber.cell(text, column.name)
      }
    } + [.rangeKind]
}

extension Column where Row: Ranged {
  /// The ranges of metrics if costs and arrivals differ slightly; empty if they were not asked for.
  static var ranges: [Self] {
    PredictionRange.metrics.flatMap { metric -> [Self] in
      let (low, high) = (Metric.low(of: metric.name), Metric.high(of: metric.name))
      return [
        Self(
          low,
          "the smallest \(metric.name) over small changes of costs and arrivals (`run`, virtual engine)",
          metric.unit
        ) { $0[low].map(MetricValue.real) },
        Self(
          high, "the largest \(metric.name) over small changes of costs and arrivals", metric.unit
        ) { $0[high].map(MetricValue.real) },
      ]
    }
  }

  /// By how much ranges must be wider to contain measured figures; empty if too few runs of this kind were measured.
  static var margins: [Self] {
    PredictionRange.metrics.map { metric in
      let name = Metric.margin(of: metric.name)
      return Self(
        name,
        "by how much the range of \(metric.name) is wider on either side to contain measured runs; empty if too few were measured",
        metric.unit
      ) { $0[name].map(MetricValue.real) }
    } + [
      Self(
        StatedRanges.level, "the share of measured runs that ranges contain with their margins",
        .percent
      ) { $0[StatedRanges.level].map(MetricValue.real) },
      Self(StatedRanges.runs, "the measured runs from which margins are, all of the same kind") {
        $0[StatedRanges.runs].map(MetricValue.real)
      },
    ]
  }

  /// The kind of the prediction, which determines the margins of its ranges.
  static var rangeKind: Self {
    Self(
      "range_kind",
      "the kind of the prediction, by which margins differ: "
        + PredictionKind.allCases.map(\.rawValue).joined(separator: ", ")
    ) { row in
      row.rangeKind.map { .text($0.rawValue) }
    }.reading { $0.rangeKind = PredictionKind(rawValue: $1) }
  }
}
