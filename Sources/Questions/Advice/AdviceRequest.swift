public import FrameBudget

/// A request for advice: an app, its current arrangement, the aims, and what may change.
public struct AdviceRequest: Sendable {
  /// The app's work, and the machine on which it is simulated.
  public var scenario: Scenario
  /// The current arrangement.
  public var today: Strategy
  /// The costs of hand-offs.
  public var costs = Costs.standard
  /// The aims; nil for no dropped frame, no late response, and no more unfinished items than under the current arrangement.
  public var aims: [Aim]?
  /// The number of dropped frames that is none for the default aims.
  public var negligibleDrops = 0
  /// The weight of each kind of change.
  public var weights = ChangeWeights()
  /// The required home of a service, by its name in the file. Without one, a service that the scenario keeps does not move.
  public var kept: [String: HomeConstraint] = [:]
  /// The carriers that new lanes may use, the preferred one first.
  public var carriers = [CarrierKind.scheduler]
  /// Strategies that may be used as a whole.
  public var strategies: [Strategy] = []
  /// Whether services may be placed one by one.
  public var placesServices = true
  /// The largest number of services that may move.
  public var maxMoved: Int?
  /// The number of lanes besides main that services may use; nil for the number of cores, at least two, plus one for each
  /// service that waits.
  public var maxLanes: Int?
  /// Whether an arrangement is proven to drop no frame at any phases; proven ones come first. Nil if proofs are not wanted.
  public var isProven: (@Sendable (Arrangement) -> Bool)?
  /// The seed of the search's random choices.
  public var seed: UInt64

  /// Creates a request with the defaults of all other properties.
  public init(_ scenario: Scenario, today: Strategy) {
    self.scenario = scenario
    self.today = today
    seed = scenario.seed
  }
}

/// The required home of a service.
public enum HomeConstraint: Hashable, Sendable {
  /// Its current home.
  case today
  /// On the main thread.
  case main
  /// On some lane.
  case anyLane
  /// On this existing lane.
  case lane(LaneIndex)
  /// Behind a lock.
  case lock
}

/// The aims that an arrangement must reach to be advised.
public struct Aims: Hashable, Sendable {
  /// All aims.
  public let list: [Aim]
  /// Whether these are the default aims: then an item that the current arrangement finishes must be finished.
  public let areDefault: Bool

  /// Creates named aims.
  init(_ list: [Aim]) {
    self.list = list
    areDefault = false
  }

  /// Creates the default aims, given the number of items that the current arrangement left undone.
  init(defaultFor scenario: Scenario, leftToday: Int, negligibleDrops: Int = 0) {
    let isAwaited = scenario.workloads.contains { $0.respondWithin != nil }
    list =
      [Aim(Metric.droppedFrames.name, maximum: Double(negligibleDrops))]
      + (isAwaited ? [Aim(Metric.responsesLate.name, maximum: 0)] : [])
      + [Aim(Metric.backlog.name, maximum: Double(leftToday))]
    areDefault = true
  }

  /// Whether no frame may be dropped.
  var forbidDrops: Bool {
    list.contains { $0.metric == Metric.droppedFrames.name && ($0.maximum ?? 1) < 1 }
  }

  /// The largest number of unfinished items at the end; nil if no aim bounds it.
  var maxPending: Double? {
    list.first { $0.metric == Metric.itemsPending.name }?.maximum
  }

  /// The largest number of items of a growing backlog; nil if no aim bounds it.
  var maxBacklog: Double? {
    list.first { $0.metric == Metric.backlog.name }?.maximum
  }
}

extension Aim {
  /// The distance from the aim, in the metric's unit; 0 if it is met, 1 if the metric does not apply.
  func shortfall(_ found: Observation?) -> Double {
    guard let found else { return 1 }
    if holds(for: found) { return 0 }
    let above = maximum.map { found.value - $0 } ?? 0
    let below = minimum.map { $0 - found.value } ?? 0
    // A lower bound within the bounds proves nothing.
    return max(above, below, Double.leastNormalMagnitude)
  }

  /// In the syntax of the command line: `dropped_frames<=0`.
  public var words: String {
    let least = minimum.map { "\(metric)>=\(Decimal.text($0, places: 6))" }
    let most = maximum.map { "\(metric)<=\(Decimal.text($0, places: 6))" }
    return [least, most].compactMap(\.self).joined(separator: ",")
  }

  /// Reads `words`; nil if the text is nothing of the kind.
  public init?(words: String) {
    var aim: Aim?
    for part in words.split(separator: ",") {
      let sign = part.contains(">=") ? ">=" : "<="
      let ends = part.split(separator: sign, omittingEmptySubsequences: false).map(String.init)
      guard ends.count == 2, !ends[0].isEmpty,
        let value = Decimal.units(ends[1], places: 6).map({ Double($0) / 1e6 })
      else { return nil }
      var next = aim ?? Aim(ends[0])
      if sign == ">=" { next.minimum = value } else { next.maximum = value }
      guard next.metric == ends[0] else { return nil }
      aim = next
    }
    guard let aim else { return nil }
    self = aim
  }
}

/// The weight of each kind of change in the search for the smallest one.
public struct ChangeWeights: Hashable, Sendable {
  /// A service with a new home; all copies of one count once.
  public var moved = 1
  /// A new lane.
  public var lane = 1
  /// A new lock.
  public var lock = 2
  /// A rule that changes: overtaking, yielding, how results return.
  public var policy = 1
  /// A call between two services that shared a thread and no longer do.
  public var split = 1

  /// The default weights.
  public init() {}

  /// Their names on the command line, in the order of the documentation.
  public enum Kind: String, CaseIterable, Sendable {
    /// The properties of the same names.
    case moved, lane, lock, policy, split

    /// The property of that name.
    public var path: WritableKeyPath<ChangeWeights, Int> {
      switch self {
      case .moved: \.moved
      case .lane: \.lane
      case .lock: \.lock
      case .policy: \.policy
      case .split: \.split
      }
    }
  }

  /// The range of a weight.
  public static let allowed = 0...1000
}
