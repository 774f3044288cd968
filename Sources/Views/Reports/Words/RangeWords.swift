internal import FrameBudget

/// What printed ranges mean, for people.
struct RangeWords: Hashable, Sendable {
  /// The differences of costs and arrivals.
  static let smallChanges =
    "for costs from 5 % lower to 5 % higher, and arrivals shifted within a vsync period"

  /// How much a figure moves at most whose range is not worth showing.
  static let narrow = "(by a point, 1 ms or 10 %)"

  /// What ranges with margins contain.
  static let measured = "\(RangeCalibration.level) % of runs on threads lie inside"

  /// `90 % of runs on threads lie inside (by 321 of threads-fit-cores); of response_ms_p99, only for costs from …`.
  let text: String
  /// Whether they contain measured runs, and not only small changes.
  let isMeasured: Bool

  /// The meaning of the ranges of `metrics` in `runs`; nil if there are none.
  init?(_ runs: [RunRecord], _ metrics: [Metric] = PredictionRange.metrics) {
    let known = runs.flatMap { run in
      metrics.filter { run.range(of: $0) != nil }.map { (run: run, metric: $0) }
    }
    guard !known.isEmpty else { return nil }
    let (measured, others) = (
      known.filter { $0.run.predictiveRange(of: $0.metric) != nil },
      known.filter { $0.run.predictiveRange(of: $0.metric) == nil }
    )
    isMeasured = others.isEmpty
    guard !measured.isEmpty else {
      text = Self.smallChanges
      return
    }
    let bases = measured.compactMap(\.run.rangeBasis).distinct()
    let names = others.map(\.metric.name).distinct()
    text =
      "\(Self.measured) (by \(English.list(bases)))"
      + (names.isEmpty ? "" : "; of \(English.list(names)), only \(Self.smallChanges)")
  }
}

extension RunRecord {
  /// `321 of threads-fit-cores`: the measured runs behind its margins; nil without.
  fileprivate var rangeBasis: String? {
    guard let kind = rangeKind, let runs = self[Self.rangeRuns] else { return nil }
    return "\(Figure.text(runs)) of \(kind.rawValue)"
  }
}
