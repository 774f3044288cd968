// The SchedulableObject pattern: all mutable objects on one background scheduler, main only draws.

extension NamedArrangement {
  static let schedulable = NamedArrangement(
    "schedulable", "all services on one background scheduler, UI reads snapshots",
    options: ["drain=2 ms", "publish=per-frame"]
  ) { scenario, options throws(StrategyError) in
    try onOneLane(Lane(name: "background", carrier: .scheduler), scenario, &options)
  }

  static let schedulablePriorities = NamedArrangement(
    "schedulable-priorities", "the same, and items with a priority overtake queued ones",
    options: ["drain=2 ms", "publish=per-frame"]
  ) { scenario, options throws(StrategyError) in
    let lane = Lane(name: "background", carrier: .scheduler, overtaking: true)
    return try onOneLane(lane, scenario, &options)
  }

  /// All services at home on `lane`; takes the options `drain` and `publish`.
  static func onOneLane(
    _ lane: Lane, _ scenario: Scenario, _ options: inout StrategyOptions
  ) throws(StrategyError) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(lane)
    arrangement.placement = scenario.services.map { _ in .home(1) }
    arrangement.reading = .snapshot(try options.choice("publish", default: .perFrame))
    arrangement.returning = .drained(
      budget: try options.timeSpan("drain", default: .milliseconds(2)))
    return arrangement
  }
}
