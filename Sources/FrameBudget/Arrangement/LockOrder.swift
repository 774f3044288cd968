/// Two workloads whose items can wait for each other's locks for ever.
public struct LockOrderConflict: Hashable, Sendable {
  /// One takes the second lock while it holds the first, the other one the other way round.
  public let workloads: [WorkloadIndex]
  /// Each is taken while the one before it is held, and the first while the last one is.
  public let locks: [LockIndex]
}

extension Arrangement {
  /// Whether a thread can hold one lock while it waits for another.
  public var nestsLocks: Bool { locks.contains { $0.hold == .nested } }

  /// The pairs of workloads that take two locks in opposite orders, on different threads; known before any run.
  ///
  /// Only pairs: a circle of three locks through three workloads is found by a run, not here.
  public func lockOrderConflicts(in scenario: Scenario) -> [LockOrderConflict] {
    // Hardly any arrangement nests locks, and those that do not are done with here.
    guard nestsLocks else { return [] }
    let all = scenario.workloads.indices.flatMap { takings(by: $0, in: scenario) }
    // Every pair is looked at: a file may have so many steps that this would take minutes.
    let looked = all.prefix(1000)
    var found: [LockOrderConflict] = []
    for (place, one) in looked.enumerated() {
      for other in looked.dropFirst(place + 1) where one.conflicts(with: other, lanes) {
        let conflict = LockOrderConflict(
          workloads: [one.workload, other.workload], locks: [other.wanted, one.wanted])
        if !found.contains(conflict) { found.append(conflict) }
      }
    }
    return found
  }

  /// Where an item takes a lock while it holds others.
  private func takings(by workload: WorkloadIndex, in scenario: Scenario) -> [Taking] {
    var takings: [Taking] = []
    var held: Set<LockIndex> = []
    var current: LaneIndex?
    for (step, lane) in zip(scenario.workloads[workload].steps, lanes(of: workload, in: scenario)) {
      // What is left to another lane takes the item nowhere, and no lock.
      if canFork(step) { continue }
      if lane != current || lanes[lane].splitsSteps { held = [] }
      current = lane
      guard case .guarded(let lock) = placement[step.service] else { continue }
      if !held.isEmpty && !held.contains(lock) {
        takings.append(Taking(workload: workload, lane: lane, held: held, wanted: lock))
      }
      if locks[lock].hold == .nested { held.insert(lock) }
    }
    return takings
  }

  private struct Taking {
    let workload: WorkloadIndex
    let lane: LaneIndex
    let held: Set<LockIndex>
    let wanted: LockIndex

    /// Whether two threads can be at both at once. A lock that both hold already keeps one of them out.
    func conflicts(with other: Taking, _ lanes: PerLane<Lane>) -> Bool {
      (lane != other.lane || lanes[lane].width > 1) && held.contains(other.wanted)
        && other.held.contains(wanted) && held.isDisjoint(with: other.held)
    }
  }
}
