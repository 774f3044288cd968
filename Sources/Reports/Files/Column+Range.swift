internal import FrameBudget

extension Column where Row == ReportRow {
  /// How far metrics move if costs and arrivals differ slightly; empty if `run` was not asked for it.
  static let ranges: [Column] = PredictionRange.metrics.flatMap { metric in
    [
      Column(
        Metric.low(of: metric.name),
        "the least \(metric.name) over small changes of costs and arrivals (`run`, virtual engine)",
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
  /// What differs from what is assumed, for people.
  static let words =
    "for costs from 5 % lower to 5 % higher, and arrivals shifted within a vsync period"
}
