extension StrategyOption {
  fileprivate static let locking = StrategyOption(
    "locking", default: Locking.fine,
    "a lock for each service, held for a step, or one for all, held for a whole item")
}

extension NamedArrangement {
  /// Thread-safe services: a thread per workload, and the UI, call services that locks guard.
  static let threadsAndLocks = NamedArrangement(
    "threads-and-locks", "a thread per workload, services guarded by locks, UI reads under them",
    options: [.locking, .lockKind, .drainBudget]
  ) { scenario, options in
    let locking: Locking = options.choice(.locking)
    let kind: Lock.Kind = options.choice(.lockKind)
    let lanes = [.main] + scenario.workloads.map { Lane(name: $0.name, carrier: .thread) }
    return Arrangement(
      lanes: lanes,
      locks: locking == .fine
        ? scenario.services.map { Lock(name: $0.name, kind: kind, hold: .step) }
        : [Lock(name: "everything", kind: kind, hold: .item)],
      placement: scenario.services.indices.map {
        .guarded(locking == .fine ? LockIndex($0.position) : 0)
      },
      entry: lanes.indices.dropFirst().map { LaneIndex($0) }, reading: .locked,
      returning: .drained(budget: options.timeSpan(.drainBudget)))
  }
}

private enum Locking: String, CaseIterable {
  /// A lock for each service, held for a step.
  case fine
  /// One lock for all services, held for a whole item.
  case coarse
}
