public import FrameBudget

/// The percentage by which costs may grow before more than 10 % of the scenario's variants miss an aim.
public struct Margin: Hashable, Sendable {
  /// The service whose costs grow, by its name in the file; nil for all processor time.
  public let service: String?
  /// The largest growth tried at which enough variants reach all aims; also 0 if too few reach them at current costs.
  public let percent: Int
  /// The margin of each aim by itself, in the order of the aims; none is below `percent`.
  public let ends: [End]

  /// Whether no larger growth was tried.
  public var isLimit: Bool { percent == Self.most }

  /// The aim that is missed first; nil if all are reached at the largest growth tried.
  public var end: End? {
    ends.filter { !$0.isLimit }.min { $0.percent < $1.percent }
  }

  /// The growth of costs before one aim is missed.
  public struct End: Hashable, Sendable {
    /// The aim.
    public let aim: Aim
    /// The largest growth tried at which enough variants reach it.
    public let percent: Int
    /// Whether no larger growth was tried.
    public var isLimit: Bool { percent == Margin.most }
  }

  /// The largest growth tried.
  public static let most = 400
  /// Below this, an error of measurement can overturn the advice.
  public static let fragile = 5

  /// The growths tried: whole percents up to 20, then steps of 5 to 10 % of the growth; the margins of variants differ by more.
  static let steps: [Int] =
    Array(0..<20)
    + [(20, 2), (40, 4), (80, 8), (160, 16), (320, 20)].flatMap { start, step in
      stride(from: start, to: start == 320 ? most + 1 : 2 * start, by: step)
    }

  /// `scenario` with costs that are `percent` percent higher.
  static func raised(
    _ scenario: Scenario, by percent: Int, in services: [ServiceIndex]?
  ) -> Scenario {
    let factor = Double(100 + percent) / 100
    return services.map { scenario.costing(factor, in: Set($0)) } ?? scenario.costing(factor)
  }
}

/// Searches for the growth of costs at which too many variants of the scenario miss an aim.
///
/// Only the weakest variants count: of 20 the third weakest. Each further variant is therefore run once, at that one's limit,
/// and examined further only if its own is lower. The limit of a variant is below the first growth known to fail, also by an
/// earlier search: some fail although a larger one works, because the default aim for items compares with today's arrangement,
/// which may do worse still. So the first variant's growth climbs from the least in strides that only a short stretch of
/// failures can be in.
struct GrowthSearch {
  /// Whether a variant reaches each aim at costs that are this many percent higher; nil if the user interrupted it.
  private let reached: (_ variant: Int, _ percent: Int) -> [Bool]?
  private let maxFailing: Int
  /// The weakest variants first, as far as that is known.
  private var order: [Int]
  /// By variant and step.
  private var known: [[Int: [Bool]]]

  /// The limit for strides, in steps.
  private static let widest = 8

  private struct Ended: Error {}

  init(variants: Int, reached: @escaping (_ variant: Int, _ percent: Int) -> [Bool]?) {
    self.reached = reached
    maxFailing = Steadiness.allowedFailures(of: variants)
    order = Array(0..<variants)
    known = Array(repeating: [:], count: variants)
  }

  /// The margin with all aims, and with each aim alone, in percent; nil if the user interrupted it.
  mutating func percents(aims: Int) -> (all: Int, each: [Int])? {
    do throws(Ended) {
      let all = try last(from: 0) { $0.allSatisfy(\.self) }
      // A single aim fails in at most as many variants as all aims together, so its margin is at least theirs.
      var each: [Int] = []
      for aim in 0..<aims { each.append(try last(from: all) { $0[aim] }) }
      return (Margin.steps[all], each.map { Margin.steps[$0] })
    } catch {
      return nil
    }
  }

