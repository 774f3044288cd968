// What arrangements share that keep business logic off the main thread.

extension NamedArrangement {
  /// Of all arrangements in which work ends off the main thread.
  static let drainOption = "drain=2 ms"
  /// Of all arrangements whose UI reads snapshots.
  static let backgroundOptions = [drainOption, "publish=per-frame"]
}

extension StrategyOptions {
  /// How results return from other threads, the same in every strategy unless `key` says otherwise.
  mutating func returning(_ key: String = "drain") throws(StrategyError) -> Returning {
    .drained(budget: try timeSpan(key, default: Returning.standardBudget))
  }
}

extension Arrangement {
  /// Every service at home on `lane`; the UI reads snapshots, results are drained.
  static func onOneLane(
    _ lane: Lane, _ scenario: Scenario, _ options: inout StrategyOptions
  ) throws(StrategyError) -> Arrangement {
    try onLanes([lane], scenario.services.map { _ in .home(1) }, scenario, &options)
  }

  /// Every service at home on a lane of its own.
  static func onOwnLanes(
    _ carrier: CarrierKind, _ scenario: Scenario, _ options: inout StrategyOptions
  ) throws(StrategyError) -> Arrangement {
    try onLanes(
      scenario.services.map { Lane(name: $0.name, carrier: carrier) },
      scenario.services.indices.map { .home($0 + 1) }, scenario, &options)
  }

  static func onLanes(
    _ lanes: [Lane], _ placement: [Placement], _ scenario: Scenario,
    _ options: inout StrategyOptions
  ) throws(StrategyError) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes += lanes
    arrangement.placement = placement
    arrangement.reading = .snapshot(try options.choice("publish", default: .perFrame))
    arrangement.returning = try options.returning()
    return arrangement
  }

  /// Every service under a lock of its own, all items on `pool`; the UI reads under the locks.
  static func onPool(
    _ pool: Lane, _ scenario: Scenario, _ options: inout StrategyOptions
  ) throws(StrategyError) -> Arrangement {
    let kind = try options.choice("lock", default: Lock.Kind.barging)
    return Arrangement(
      lanes: [.main, pool], locks: scenario.services.map { Lock(name: $0.name, kind: kind) },
      placement: scenario.services.indices.map { .guarded($0) },
      entry: scenario.workloads.map { _ in 1 }, reading: .locked,
      returning: try options.returning())
  }
}
