public import FrameBudget

/// What is asked for: an app, where it is today, what is to be reached, and what may change.
public struct AdviceRequest: Sendable {
  /// What the app does; its machine is the one that it is simulated on.
  public var scenario: Scenario
  /// What runs where today.
  public var today: Strategy
  /// What moving work about costs.
  public var costs = Costs.standard
  /// What is to be reached; nil for no dropped frame, no late response and no more undone than today.
  public var aims: [Aim]?
  /// What each kind of change counts.
  public var weights = ChangeWeights()
  /// By service, by its name in the file: where it must live.
  public var kept: [String: KeptHome] = [:]
  /// What new lanes may be on; the first one first.
  public var carriers = [CarrierKind.scheduler]
  /// Whole arrangements that may be taken.
  public var strategies: [Strategy] = []
  /// Whether services may be placed one by one.
  public var placesServices = true
  /// How many services may move at most.
  public var mostMoved: Int?
  /// Lanes beside main that services may live on; nil for as many as the cores, two at least, and one for each service
  /// that waits.
  public var mostLanes: Int?
  /// Of what the search draws.
  public var seed: UInt64

  /// A question with the usual answers to all else.
  public init(_ scenario: Scenario, today: Strategy) {
    self.scenario = scenario
    self.today = today
    seed = scenario.seed
  }
}

/// Where a service must live.
public enum KeptHome: Hashable, Sendable {
  /// Where it is.
  case today
  /// On the main thread.
  case main
  /// On some lane.
  case anyLane
  /// On this lane of today's.
  case lane(LaneIndex)
  /// Behind a lock.
  case lock
}
