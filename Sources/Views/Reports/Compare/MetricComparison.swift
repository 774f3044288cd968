public import FrameBudget

/// A metric's values on both sides, before the comparison.
struct MetricSamples {
  let metric: Metric
  let gate: Gate?
  let base: [Observation]
  let new: [Observation]
  /// Both sides are the same virtual runs, so every difference is real.
  let isExact: Bool
  /// Whether the metric has another meaning on the other side.
  let hasChanged: Bool
  /// The mean number of frames in a capture; nil for runs.
  let framesOfCapture: Double?
  /// What makes the runs of both sides different ones; nil if they are alike. Then `isExact` is false.
  var difference: RunDifference?

  typealias Conclusion = (verdict: MetricComparison.Verdict, note: String?)

  static let significance = 0.05
  /// In exact comparisons, times that differ by less than both tolerances are the same.
  static let tolerance = (share: 0.001, milliseconds: 0.01)
  /// In exact comparisons, a gate without a threshold ignores changes of times below this share of the base. If such a change
  /// moves a frame or an answer to another vsync, the gates of counts and shares see it.
  static let exactShare = 0.01

  /// Whether all values are the same number, so that no test could find a difference; then it does not count among the tests
  /// (Tarone 1990).
  var isConstant: Bool {
    guard let first = base.first ?? new.first, !base.hasBound else { return false }
    return base.allSatisfy { $0 == first } && new.allSatisfy { $0 == first }
  }

  /// The comparison, without verdicts that need the p of other metrics.
  func compared() -> MetricComparison {
    if hasChanged { return inconclusive("has another meaning now: measure both again") }
    guard !base.isEmpty, !new.isEmpty else {
      return inconclusive("applies to \(base.isEmpty ? "the new" : "the base") result only")
    }
    if let difference, metric.growsWithRun {
      return inconclusive("\(difference.words): measure both for the same time")
    }
    return isExact ? exact() : statistical()
  }

  /// A comparison without a result.
  private func inconclusive(_ note: String) -> MetricComparison {
    comparison(
      base: base.isEmpty ? nil : Sample.trimmedMean(base),
      new: new.isEmpty ? nil : Sample.trimmedMean(new), ends: [], (.inconclusive, note))
  }

  private func exact() -> MetricComparison {
    let ends = ends { MetricDifference(exact: $0, $1, isSame: isSame) }
    let (old, now) = (Sample.trimmedMean(base), Sample.trimmedMean(new))
    var conclusion = common(ends.map(exactConclusion))
    if conclusion.note == nil, conclusion.verdict != .same,
      old == now || !hasBound && direction(now.value - old.value) != conclusion.verdict
    {
      conclusion.note = "runs differ that the trimmed means omit"
    } else if conclusion.note == nil, conclusion.verdict == .same, gate?.threshold == nil,
      !zip(base.atLeast, new.atLeast).allSatisfy(isIndistinguishable)
    {
      let share = Gate.Threshold.relative(Self.exactShare).words(in: metric.unit)
      conclusion.note =
        "a change below \(share) of a time does not count; --gate \(metric.name)=0 counts every change"
    }
    return comparison(base: old, new: now, ends: ends, conclusion)
  }

  private func isSame(_ old: Double, _ now: Double) -> Bool {
    guard Self.distance(old, now).isFinite else { return false }
    if let threshold = gate?.threshold {
      return Self.distance(old, now) <= threshold.amount(of: old)
    }
    return isIndistinguishable(old, now)
      || gate != nil && metric.unit == .milliseconds
        && Self.distance(old, now) < Self.exactShare * abs(old)
  }

  private func isIndistinguishable(_ old: Double, _ now: Double) -> Bool {
    let distance = Self.distance(old, now)
    guard metric.unit == .milliseconds, distance > 0 else { return distance == 0 }
    return distance < Self.tolerance.milliseconds && distance < Self.tolerance.share * abs(old)
  }

  /// Values have six decimals; smaller differences are binary rounding.
  private static func distance(_ old: Double, _ now: Double) -> Double {
    (abs(now - old) * 1e9).rounded() / 1e9
  }

  private func exactConclusion(_ end: MetricDifference) -> Conclusion {
    guard let sign = end.signs.first else { return (.same, nil) }
    // Whichever prevails in the mean: a run with a large gain would hide losses of all others.
    guard end.signs.count == 1 else {
      return (.inconclusive, "some runs are better and some worse")
    }
    return (direction(sign), nil)
  }

