public import FrameBudget
internal import Statistics

/// What became of one metric of one strategy.
public struct MetricComparison: Sendable {
  public enum Verdict: String, Sendable {
    case better, worse, same
    /// The same or better: which of them is not known.
    case noWorse = "no worse"
    case inconclusive
  }

  public let metric: String
  public let unit: Metric.Unit
  public let isGated: Bool
  /// Trimmed means over the runs: without the lowest and the highest fifth. Nil where the metric does not apply.
  public let base: Observation?
  public let new: Observation?
  public let baseCount: Int
  public let newCount: Int
  /// How large a change must be; nil for exact comparisons, unless the gate says it.
  public let margin: GateMargin?
  /// The range of each side if costs and arrivals differ slightly; nil if no run has one.
  public internal(set) var baseRange: ClosedRange<Double>?
  public internal(set) var newRange: ClosedRange<Double>?
  /// What the samples say, as far as bounds allow: one answer where nothing is a bound. Empty where there is nothing to
  /// compare.
  let ends: [MetricDifference]
  /// Two-sided; for gated metrics corrected for their number. Nil for exact comparisons.
  public internal(set) var p: Double?
  public internal(set) var verdict: Verdict
  /// Why nothing can be said, and what would help; or what the figures do not show.
  public internal(set) var note: String?

  /// Nil for exact comparisons, and where bounds leave it open.
  public var interval: ClosedRange<Double>? { ends.count == 1 ? ends[0].interval : nil }

  /// Cliff's delta; nil for exact comparisons, and where bounds leave it open.
  public var effect: Double? { ends.count == 1 ? ends[0].test?.effect : nil }

  /// Where one side is a lower bound this is one too, from below or from above; where both are, nothing is known.
  public var difference: Double? {
    guard let base, let new, !(base.isBound && new.isBound) else { return nil }
    return new.value - base.value
  }

  /// The change in percent of the base, where there is one.
  public var percent: Double? {
    guard let difference, let base, base.value != 0 else { return nil }
    return 100 * difference / abs(base.value)
  }
}
