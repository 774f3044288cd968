extension NamedArrangement {
  /// Reactive streams: several threads, and on them each workload's items one at a time.
  static let observeOn = NamedArrangement(
    "observe-on",
    "several threads, each workload's items in order and one at a time, services under locks",
    options: ["width=4", "drain=item", "lock=mutex"]
  ) { scenario, options throws(StrategyError) in
    let width = try options.count("width", default: 4)
    let delivery = Delivery(
      drain: try options.choice("drain", default: .item),
      lock: try options.choice("lock", default: .mutex))
    return Arrangement(
      lanes: [
        .main, Lane(name: "workers", carrier: .ordered, width: width, delivery: delivery),
      ],
      locks: scenario.services.map { Lock(name: $0.name, kind: .barging, hold: .step) },
      placement: scenario.services.indices.map { .guarded($0) },
      entry: scenario.workloads.map { _ in 1 }, reading: .locked)
  }
}