  private func statistical() -> MetricComparison {
    let shares = shareTest
    let ends = ends { MetricDifference(measured: $0, $1, shares: shares) }
    return comparison(
      base: Sample.trimmedMean(base), new: Sample.trimmedMean(new), ends: ends,
      p: shares?.p ?? ends.compactMap(\.test?.p).max(), (.inconclusive, nil))
  }

  /// The test of shares over few captures, which a test of ranks cannot distinguish; nil for other samples. People make two or
  /// three captures, each of hundreds of frames.
  private var shareTest: WelchTest? {
    guard metric.name == Metric.droppedPercent.name, let framesOfCapture,
      min(base.count, new.count) >= 2,
      max(base.count, new.count) < Self.manyCaptures
    else { return nil }
    return WelchTest(percent: base.atLeast, new.atLeast, of: framesOfCapture)
  }

  private static let manyCaptures = 6

  /// The differences at both extremes that lower bounds allow: all new values as large as possible, and all base values as
  /// large as possible. A conclusion from both holds for everything between them.
  private func ends(_ difference: ([Double], [Double]) -> MetricDifference) -> [MetricDifference] {
    guard hasBound else { return [difference(base.atLeast, new.atLeast)] }
    return [difference(base.atLeast, new.atMost), difference(base.atMost, new.atLeast)]
  }

  private func comparison(
    base old: Observation?, new now: Observation?, ends: [MetricDifference], p: Double? = nil,
    _ conclusion: Conclusion
  ) -> MetricComparison {
    MetricComparison(
      metric: metric.name, unit: metric.unit, isGated: gate != nil && !hasChanged, base: old,
      new: now, baseCount: base.count, newCount: new.count,
      margin: isExact && gate?.threshold == nil ? nil : margin, ends: ends, p: p,
      verdict: conclusion.verdict, note: conclusion.note)
  }

  /// The verdict after correcting `p` for that many tests.
  func conclusion(_ comparison: MetricComparison, p: Double, tests: Int) -> Conclusion {
    guard
      shareTest != nil
        || MannWhitney.smallestP(base.count, new.count) * Double(tests) <= Self.significance
    else { return (.inconclusive, needed(tests)) }
    return common(comparison.ends.map { conclusion($0, p: p, tests: tests) })
  }

  private var hasBound: Bool { base.hasBound || new.hasBound }

  private var margin: GateMargin { GateMargin(gate, of: metric, hasBound: hasBound) }

  /// A difference must be unlikely to be chance, and large enough to count. For *no worse*, no change for the worse that is too
  /// large may be likely; for *the same*, also no such change for the better.
  private func conclusion(_ end: MetricDifference, p: Double, tests: Int) -> Conclusion {
    guard let interval = end.interval else { return (.inconclusive, needed(tests)) }
    let old = Sample(base.atLeast).trimmedMean
    let isFound = p <= Self.significance && !interval.contains(0)
    if isFound, abs(end.difference) >= margin.countsFrom(old) {
      return (direction(end.difference), nil)
    }
    let passes = margin.passesUpTo(old)
    let (low, high) = (interval.lowerBound >= -passes, interval.upperBound <= passes)
    if low && high { return (.same, nil) }
    let isNoWorse = metric.direction == .higherIsBetter ? low : high
    if isNoWorse && !hasBound { return (.noWorse, nil) }
    let remedy = "--gate \(metric.name)=AMOUNT sets how much may pass"
    return (.inconclusive, "too noisy: more repetitions narrow the interval, or \(remedy)")
  }

  /// The conclusion that holds at all extremes.
  private func common(_ conclusions: [Conclusion]) -> Conclusion {
    if let first = conclusions.first, conclusions.allSatisfy({ $0.verdict == first.verdict }) {
      return first
    }
    let side = base.hasBound ? new.hasBound ? "both results" : "the base" : "the new result"
    return (
      .inconclusive,
      "waits were still open at the end of \(side); a longer run may decide, or "
        + "\(Metric.responsesLate.name) and \(Metric.backlog.name)"
    )
  }

  private func direction(_ difference: Double) -> MetricComparison.Verdict {
    (difference > 0) == (metric.direction == .higherIsBetter) ? .better : .worse
  }

