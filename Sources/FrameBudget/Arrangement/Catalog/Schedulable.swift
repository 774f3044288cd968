// The SchedulableObject pattern: mutable objects on a background scheduler, main only draws.

extension NamedArrangement {
  static let schedulable = NamedArrangement(
    "schedulable", "all services on one background scheduler, UI reads snapshots",
    options: backgroundOptions
  ) { scenario, options throws(StrategyError) in
    try .onOneLane(Lane(name: "background", carrier: .scheduler), scenario, &options)
  }

  static let schedulablePriorities = NamedArrangement(
    "schedulable-priorities", "the same, and items with a priority overtake queued ones",
    options: backgroundOptions
  ) { scenario, options throws(StrategyError) in
    let lane = Lane(name: "background", carrier: .scheduler, overtaking: true)
    return try .onOneLane(lane, scenario, &options)
  }

  static let schedulablePartial = NamedArrangement(
    "schedulable-partial", "the first services on a background scheduler, the rest on main",
    options: ["moved=1"] + backgroundOptions
  ) { scenario, options throws(StrategyError) in
    let moved = try options.count("moved", default: 1)
    let lane = Lane(name: "background", carrier: .scheduler)
    var arrangement = try Arrangement.onOneLane(lane, scenario, &options)
    for service in scenario.services.indices.dropFirst(moved) {
      arrangement.placement[service] = .home(.main)
    }
    return arrangement
  }

  static let schedulableNaive = NamedArrangement(
    "schedulable-naive", "schedulable on the pattern's first sketch, which looks every 0.1 s",
    options: backgroundOptions
  ) { scenario, options throws(StrategyError) in
    try .onOneLane(Lane(name: "background", carrier: .naive), scenario, &options)
  }
}