  /// The last step at which enough variants reach the aims; `least` is the first step that counts.
  private mutating func last(
    from least: Int, _ meetsAims: ([Bool]) -> Bool
  ) throws(Ended) -> Int {
    // The limits of the weakest variants, in ascending order: one more than may fail.
    var weakest: [(variant: Int, step: Int)] = []
    for (position, variant) in order.enumerated() {
      let isFull = weakest.count > maxFailing
      let most = (isFull ? weakest.last?.step : nil) ?? Margin.steps.count - 1
      let near = weakest.first?.step ?? least
      let step = try last(of: variant, in: least...most, near: near, isOnce: isFull, meetsAims)
      let place = weakest.firstIndex { $0.step > step } ?? weakest.count
      weakest.insert((variant, step), at: place)
      if isFull { weakest.removeLast() }
      guard weakest.count > maxFailing, let third = weakest.last?.step else { continue }
      // Stops if the result cannot change: even if all remaining variants had lower limits, too few would fail, or lower
      // limits do not count.
      let below = weakest.count { $0.step < third } + order.count - position - 1
      if below <= maxFailing || third == least { break }
    }
    let first = weakest.map(\.variant)
    order = first + order.filter { !first.contains($0) }
    return weakest.last?.step ?? least
  }

  /// The last step in `steps` before any at which a variant is known to miss its aims; the first step if there is none. Tries
  /// the last step first if `isOnce`, then those near `near`.
  private mutating func last(
    of variant: Int, in steps: ClosedRange<Int>, near: Int, isOnce: Bool,
    _ meetsAims: ([Bool]) -> Bool
  ) throws(Ended) -> Int {
    let beyond = steps.upperBound + 1
    let missed = known[variant].filter { $0.key < beyond && !meetsAims($0.value) }.keys.min()
    var (passed, failed) = (steps.lowerBound, missed ?? beyond)
    let start = min(max(near, passed + 1), failed - 1)
    var probe = isOnce && missed == nil ? steps.upperBound : start
    var stride = 1
    while failed - passed > 1 {
      if meetsAims(try outcome(of: variant, at: probe)) {
        passed = probe
        probe += stride
      } else {
        let isFirst = isOnce && failed == beyond
        failed = probe
        probe = isFirst ? near : probe - stride
      }
      stride = min(2 * stride, Self.widest)
      if failed == beyond { probe = min(probe, steps.upperBound) }
      if probe <= passed || probe >= failed { probe = (passed + failed) / 2 }
    }
    return passed
  }

  private mutating func outcome(of variant: Int, at step: Int) throws(Ended) -> [Bool] {
    if let known = known[variant][step] { return known }
    guard let outcome = reached(variant, Margin.steps[step]) else { throw Ended() }
    known[variant][step] = outcome
    return outcome
  }
}

/// How often the aims are met with other arrival times and random numbers.
public struct Steadiness: Hashable, Sendable {
  /// The number of variants that met them.
  public let met: Int
  /// The number of variants.
  public let variants: Int

  /// - Parameters:
  ///   - met: the number of variants that met them.
  ///   - variants: the number of variants.
  public init(met: Int, variants: Int) { (self.met, self.variants) = (met, variants) }

  /// The number of variants to try.
  static let usual = 20

  /// Whether advice with this is worth a warning.
  public var isPoor: Bool { variants - met > Self.allowedFailures(of: variants) }

  /// The least that is not poor.
  package static let least = Steadiness(met: usual - allowedFailures(of: usual), variants: usual)

  /// `18 of 20 runs`
  package var words: String { "\(met) of \(variants) runs" }

  /// The number of variants that may miss an aim: 10 %.
  static func allowedFailures(of variants: Int) -> Int { variants / 10 }

  /// `scenario` with another seed, each workload's arrivals later by a random part of a period.
  static func variant(_ number: Int, of scenario: Scenario, seed: UInt64) -> Scenario {
    var stream = RandomStream(seed: seed, name: "advice/variant", index: number)
    var variant = scenario
    variant.seed = stream.next()
    let period = Double(scenario.display.refresh.period.nanoseconds)
    for workload in variant.workloads.indices {
      let shift = TimeSpan(nanoseconds: Int64(stream.unit() * period))
      variant.workloads[workload].arrival = variant.workloads[workload].arrival.moved(by: shift)
    }
    return variant
  }
}
