extension NamedArrangement {
  /// Reactive streams: several threads, and on them each workload's items one at a time.
  static let observeOn = NamedArrangement(
    "observe-on",
    "several threads, each workload's items in order and one at a time, services under locks",
    options: [
      "width=4", LaneOption.drain.assignment, LaneOption.lock.assignment, "results=2 ms",
    ]
  ) { scenario, options throws(StrategyError) in
    var workers = Lane(name: "workers", carrier: .ordered)
    workers.width = try options.count("width", default: 4, upTo: 256)
    try options.choose(.drain, on: &workers)
    try options.choose(.lock, on: &workers)
    // `drain` is what a thread takes of a workload's queue here, so the drain of results has another name.
    return Arrangement(
      lanes: [.main, workers],
      locks: scenario.services.map { Lock(name: $0.name, kind: .barging) },
      placement: scenario.services.indices.map { .guarded($0) },
      entry: scenario.workloads.map { _ in 1 }, reading: .locked,
      returning: try options.returning("results"))
  }
}
