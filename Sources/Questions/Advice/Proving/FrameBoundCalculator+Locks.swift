internal import FrameBudget

/// The other threads that take a lock.
struct LockUse {
  /// By lane: the longest time that one of its threads holds the lock.
  var holds: [LaneIndex: TimeSpan] = [:]
  var isTakenOnMain = false

  /// Whether the main thread may have to wait for it.
  var isContended: Bool { isTakenOnMain && !holds.isEmpty }
}

// How long the main thread waits for locks that other threads also take.
extension FrameBoundCalculator {
  /// The other threads that take each lock.
  func computeLockUses() -> PerLock<LockUse> {
    var uses = PerLock<LockUse>(repeating: LockUse(), count: arrangement.locks.count)
    for lock in uses.indices { uses[lock].isTakenOnMain = readAcquisitions(of: lock) > 0 }
    for workload in plans.indices {
      var held: (lock: LockIndex, lane: LaneIndex, span: TimeSpan)?
      for (step, time) in zip(plans[workload].steps, item(workload).steps) {
        guard let lock = step.lock else {
          held = nil
          continue
        }
        if step.lane == .main { uses[lock].isTakenOnMain = true }
        let taken = time.logic.and(time.wait)
        var span = taken
        if let held, step.hold != .step, held.lock == lock, held.lane == step.lane {
          span = held.span.and(taken)
        }
        held = (lock, step.lane, span)
        if step.lane != .main {
          uses[lock].holds[step.lane] = max(uses[lock].holds[step.lane] ?? .zero, span)
        }
      }
    }
    return uses
  }

  /// Records locks with unbounded waits.
  mutating func addLockGaps() {
    for lock in arrangement.locks.indices where lockUses[lock].isContended {
      let name = arrangement.locks[lock].name
      if arrangement.locks[lock].kind == .barging {
        addGap(
          "lock '\(name)' goes to the next thread that asks, so the main thread's wait has no bound",
          "choose a fair or an inheriting lock")
      }
      if arrangement.locks[lock].hold == .nested {
        addGap(
          "lock '\(name)' is held while its owner waits for other locks",
          "hold it for a step or from step to step")
      }
      if Set(machine.speeds).count > 1 {
        addGap(
          "threads that hold lock '\(name)' run on cores of different speeds",
          "give all cores one speed")
      }
    }
  }

  /// Whether another thread may hold a lock for an item of `workload` that the main thread waits for.
  func delaysMain(_ workload: WorkloadIndex) -> Bool {
    plans[workload].steps.contains { step in
      step.lane != .main && step.lock.map { lockUses[$0].isContended } ?? false
    }
  }

  /// How often the reads of a frame take `lock`.
  func readAcquisitions(of lock: LockIndex) -> Int {
    guard arrangement.reading.publishRule == nil else { return 0 }
    return scenario.reads.count { arrangement.placement[$0.service].lock == lock }
  }

  /// Adds the waits for locks in the reads and in `counts` other places. Locks are passed on in the order of waiting, so each
  /// other thread is before the main thread at most once.
  mutating func addBlocking(_ counts: PerLock<Int>) {
    for lock in counts.indices where lockUses[lock].isContended {
      add(
        .blocking, arrangement.locks[lock].name, counts[lock] + readAcquisitions(of: lock),
        blocking(lock))
    }
  }

  /// The wait of an item in `segment`.
  func blocking(in segment: Segment) -> TimeSpan {
    plans[segment.workload].steps[segment.steps].compactMap { step in
      step.lock.flatMap { lockUses[$0].isContended ? blocking($0) : nil }
    }.total
  }

  /// The time until every other thread that takes `lock` has had it and released it, including all handovers.
  private func blocking(_ lock: LockIndex) -> TimeSpan {
    let latency = costs.lock.latency
    let others = lockUses[lock].holds.map { lane, hold in
      hold.and(latency).times(arrangement.lanes[lane].width)
    }
    return others.total.and(latency).and(slow(costs.lock.wake))
  }
}