  /// The number of repetitions that can show a difference with that many tests.
  private func needed(_ tests: Int) -> String {
    if let difference { return "\(difference.words): measure both alike" }
    let count =
      (2...60).first { MannWhitney.smallestP($0, $0) * Double(tests) <= Self.significance } ?? 60
    return framesOfCapture == nil
      ? "too few repetitions: --repeat \(count) on both sides"
      : "too few captures: import \(count) on both sides"
  }
}

/// The result of one metric of one strategy.
public struct MetricComparison: Sendable {
  public enum Verdict: String, Sendable {
    case better, worse, same
    /// The same or better, but not known which.
    case noWorse = "no worse"
    case inconclusive
  }

  public let metric: String
  public let unit: Metric.Unit
  public let isGated: Bool
  /// Trimmed means over the runs: without the lowest and the highest fifth. Nil if the metric does not apply.
  public let base: Observation?
  public let new: Observation?
  public let baseCount: Int
  public let newCount: Int
  /// The thresholds for a change; nil for exact comparisons, unless the gate has one.
  public let margin: GateMargin?
  /// The range of each side if costs and arrivals differ slightly; nil if no run has one.
  public internal(set) var baseRange: ClosedRange<Double>?
  public internal(set) var newRange: ClosedRange<Double>?
  /// The differences as far as bounds allow: one without bounds, empty if there is nothing to compare.
  let ends: [MetricDifference]
  /// Two-sided; for gated metrics corrected for their number. Nil for exact comparisons.
  public internal(set) var p: Double?
  public internal(set) var verdict: Verdict
  /// The reason for an inconclusive result, and a remedy; or a fact that the figures do not show.
  public internal(set) var note: String?

  /// Covers the median of the differences between a new run and a run of the base with a probability of 95 %; for captures, the
  /// difference of the means. Nil for exact comparisons, for too few runs, and if bounds leave it open.
  public var interval: ClosedRange<Double>? { ends.count == 1 ? ends[0].interval : nil }

  /// Whether there are too few runs for an interval.
  var lacksRuns: Bool { p != nil && ends.count == 1 && interval == nil }

  /// Cliff's delta; nil for exact comparisons, and if bounds leave it open.
  public var effect: Double? { ends.count == 1 ? ends[0].test?.effect : nil }

  /// If one side is a lower bound, so is the difference, from below or from above; if both are, it is unknown.
  public var difference: Double? {
    guard let base, let new, !(base.isBound && new.isBound) else { return nil }
    return new.value - base.value
  }

  /// The change in percent of the base, if there is one.
  public var percent: Double? {
    guard let difference, let base, base.value != 0 else { return nil }
    return 100 * difference / abs(base.value)
  }
}

/// The difference of two samples of a metric, treating lower bounds as values.
struct MetricDifference {
  /// New minus base.
  let difference: Double
  /// For exact comparisons: 1 if a run is greater than its counterpart by more than allowed, -1 if one is less.
  let signs: Set<Double>
  /// Nil for exact comparisons, and for too few measurements.
  let interval: ClosedRange<Double>?
  let test: MannWhitney?

  /// From runs without noise, in pairs.
  init(exact base: [Double], _ new: [Double], isSame: (Double, Double) -> Bool) {
    difference = (new.mean ?? 0) - (base.mean ?? 0)
    signs = Set(zip(base, new).filter { !isSame($0, $1) }.map { $0 < $1 ? 1 : -1 })
    interval = nil
    test = nil
  }

  /// From measurements; with the test of shares if they are those of captures.
  init(measured base: [Double], _ new: [Double], shares: WelchTest?) {
    let (old, now) = (Sample(base), Sample(new))
    let found = SampleDifference(old, now)
    difference = found.difference
    signs = []
    interval = shares?.interval ?? found.interval
    test = MannWhitney(old, now)
  }
}

extension [Observation] {
  var hasBound: Bool { contains(where: \.isBound) }
  /// Each bound as its smallest possible value.
  var atLeast: [Double] { map(\.value) }
  /// Each bound as its largest possible value.
  var atMost: [Double] { map { $0.isBound ? .infinity : $0.value } }
}

extension Sample {
  /// The trimmed mean; a lower bound if it would grow with the lower bounds among the values.
  static func trimmedMean(_ observations: [Observation]) -> Observation {
    Observation(
      Sample(observations.atLeast).trimmedMean,
      isBound: observations.hasBound && !Sample(observations.atMost).trimmedMean.isFinite)
  }
}
