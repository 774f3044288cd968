internal import FrameBudget

// The end of a run: who still holds what.
extension SimulatedApp {
  /// Ends the run at `end`.
  consuming func finish(
    _ plan: RunPlan, at end: Instant, warmupFrames: Int, usage: MachineUsage
  ) -> RunLog {
    closeAccounts(at: end, ready: usage.mainReady)
    notePending(at: end)
    if frames.isHanging(at: end) { noteStateAges(at: end) }
    totals.mainCPU = usage.threads.first
    totals.backgroundCPU = usage.threads.dropFirst().reduce(.zero, +)
    totals.contextSwitches = usage.contextSwitches
    totals.threads = runners.indices.map { thread in
      let lane = plan.arrangement.lanes[runners[thread].lane]
      return ThreadLog(
        name: lane.name, nice: lane.nice(at: end.sinceZero), cpu: usage.threads[thread])
    }
    totals.deadlocks = deadlocks(among: usage.lockWaits)
    let trace = endedTrace(at: end)
    return RunLog(
      plan, engine: .virtual, duration: end.sinceZero, warmupFrames: warmupFrames,
      frames: frames.finish(at: end), items: items.finish(), totals: totals,
      interrupted: end.sinceZero < plan.scenario.duration, trace: trace)
  }

  func deadlocks(among waits: [LockWait]) -> [Deadlock] {
    Deadlock.found(
      among: waits, threads: plan.arrangement.threads.map(\.name), locks: plan.arrangement.locks)
  }

  /// How old the state is that has been on the screen since the hang began: no read of it will tell.
  private mutating func noteStateAges(at end: Instant) {
    for (read, place) in zip(frame.reads, frame.readInPlace) {
      let newest = items.newestDone(in: read.service, of: plan, by: end)
      let missed = newest.flatMap { $0 > place ? end - $0 : nil } ?? .zero
      totals.stateAges.append(read.isSnapshot ? services[read.service].age(at: end) : missed)
    }
  }

  private mutating func endedTrace(at end: Instant) -> TraceLog? {
    trace?.finish(runners, at: end)
    return trace.map { TraceLog(plan, Array($0.threads)) }
  }

  /// Everybody hands back the items they hold, and what has arrived is counted although nobody delivered it.
  private mutating func notePending(at end: Instant) {
    for thread in runners.indices where runners[thread].holdsItem {
      items.pending(runners[thread].item.index, Int(runners[thread].item.number))
    }
    while let item = inbox.popFirst() ?? heldBack.popFirst() {
      items.pending(item.index, Int(item.number))
    }
    for lane in lanes.indices {
      while let item = lanes[lane].popLeft() {
        items.pending(item.index, Int(item.number))
      }
    }
    while let arrival = arrivals.next(atOrBefore: Instant(nanoseconds: end.nanoseconds - 1)) {
      items.arrived(arrival)
      items.pending(arrival.workload, arrival.number)
    }
  }
}

/// What the threads of a machine have used up.
struct MachineUsage {
  /// Processor time, by thread.
  let threads: [TimeSpan]
  /// How long thread 0 was ready and had no core.
  let mainReady: TimeSpan
  let contextSwitches: Int
  let lockWaits: [LockWait]
}

extension Item {
  init(_ arrival: ArrivalSchedule.Item) {
    self.init(workload: Int32(arrival.workload), step: 0, number: Int32(arrival.number))
  }
}
