package import FrameBudget

/// What printed ranges mean, for people.
package struct RangeWords: Hashable, Sendable {
  /// The differences of costs and arrivals.
  package static let smallChanges = PredictionRange.smallChanges

  /// How much a figure moves at most whose range is not worth showing.
  static let narrow = "(by a point, 1 ms or 10 %)"

  /// What ranges with margins contain.
  static let measured = RangeCalibration.words

  /// `90 % of runs on threads lie inside (by 321 of threads-fit-cores); of response_ms_p99, only for costs from …`.
  package let text: String
  /// Whether they contain measured runs, and not only small changes.
  let isMeasured: Bool

  /// When a figure is in its range, at the beginning of a sentence.
  static func condition(isMeasured: Bool) -> String {
    isMeasured ? "In \(RangeCalibration.level) % of runs on threads" : "If costs are up to 5 % off"
  }

  /// The meaning of the ranges of `metrics` in `rows`; nil if there are none.
  package init?(_ rows: [some Ranged], _ metrics: [Metric] = PredictionRange.metrics) {
    let known = rows.flatMap { row in
      metrics.filter { row.range(of: $0) != nil }.map { (row: row, metric: $0) }
    }
    guard !known.isEmpty else { return nil }
    let (measured, others) = (
      known.filter { $0.row.predictiveRange(of: $0.metric) != nil },
      known.filter { $0.row.predictiveRange(of: $0.metric) == nil }
    )
    isMeasured = others.isEmpty
    guard !measured.isEmpty else {
      text = Self.smallChanges
      return
    }
    let bases = measured.compactMap(\.row.rangeBasis).distinct()
    let names = others.map(\.metric.name).distinct()
    text =
      "\(Self.measured) (by \(English.list(bases)))"
      + (names.isEmpty ? "" : "; of \(English.list(names)), only \(Self.smallChanges)")
  }
}

extension Ranged {
  /// `321 of threads-fit-cores`: the measured runs behind its margins; nil without.
  fileprivate var rangeBasis: String? {
    guard let kind = rangeKind, let runs = self[StatedRanges.runs] else { return nil }
    return "\(Figure.text(runs)) of \(kind.rawValue)"
  }
}
