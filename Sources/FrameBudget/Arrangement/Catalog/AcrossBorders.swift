// All services on one lane, as the schedulable pattern has them, but behind something that closures cannot cross.

extension NamedArrangement {
  static let bridge = NamedArrangement(
    "bridge", "all services behind a bridge of JSON calls, UI reads snapshots",
    options: backgroundOptions + [LaneOption.flush.assignment]
  ) { scenario, options throws(StrategyError) in
    var lane = Lane(name: "bridge", carrier: .bridge)
    try options.choose(.flush, on: &lane)
    return try .onOneLane(lane, scenario, &options)
  }

  static let process = NamedArrangement(
    "process", "all services called through a child process, UI reads snapshots",
    options: backgroundOptions
  ) { scenario, options throws(StrategyError) in
    try .onOneLane(Lane(name: "service", carrier: .process), scenario, &options)
  }
}
