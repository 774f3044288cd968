extension NamedArrangement {
  /// The thread-safe idea: a thread per workload calls services that locks guard, and so does the UI.
  static let threadsAndLocks = NamedArrangement(
    "threads-and-locks", "a thread per workload, services guarded by locks, UI reads under them",
    options: ["locking=fine", "lock=barging", drainOption]
  ) { scenario, options throws(StrategyError) in
    let locking = try options.choice("locking", default: Locking.fine)
    let kind = try options.choice("lock", default: Lock.Kind.barging)
    let threads = scenario.workloads.map { Lane(name: $0.name, carrier: .thread) }
    return Arrangement(
      lanes: [.main] + threads,
      locks: locking == .fine
        ? scenario.services.map { Lock(name: $0.name, kind: kind, hold: .step) }
        : [Lock(name: "everything", kind: kind, hold: .item)],
      placement: scenario.services.indices.map { .guarded(locking == .fine ? $0 : 0) },
      entry: scenario.workloads.indices.map { $0 + 1 }, reading: .locked,
      returning: try options.returning())
  }

  private enum Locking: String, CaseIterable {
    /// A lock for each service, held for a step.
    case fine
    /// One lock for all, held for a whole item.
    case coarse
  }
}
