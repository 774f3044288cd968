internal import FrameBudget

/// What is different in another arrangement: how much there is to do.
public struct Change: Hashable, Sendable {
  /// The services that live elsewhere, by their names in the file; all copies of one are one.
  public internal(set) var moved: [String] = []
  /// Lanes that there were not.
  public internal(set) var lanes = 0
  /// Locks that there were not: of all copies of a service, one.
  public internal(set) var locks = 0
  /// Rules that are others than today's, and than what the new places ask for.
  public internal(set) var policies = 0
  /// Places where a service called another on its own thread and now calls another thread.
  public internal(set) var splits = 0

  /// What it counts.
  public func weight(_ weights: ChangeWeights) -> Int {
    moved.count * weights.moved + lanes * weights.lane + locks * weights.lock
      + policies * weights.policy + splits * weights.split
  }
}

extension Ground {
  /// What `arrangement` changes about today's.
  func change(to arrangement: Arrangement) -> Change {
    var change = Change()
    if arrangement == today { return change }
    let (before, after) = (Places(today), Places(arrangement))
    let moved = units.filter { unit in
      unit.services.contains { before.place(of: $0) != after.place(of: $0) }
    }
    change.moved = moved.map(\.name)
    let old = Set(today.lanes.map(LaneKey.init))
    change.lanes = arrangement.lanes.count { !old.contains(LaneKey($0)) }
    change.locks = moved.count { unit in
      unit.services.contains {
        arrangement.placement[$0].lock != nil && today.placement[$0].lock == nil
      }
    }
    change.policies = changedPolicies(arrangement)
    change.splits = splits(in: arrangement)
    return change
  }

  private func changedPolicies(_ arrangement: Arrangement) -> Int {
    let fitting = arrangement.fittingReading(scenario)
    let returning = arrangement.fittingReturning(scenario)
    let mustAdmit =
      if case .fitting = today.admission { arrangement.lanes.count > 1 } else { false }
    let changes = [
      arrangement.reading != today.reading && arrangement.reading != fitting,
      arrangement.returning != today.returning && arrangement.returning != returning,
      arrangement.admission != today.admission && !mustAdmit,
      arrangement.yielding != today.yielding,
      arrangement.speedup != today.speedup,
      hasOtherLocks(arrangement),
    ]
    return changes.count { $0 } + changedLaneRules(arrangement)
  }

  /// Whether locks that there were are of another kind, or new ones of another than the usual.
  private func hasOtherLocks(_ arrangement: Arrangement) -> Bool {
    let old = Dictionary(today.locks.map { ($0.name, $0) }) { first, _ in first }
    return arrangement.locks.contains { lock in
      let usual = old[lock.name] ?? Lock(name: lock.name, kind: .standard)
      return lock.kind != usual.kind || lock.hold != usual.hold
    }
  }

  /// Overtaking and nice values, each one rule for all lanes.
  private func changedLaneRules(_ arrangement: Arrangement) -> Int {
    let old = Dictionary(today.lanes.map { (LaneKey($0), $0) }) { first, _ in first }
    var (overtaking, nice) = (false, false)
    for lane in arrangement.lanes.dropFirst() {
      let usual = old[LaneKey(lane)]
      if lane.overtaking != usual?.overtaking ?? false { overtaking = true }
      if lane.nice != usual?.nice ?? 0 || lane.renices != usual?.renices ?? [] { nice = true }
    }
    return [overtaking, nice].count { $0 }
  }

  /// Pairs of services that follow one another in items: on one lane today, and no longer.
  private func splits(in arrangement: Arrangement) -> Int {
    var found: Set<[ServiceIndex]> = []
    for workload in scenario.distinctWorkloads {
      let steps = scenario.workloads[workload].steps
      let before = today.lanes(of: workload, in: scenario)
      let after = arrangement.lanes(of: workload, in: scenario)
      for next in steps.indices.dropFirst()
      where before[next - 1] == before[next] && after[next - 1] != after[next] {
        found.insert([steps[next - 1].service, steps[next].service])
      }
    }
    return found.count
  }
}

/// What makes a lane the same one in another arrangement: all but rules that can change while it stays what it is.
private struct LaneKey: Hashable {
  let name: String
  let carrier: CarrierKind
  let width: Int

  init(_ lane: Lane) {
    name = lane.name
    carrier = lane.carrier
    width = lane.width
  }
}

/// Where services live, by what can be compared between arrangements.
private struct Places {
  private let arrangement: Arrangement

  init(_ arrangement: Arrangement) { self.arrangement = arrangement }

  enum Place: Hashable {
    case lane(LaneKey)
    case lock
  }

  func place(of service: ServiceIndex) -> Place {
    switch arrangement.placement[service] {
    case .home(let lane): .lane(LaneKey(arrangement.lanes[lane]))
    case .guarded: .lock
    }
  }
}
