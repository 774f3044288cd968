internal import FrameBudget

/// The differences between an arrangement and the current one.
public struct Change: Hashable, Sendable {
  /// The services with a new home, by their names in the file; all copies of one count once.
  public internal(set) var moved: [String] = []
  /// The number of new lanes.
  public internal(set) var lanes = 0
  /// The number of new locks; those of all copies of a service count once.
  public internal(set) var locks = 0
  /// The number of rules that differ from the current ones and from those that the new homes require.
  public internal(set) var policies = 0
  /// The number of periods by which every frame is shown later.
  public internal(set) var periodsLater = 0
  /// The number of calls between two services that shared a thread and no longer do.
  public internal(set) var splits = 0

  /// Its total weight.
  public func weight(_ weights: ChangeWeights) -> Int {
    moved.count * weights.moved + lanes * weights.lane + locks * weights.lock
      + policies * weights.policy + splits * weights.split
  }
}

extension SearchSpace {
  /// The differences between `arrangement` and the current one.
  func change(to arrangement: Arrangement) -> Change {
    var change = Change()
    if arrangement == today { return change }
    let (before, after) = (PlacementKeys(today), PlacementKeys(arrangement))
    let moved = units.filter { unit in
      unit.services.contains { before.place(of: $0) != after.place(of: $0) }
    }
    change.moved = moved.map(\.name)
    let old = Set(today.lanes.map(\.withoutRules))
    change.lanes = arrangement.lanes.count { !old.contains($0.withoutRules) }
    change.locks = moved.count { unit in
      unit.services.contains {
        arrangement.placement[$0].lock != nil && today.placement[$0].lock == nil
      }
    }
    change.policies = changedPolicies(arrangement, Set(moved.flatMap(\.services)))
    change.periodsLater = arrangement.presentsLater - today.presentsLater
    change.splits = splits(in: arrangement)
    return change
  }

  private func changedPolicies(_ arrangement: Arrangement, _ moved: Set<ServiceIndex>) -> Int {
    let fitting = arrangement.fittingReading(scenario)
    let returning = arrangement.fittingReturning(scenario)
    let mustAdmit =
      if case .fitting = today.admission { arrangement.lanes.count > 1 } else { false }
    let changes = [
      arrangement.reading != today.reading && arrangement.reading != fitting,
      arrangement.returning != today.returning && arrangement.returning != returning,
      arrangement.admission != today.admission && !mustAdmit,
      arrangement.yielding != today.yielding,
      arrangement.newest != today.newest,
      arrangement.presentsLater != today.presentsLater,
      arrangement.speedup != today.speedup,
      hasOtherLocks(arrangement), hasOtherEntries(arrangement, moved),
    ]
    return changes.count { $0 } + changedLaneRules(arrangement) + changedFrameParts(arrangement)
  }

  /// The number of parts of drawing with another rule.
  private func changedFrameParts(_ arrangement: Arrangement) -> Int {
    scenario.frameParts.indices.count {
      arrangement.rule(ofFramePart: $0) != today.rule(ofFramePart: $0)
    }
  }

  /// Whether an existing lock has another kind, or a new one is not of the default kind.
  private func hasOtherLocks(_ arrangement: Arrangement) -> Bool {
    let old = Dictionary(today.locks.map { ($0.name, $0) }) { first, _ in first }
    return arrangement.locks.contains { lock in
      lock != old[lock.name] ?? Lock(name: lock.name, kind: .standard)
    }
  }

  /// Whether items of a workload that begins behind a lock, and none of whose services moved, begin elsewhere.
  private func hasOtherEntries(_ arrangement: Arrangement, _ moved: Set<ServiceIndex>) -> Bool {
    scenario.workloads.indexed.contains { index, workload in
      let (old, new) = (today.entry[index], arrangement.entry[index])
      return today.lanes[old].withoutRules != arrangement.lanes[new].withoutRules
        && (workload.steps.first.map { arrangement.placement[$0.service].lock != nil } ?? false)
        && !workload.steps.contains { moved.contains($0.service) }
    }
  }

  /// Overtaking and nice values; each counts as one rule for all lanes.
  private func changedLaneRules(_ arrangement: Arrangement) -> Int {
    let old = Dictionary(today.lanes.map { ($0.withoutRules, $0) }) { first, _ in first }
    var (overtaking, nice) = (false, false)
    for lane in arrangement.lanes {
      let usual = old[lane.withoutRules]
      if lane.overtaking != usual?.overtaking ?? false { overtaking = true }
      if lane.nice != usual?.nice ?? 0 || lane.renices != usual?.renices ?? [] { nice = true }
    }
    return [overtaking, nice].count { $0 }
  }

  /// Pairs of services of consecutive steps that share a lane now and no longer do.
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

extension Lane {
  /// The lane without rules, which can change; whatever is not removed here identifies it across arrangements.
  fileprivate var withoutRules: Lane {
    var lane = self
    (lane.overtaking, lane.nice, lane.renices) = (false, 0, [])
    return lane
  }
}

/// The homes of services in a form that can be compared between arrangements.
private struct PlacementKeys {
  private let arrangement: Arrangement

  init(_ arrangement: Arrangement) { self.arrangement = arrangement }

  enum Place: Hashable {
    case lane(Lane)
    case lock
  }

  func place(of service: ServiceIndex) -> Place {
    switch arrangement.placement[service] {
    case .home(let lane): .lane(arrangement.lanes[lane].withoutRules)
    case .guarded: .lock
    }
  }
}
