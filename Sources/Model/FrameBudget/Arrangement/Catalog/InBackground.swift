// Common parts of arrangements that keep business logic off the main thread.

extension StrategyOption {
  /// For all arrangements in which work ends off the main thread.
  static let drainBudget = StrategyOption(
    "drain", default: Returning.standardBudget, canBeZero: true, budgetMeaning)

  /// The same, for arrangements in which `drain` is an option of the lane.
  static let resultsBudget = StrategyOption(
    "results", default: Returning.standardBudget, canBeZero: true, budgetMeaning)

  private static let budgetMeaning = "time in which a frame may run results of other threads"

  /// For all arrangements whose UI reads snapshots.
  static let publish = StrategyOption(
    "publish", default: Reading.PublishRule.standard,
    "when a lane copies its state for the UI: at most once per frame, or after every step that changes it"
  )

  /// For all arrangements whose services are guarded by locks.
  static let lockKind = StrategyOption(
    "lock", default: Lock.Kind.standard,
    "thread that gets a free lock: the next to ask, or the longest waiter, with the owner's priority unchanged "
      + "or raised to the waiters'")

  /// For all arrangements with several threads.
  static let width = StrategyOption("width", default: 4, in: Lane.widths, "number of threads")

  static let background = [drainBudget, publish]
}

extension Arrangement {
  /// All services on `lane`; the UI reads snapshots, results are drained.
  static func onOneLane(
    _ lane: Lane, _ scenario: Scenario, _ options: StrategyOptions
  ) -> Arrangement {
    onLanes([lane], scenario.services.map { _ in .home(1) }, scenario, options)
  }

  /// Each service on its own lane.
  static func onOwnLanes(
    _ carrier: CarrierKind, _ scenario: Scenario, _ options: StrategyOptions
  ) -> Arrangement {
    onLanes(
      scenario.services.map { Lane(name: $0.name, carrier: carrier) },
      scenario.services.indices.map { .home(LaneIndex($0.position + 1)) }, scenario, options)
  }

  static func onLanes(
    _ lanes: [Lane], _ placement: [Placement], _ scenario: Scenario, _ options: StrategyOptions
  ) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += lanes
    arrangement.placement = PerService(placement)
    arrangement.reading = .snapshot(options.choice(.publish))
    arrangement.returning = .drained(budget: options.timeSpan(.drainBudget))
    return arrangement
  }

  /// Each service under its own lock, all items on `pool`; the UI reads under the locks.
  static func onPool(
    _ pool: Lane, _ scenario: Scenario, lock: Lock.Kind, budget: TimeSpan
  ) -> Arrangement {
    Arrangement(
      lanes: [.main, pool], locks: scenario.services.map { Lock(name: $0.name, kind: lock) },
      placement: scenario.services.indices.map { .guarded(LockIndex($0.position)) },
      entry: scenario.workloads.map { _ in 1 }, reading: .locked,
      returning: .drained(budget: budget))
  }
}
