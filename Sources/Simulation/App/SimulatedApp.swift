internal import FrameBudget

/// The app under test as threads of a simulated machine, arranged as the plan says: the first one is the main one.
struct SimulatedApp: VirtualThreads, ~Copyable {
  var main: MainThread
  var workers: LaneWorkers
  /// The thread behind the last one of the lanes is that of the second stage, if there is one.
  private let laneThreads: ThreadIndex

  init(_ plan: RunPlan, costs: Costs, detail: FrameLedger.Detail) {
    main = MainThread(plan, detail: detail)
    workers = LaneWorkers(plan, costs: costs, detail: detail)
    laneThreads = workers.runners.endIndex
  }

  @inline(__always)
  mutating func next(_ thread: ThreadIndex, at now: Instant, ready: TimeSpan) -> Operation {
    if workers.trace != nil { return tracedNext(thread, at: now, ready: ready) }
    return untracedNext(thread, at: now, ready: ready)
  }

  @inline(__always)
  private mutating func untracedNext(
    _ thread: ThreadIndex, at now: Instant, ready: TimeSpan
  ) -> Operation {
    if thread == .main { return main.next(at: now, ready: ready, &workers) }
    return thread < laneThreads
      ? workers.next(thread, at: now) : main.nextOfSecondStage(at: now, &workers)
  }

  @inline(__always)
  mutating func takeNudge() -> Bool {
    guard workers.nudgesMain else { return false }
    workers.nudgesMain = false
    return true
  }

  // What only a trace needs is out of line, so that without one the code is as short as it was.

  @inline(never)
  private mutating func tracedNext(
    _ thread: ThreadIndex, at now: Instant, ready: TimeSpan
  ) -> Operation {
    workers.trace?.asked(thread, at: now)
    let operation = untracedNext(thread, at: now, ready: ready)
    workers.trace?.answered(operation, by: thread, at: now)
    return operation
  }

  @inline(__always)
  mutating func waitedForCore(_ thread: ThreadIndex, from: Instant, to: Instant) {
    if workers.trace != nil { noteWait(of: thread, from: from, to: to) }
  }

  @inline(never)
  private mutating func noteWait(of thread: ThreadIndex, from: Instant, to: Instant) {
    if to > from { workers.trace?.append(.preempted, by: thread, from: from, to: to) }
  }

  func deadlocks(among waits: [LockWait], of plan: RunPlan) -> [Deadlock] {
    Deadlock.found(
      among: waits, threads: Array(plan.threadNames), locks: plan.arrangement.locks)
  }

  /// Ends the run at `end`.
  consuming func finish(
    _ plan: RunPlan, at end: Instant, warmupFrames: Int, usage: MachineUsage
  ) -> RunLog {
    main.notePending(at: end, ready: usage.mainReady, &workers)
    workers.notePending()
    let totals = totals(of: plan, at: end, usage)
    workers.trace?.finish(workers.runners, workers.steps, at: end)
    let trace = workers.trace.map { TraceLog(plan, $0.threads) }
    return RunLog(
      plan, engine: .virtual, duration: end.sinceZero, warmupFrames: warmupFrames,
      frames: main.frames.ledger.finish(at: end), items: workers.items.finish(at: end),
      totals: totals, interrupted: end.sinceZero < plan.scenario.duration, trace: trace)
  }

  private func totals(of plan: RunPlan, at end: Instant, _ usage: MachineUsage) -> RunTotals {
    var totals = RunTotals()
    totals.hops = workers.items.hops
    totals.publishing = workers.services.copying
    totals.stateAges = main.reads.ages
    totals.exclusionViolations = workers.services.exclusionViolations
    totals.deadlocks = deadlocks(among: usage.lockWaits, of: plan)
    totals.mainCPU = usage.threads.first
    totals.backgroundCPU = usage.threads.dropFirst().reduce(.zero, +)
    totals.contextSwitches = usage.contextSwitches
    totals.threads = zip(workers.runners, usage.threads).map { runner, cpu in
      let lane = plan.arrangement.lanes[runner.lane]
      return ThreadLog(name: lane.name, nice: lane.nice(at: end.sinceZero), cpu: cpu)
    }
    if let cpu = usage.threads.dropFirst(workers.runners.count).first,
      let name = plan.threadNames.last
    {
      totals.threads.append(ThreadLog(name: name, nice: 0, cpu: cpu))
    }
    return totals
  }
}

/// What the threads of a machine have used up.
struct MachineUsage {
  /// Processor time, by thread.
  let threads: [TimeSpan]
  /// How long the main thread was ready and had no core.
  let mainReady: TimeSpan
  let contextSwitches: Int
  let lockWaits: [LockWait]
}
