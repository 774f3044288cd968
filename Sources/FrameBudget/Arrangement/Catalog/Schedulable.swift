// The SchedulableObject pattern: all mutable objects on one background scheduler, main only draws.

extension NamedArrangement {
  static let schedulable = NamedArrangement(
    "schedulable", "all services on one background scheduler, UI reads snapshots",
    options: ["drain=2 ms", "publish=per-frame"]
  ) { scenario, options throws(StrategyError) in
    try onOneScheduler(scenario, &options, overtaking: false)
  }

  static let schedulablePriorities = NamedArrangement(
    "schedulable-priorities", "the same, and items with a priority overtake queued ones",
    options: ["drain=2 ms", "publish=per-frame"]
  ) { scenario, options throws(StrategyError) in
    try onOneScheduler(scenario, &options, overtaking: true)
  }

  private static func onOneScheduler(
    _ scenario: Scenario, _ options: inout StrategyOptions, overtaking: Bool
  ) throws(StrategyError) -> Arrangement {
    var arrangement = Arrangement.onMain(scenario)
    arrangement.lanes.append(
      Lane(name: "background", carrier: .scheduler, overtaking: overtaking))
    arrangement.placement = scenario.services.map { _ in .home(1) }
    arrangement.reading = .snapshot(try options.choice("publish", default: .perFrame))
    arrangement.returning = .drained(
      budget: try options.timeSpan("drain", default: .milliseconds(2)))
    return arrangement
  }
}
