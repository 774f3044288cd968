internal import FrameBudget

/// How large a change of a metric over several runs must be: to count, and to leave it open whether there is one.
///
/// Two questions have two sizes. A change that is unlikely to be chance counts from a share of the base on, however small the
/// base is. What may be chance passes up to an amount as well: ten runs cannot tell 5 % of 0.4 items, or of a frame of 2 ms,
/// from nothing.
public struct GateMargin: Hashable, Sendable {
  /// From here on a change counts that is unlikely to be chance.
  public let counts: Gate.Threshold
  /// Up to here, in the metric's unit, a change passes that may be chance, even if it is more than that. 0 if the gate states
  /// what counts, and if values are lower bounds: then the change may be unlikely to be chance for what they stand for.
  public let floor: Double

  /// What counts where no gate says otherwise.
  public static let standard = Gate.Threshold.relative(0.05)

  init(_ gate: Gate?, of metric: Metric, hasBound: Bool) {
    counts =
      gate?.threshold ?? (metric.isSigned ? .absolute(Self.standardDifference) : Self.standard)
    floor = gate?.threshold == nil && !hasBound ? metric.unit.floor : 0
  }

  /// What counts, in milliseconds, of what may lie on both sides of zero, where a share of the base says nothing: 5 % of a
  /// frame of 10 ms.
  private static let standardDifference = 0.5

  /// What counts where no gate says otherwise, in words.
  public static var standards: String {
    let difference = Gate.Threshold.absolute(standardDifference)
    return
      "\(standard.words(in: .milliseconds)) of the base, or, of a time that may be below zero, "
      + difference.words(in: .milliseconds)
  }

  /// What passes where it may be chance, in words.
  public static var floors: String {
    let standard = Gate.standard.compactMap { MetricCatalog.metric($0.metric)?.unit }
    var amounts: [String] = []
    for unit in standard where !amounts.contains(unit.floorWords) {
      amounts.append(unit.floorWords)
    }
    return English.list(amounts)
  }

  /// From how much on a change from `base` counts that is unlikely to be chance, in the metric's unit.
  func countsFrom(_ base: Double) -> Double { counts.amount(of: base) }

  /// Up to how much a change from `base` passes that may be chance, in the metric's unit.
  func passesUpTo(_ base: Double) -> Double { max(countsFrom(base), floor) }

  /// `5 %, 20 ms`, or a threshold that a gate states: `0.5 points`
  func words(in unit: Metric.Unit) -> String {
    ([counts.words(in: unit)] + (floor > 0 ? [unit.amount(floor)] : [])).joined(separator: ", ")
  }
}

extension Gate.Threshold {
  /// `5 %`, `0.5 points`
  func words(in unit: Metric.Unit) -> String {
    switch self {
    case .relative(let share): "\(Decimal.text(100 * share, places: 4)) %"
    case .absolute(let amount): unit.amount(amount)
    }
  }
}

extension Metric.Unit {
  /// The one list of what passes where it may be chance, by what metrics are counted in.
  var floor: Double {
    switch self {
    case .none: 0
    case .count, .vsyncs: 5
    case .itemsPerSecond: 2
    case .percent, .framesPerSecond: 3
    // Answers come at vsyncs: a little more than a period at 60 Hz.
    case .milliseconds, .microseconds: 20
    // Three hundredths of each second.
    case .millisecondsPerSecond: 30
    }
  }

  /// `20 ms`; of counts `a count of 5`
  fileprivate var floorWords: String {
    self == .count ? "a count of \(amount(floor))" : amount(floor)
  }

  /// `20 ms`; of shares in points, as a percentage would be one of the base.
  func amount(_ value: Double) -> String {
    let number = Decimal.text(value, places: 6)
    return switch self {
    case .none, .count: number
    case .percent: "\(number) \(value == 1 ? "point" : "points")"
    default: "\(number) \(rawValue)"
    }
  }
}
