// Alternatives to a scheduler of one's own: queues, actors, event loops, bridges and processes.

extension StrategyOption {
  /// For an operation queue, which is serial by default.
  static let operationWidth = StrategyOption(
    "width", default: 1, in: Lane.widths,
    "number of concurrent operations; above 1, locks guard the services and the UI reads under them"
  )
}

extension NamedArrangement {
  static let gcdSerial = NamedArrangement(
    "gcd-serial", "all services on one serial dispatch queue", options: StrategyOption.background
  ) { scenario, options in
    .onOneLane(Lane(name: "background", carrier: .dispatch), scenario, options)
  }

  static let gcdConcurrent = NamedArrangement(
    "gcd-concurrent", "a concurrent dispatch queue, services guarded by locks, UI reads under them",
    options: [.width, .lockKind, .drainBudget]
  ) { scenario, options in
    .onPool(
      Lane(name: "pool", carrier: .dispatch, width: options.count(.width)), scenario,
      lock: options.choice(.lockKind), budget: options.timeSpan(.drainBudget))
  }

  static let operationQueue = NamedArrangement(
    "operation-queue", "an operation queue; with a width above 1, locks guard the services",
    options: [.operationWidth, .operations, .lockKind] + StrategyOption.background
  ) { scenario, options throws(StrategyError) in
    let queue = Lane(
      name: "operations", carrier: .operationQueue, width: options.count(.operationWidth),
      options: options)
    let isWide = queue.width > 1
    let idle = isWide ? StrategyOption.publish : .lockKind
    guard !options.chosen.contains(idle) else {
      throw StrategyError(
        "'\(idle.name)' has no effect here: it is for a width \(isWide ? "of 1" : "above 1")",
        option: idle.name)
    }
    guard isWide else { return .onOneLane(queue, scenario, options) }
    return .onPool(
      queue, scenario, lock: options.choice(.lockKind), budget: options.timeSpan(.drainBudget))
  }

  static let actors = NamedArrangement(
    "actors", "an actor per service, on the default executor", options: StrategyOption.background
  ) { scenario, options in
    .onOwnLanes(.actor, scenario, options)
  }

  static let actorsOnScheduler = NamedArrangement(
    "actors-on-scheduler", "an actor per service, each on a scheduler of its own",
    options: StrategyOption.background
  ) { scenario, options in
    .onOwnLanes(.actorOnScheduler, scenario, options)
  }

  static let eventLoop = NamedArrangement(
    "event-loop", "all services on one event loop of SwiftNIO", options: StrategyOption.background
  ) { scenario, options in
    .onOneLane(Lane(name: "background", carrier: .nio), scenario, options)
  }
}

// All services on one lane, as in the schedulable pattern, but behind a boundary that closures cannot cross.

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

extension NamedArrangement {
  /// Reactive streams: several threads, on which the items of each workload run one at a time.
  static let observeOn = NamedArrangement(
    "observe-on",
    "several threads, each workload's items in order and one at a time, services under locks",
    options: [.width, .drain, .lock, .resultsBudget]
  ) { scenario, options in
    .onPool(
      Lane(
        name: "workers", carrier: .ordered, width: options.count(.width), options: options),
      scenario, lock: .barging, budget: options.timeSpan(.resultsBudget))
  }
}

extension NamedArrangement {
  /// Work that survives the end of the process: every event is a job that is stored before it runs.
  static let jobQueue = NamedArrangement(
    "job-queue", "all services on one job queue, which stores its jobs; UI reads snapshots",
    options: [.persister, .restore, .kept] + StrategyOption.background
  ) { scenario, options in
    .onOneLane(Lane(name: "jobs", carrier: .jobQueue, options: options), scenario, options)
  }
}
