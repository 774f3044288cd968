// All services on one lane, as the schedulable pattern has them, but behind something that closures cannot cross.

extension NamedArrangement {
  static let bridge = NamedArrangement(
    "bridge", "all services behind a bridge of JSON calls, UI reads snapshots",
    options: StrategyOption.background + [.flush]
  ) { scenario, options in
    .onOneLane(Lane(name: "bridge", carrier: .bridge, options: options), scenario, options)
  }

  static let process = NamedArrangement(
    "process", "all services called through a child process, UI reads snapshots",
    options: StrategyOption.background
  ) { scenario, options in
    .onOneLane(Lane(name: "service", carrier: .process), scenario, options)
  }
}
