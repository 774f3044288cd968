// What one would weigh up beside a scheduler of one's own: queues, actors, event loops, other sides of a wire.

extension NamedArrangement {
  static let gcdSerial = NamedArrangement(
    "gcd-serial", "all services on one serial dispatch queue", options: backgroundOptions
  ) { scenario, options throws(StrategyError) in
    try .onOneLane(Lane(name: "background", carrier: .dispatch), scenario, &options)
  }

  static let gcdConcurrent = NamedArrangement(
    "gcd-concurrent", "a concurrent dispatch queue, services guarded by locks, UI reads under them",
    options: ["width=4", "lock=barging", drainOption]
  ) { scenario, options throws(StrategyError) in
    let width = try options.count("width", default: 4, upTo: 256)
    return try .onPool(
      Lane(name: "pool", carrier: .dispatch, width: width), scenario, &options)
  }

  static let operationQueue = NamedArrangement(
    "operation-queue", "an operation queue; wider than 1, services are guarded by locks",
    options: ["width=1", LaneOption.operations.assignment] + backgroundOptions
  ) { scenario, options throws(StrategyError) in
    var queue = Lane(name: "operations", carrier: .operationQueue)
    queue.width = try options.count("width", default: 1, upTo: 256)
    try options.choose(.operations, on: &queue)
    if queue.width > 1 { return try .onPool(queue, scenario, &options) }
    return try .onOneLane(queue, scenario, &options)
  }

  static let actors = NamedArrangement(
    "actors", "an actor per service, on the default executor", options: backgroundOptions
  ) { scenario, options throws(StrategyError) in
    try .onOwnLanes(.actor, scenario, &options)
  }

  static let actorsOnScheduler = NamedArrangement(
    "actors-on-scheduler", "an actor per service, each on a scheduler of its own",
    options: backgroundOptions
  ) { scenario, options throws(StrategyError) in
    try .onOwnLanes(.actorOnScheduler, scenario, &options)
  }

  static let eventLoop = NamedArrangement(
    "event-loop", "all services on one event loop of SwiftNIO", options: backgroundOptions
  ) { scenario, options throws(StrategyError) in
    try .onOneLane(Lane(name: "background", carrier: .nio), scenario, &options)
  }
}
