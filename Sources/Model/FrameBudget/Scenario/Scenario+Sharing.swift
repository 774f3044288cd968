// Services without state, and resources: keys that have no effect.
extension Scenario {
  /// Sentences about keys for parallel work and waits that have no effect in any strategy, or in one.
  public var sharingWithoutEffect: [String] {
    unusedResources + uselessParallelism + strategies.flatMap(uselessLocks)
  }

  private var unusedResources: [String] {
    let used = Set(workloads.flatMap(\.steps).compactMap { $0.suspension?.resource })
    return resources.indexed.compactMap { index, resource in
      used.contains(index)
        ? nil : "resource \(resource.name) has no effect: no step is suspended on it"
    }
  }

  private var uselessParallelism: [String] {
    services.indexed.compactMap { index, service -> String? in
      guard !service.isExclusive else { return nil }
      let isParallel = strategies.contains { threads(in: index, under: $0.arrangement) > 1 }
      return isParallel
        ? nil
        : "exclusive: false of service \(service.fileName) has no effect: in no strategy does more "
          + "than one thread run it"
    }.distinct()
  }

  /// The number of threads that run steps of `service`.
  private func threads(in service: ServiceIndex, under arrangement: Arrangement) -> Int {
    let lanes = workloads.indexed.flatMap { index, workload in
      zip(workload.steps, arrangement.lanes(of: index, in: self))
        .filter { $0.0.service == service }.map(\.1)
    }
    return Set(lanes).reduce(0) { $0 + arrangement.lanes[$1].width }
  }

  private func uselessLocks(_ strategy: Strategy) -> [String] {
    let arrangement = strategy.arrangement
    return arrangement.locks.indexed.compactMap { index, lock in
      let guarded = services.indices.filter { arrangement.placement[$0].lock == index }
      guard !guarded.isEmpty, guarded.allSatisfy({ !services[$0].isExclusive }) else { return nil }
      return "\(strategy.label): lock \(lock.name) has no effect: it guards only services with "
        + "exclusive: false"
    }
  }
}
