public import FrameBudget

/// What became of one metric of one strategy.
public struct MetricComparison: Sendable {
  public enum Verdict: String, Sendable { case better, worse, same, inconclusive }

  public let metric: String
  public let unit: Metric.Unit
  public let isGated: Bool
  /// Trimmed means; exact values for virtual results. Nil where the metric does not apply.
  public let base: Double?
  public let new: Double?
  public let baseCount: Int
  public let newCount: Int
  /// Nil for exact comparisons.
  public let interval: ClosedRange<Double>?
  /// Cliff's delta; nil for exact comparisons.
  public let effect: Double?
  /// Two-sided; for gated metrics corrected for their number. Nil for exact comparisons.
  public internal(set) var p: Double?
  public internal(set) var verdict: Verdict
  /// Why nothing can be said, and what would help.
  public internal(set) var note: String?

  public var difference: Double? {
    guard let base, let new else { return nil }
    return new - base
  }

  /// The change in percent of the base, where there is one.
  public var percent: Double? {
    guard let difference, let base, base != 0 else { return nil }
    return 100 * difference / abs(base)
  }
}

/// A metric's values on both sides, before anything is concluded from them.
struct MetricSamples {
  let metric: Metric
  let gate: Gate?
  let base: [Double]
  let new: [Double]
  /// Both sides are the same virtual runs: every difference is one.
  let isExact: Bool
  let resamples: Int

  static let significance = 0.05
  static let standardThreshold = Gate.Threshold.relative(0.05)

  /// The comparison without a verdict that needs the other metrics' p.
  func compared(in group: String) -> MetricComparison {
    guard !base.isEmpty, !new.isEmpty else { return oneSided() }
    return isExact ? exact() : statistical(group)
  }

  private func oneSided() -> MetricComparison {
    comparison(
      base: base.isEmpty ? nil : Sample(base).trimmedMean,
      new: new.isEmpty ? nil : Sample(new).trimmedMean, verdict: .inconclusive,
      note: "applies to \(base.isEmpty ? "the new" : "the base") result only")
  }

  private func exact() -> MetricComparison {
    let old = base.reduce(0, +) / Double(base.count)
    let now = new.reduce(0, +) / Double(new.count)
    let allowed = gate?.threshold?.amount(of: old) ?? 0
    let isSame = zip(base, new).allSatisfy { abs($1 - $0) <= allowed }
    return comparison(
      base: old, new: now, verdict: isSame ? .same : direction(now - old), note: nil)
  }

  private func statistical(_ group: String) -> MetricComparison {
    let (old, now) = (Sample(base), Sample(new))
    let bootstrap = BootstrapDifference(
      old, now, resamples: resamples, name: "\(group)/\(metric.name)")
    let test = MannWhitney(old, now)
    return comparison(
      base: old.trimmedMean, new: now.trimmedMean, interval: bootstrap.interval,
      effect: test.effect, p: test.p, verdict: .inconclusive, note: nil)
  }

  private func comparison(
    base old: Double?, new now: Double?, interval: ClosedRange<Double>? = nil,
    effect: Double? = nil, p: Double? = nil, verdict: MetricComparison.Verdict, note: String?
  ) -> MetricComparison {
    MetricComparison(
      metric: metric.name, unit: metric.unit, isGated: gate != nil, base: old, new: now,
      baseCount: base.count, newCount: new.count, interval: interval, effect: effect, p: p,
      verdict: verdict, note: note)
  }

  /// The verdict once `p` is corrected: a difference must be unlikely by chance, and matter; to be the same,
  /// none that matters may be likely.
  func verdict(
    _ comparison: MetricComparison, p: Double, tests: Int
  ) -> (MetricComparison.Verdict, note: String?) {
    guard let difference = comparison.difference, let interval = comparison.interval,
      let base = comparison.base
    else { return (comparison.verdict, comparison.note) }
    guard MannWhitney.smallestP(self.base.count, new.count) * Double(tests) <= Self.significance
    else { return (.inconclusive, Self.needed(tests)) }
    let matters = (gate?.threshold ?? Self.standardThreshold).amount(of: base)
    if p <= Self.significance, abs(difference) >= matters, !interval.contains(0) {
      return (direction(difference), nil)
    }
    if interval.lowerBound >= -matters, interval.upperBound <= matters { return (.same, nil) }
    return (.inconclusive, "too noisy: more repetitions narrow the interval")
  }

  private func direction(_ difference: Double) -> MetricComparison.Verdict {
    (difference > 0) == metric.isBetterHigher ? .better : .worse
  }

  /// How many repetitions could show a difference with so many tests.
  private static func needed(_ tests: Int) -> String {
    let count =
      (2...60).first { MannWhitney.smallestP($0, $0) * Double(tests) <= significance } ?? 60
    return "too few repetitions: --repeat \(count) on both sides"
  }
}
