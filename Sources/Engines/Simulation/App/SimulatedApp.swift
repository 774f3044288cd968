internal import FrameBudget

/// The app under test as threads of a simulated machine, arranged as the plan says. The first one is the main thread.
struct SimulatedApp: VirtualThreads, ~Copyable {
  var main: MainThread
  var workers: LaneWorkers
  /// The number of operations that were completed without the machine.
  private(set) var completed = 0
  /// The first threads after those of the lanes: the second stage, if there is one; then the pools' workers and monitor;
  /// then other processes.
  private let (laneThreads, poolThreads, othersThreads): (ThreadIndex, ThreadIndex, ThreadIndex)

  init(_ plan: RunPlan, on machine: Machine, costs: Costs, detail: FrameLedger.Detail) {
    let behind = plan.scenario.display.pipeline.hasStageThread ? 1 : 0
    let pools = WorkerPools(
      plan, on: machine, firstQueue: plan.arrangement.lanes.endIndex.advanced(by: behind))
    main = MainThread(plan, detail: detail)
    workers = LaneWorkers(plan, pools: pools, costs: costs, detail: detail)
    laneThreads = workers.runners.endIndex
    poolThreads = laneThreads.advanced(by: behind)
    othersThreads = poolThreads.advanced(by: pools.threads)
  }

  @inline(__always)
  mutating func next(
    _ thread: ThreadIndex, at now: Instant, ready: TimeSpan, _ locks: inout LockTable
  ) -> Operation {
    if workers.trace != nil { return tracedNext(thread, at: now, ready: ready) }
    if let runner = runner(of: thread),
      let next = workers.followStep(runner, by: thread, at: now, &locks)
    {
      if thread >= poolThreads {
        workers.pools.account(poolIndex(of: thread), at: now, ready: ready)
      }
      completed += next.completed
      return .compute(next.cost)
    }
    while true {
      let operation = next(thread, at: now, ready: ready)
      guard locks.complete(operation, by: thread) else { return operation }
      completed += 1
    }
  }

  /// The thread of a lane that `thread` acts as, if it may go from one step to the next without a decision in between.
  @inline(__always)
  private func runner(of thread: ThreadIndex) -> ThreadIndex? {
    if thread == .main { return main.runsFreely ? thread : nil }
    if thread < laneThreads { return thread }
    return thread >= poolThreads ? named(thread) : nil
  }

  @inline(__always)
  mutating func next(_ thread: ThreadIndex, at now: Instant, ready: TimeSpan) -> Operation {
    if thread == .main { return main.next(at: now, ready: ready, &workers) }
    return thread < laneThreads
      ? workers.next(thread, at: now) : nextOfThreadWithoutLane(thread, at: now, ready: ready)
  }

  /// The next operation of a thread that belongs to no lane.
  @inline(never)
  private mutating func nextOfThreadWithoutLane(
    _ thread: ThreadIndex, at now: Instant, ready: TimeSpan
  ) -> Operation {
    if thread < poolThreads { return main.nextOfSecondStage(at: now, &workers) }
    if thread >= othersThreads { return .compute(Self.forEver) }
    return workers.nextOfPools(poolIndex(of: thread), at: now, ready: ready)
  }

  private func poolIndex(of thread: ThreadIndex) -> Int {
    thread.position - poolThreads.position
  }

  /// Longer than any run, but short enough to be counted in thousandths of a nanosecond.
  private static let forEver = TimeSpan.seconds(1_000_000)

  /// The plan's thread that `thread` acts as now; nil if none.
  private func named(_ thread: ThreadIndex) -> ThreadIndex? {
    if thread < poolThreads { return thread }
    return thread < othersThreads ? workers.pools.seat(ofThread: poolIndex(of: thread)) : nil
  }

  @inline(__always)
  mutating func nextIdle(
    _ thread: ThreadIndex, at now: Instant, before end: Instant, _ locks: borrowing LockTable
  ) -> (end: Instant, next: Instant)? {
    guard thread == .main, let ran = main.runIdleFrame(at: now, before: end, &workers, locks) else {
      return nil
    }
    // Its sleep and its drawing.
    completed += 2 + main.reads.operations
    return ran
  }

  @inline(__always)
  mutating func takeWakeRequest() -> Bool {
    guard workers.wakesMain else { return false }
    workers.wakesMain = false
    // While the main thread waits for parts of drawing, it looks for nothing else.
    return !workers.prepared.isAwaited
  }

  mutating func callBack(at now: Instant) -> QueueIndex? {
    main.takeDrawn(by: now, &workers)
    return workers.postSuspended(at: now)
  }

  var nextCallBack: Instant? {
    guard let ready = main.graphics?.nextReady else { return workers.suspensions.nextEnd }
    return workers.suspensions.nextEnd.map { min($0, ready) } ?? ready
  }

  // Code that only a trace needs is out of line, so that the common path stays short.

  @inline(never)
  private mutating func tracedNext(
    _ thread: ThreadIndex, at now: Instant, ready: TimeSpan
  ) -> Operation {
    if let thread = named(thread) { workers.trace?.asked(thread, at: now) }
    let operation = next(thread, at: now, ready: ready)
    if let thread = named(thread) { workers.trace?.answered(operation, by: thread, at: now) }
    return operation
  }

  @inline(__always)
  mutating func waitedForCore(
    _ thread: ThreadIndex, from: Instant, to: Instant, others: TimeSpan
  ) {
    if thread == .main { main.frames.lostToOthers += others }
    if workers.trace != nil { noteWait(of: thread, from: from, to: to) }
  }

  @inline(never)
  private mutating func noteWait(of thread: ThreadIndex, from: Instant, to: Instant) {
    guard to > from, let thread = named(thread) else { return }
    workers.trace?.append(.preempted, by: thread, from: from, to: to)
  }

  func deadlocks(among waits: [LockWait], of plan: RunPlan) -> [Deadlock] {
    let waits = waits.compactMap { wait in
      named(ThreadIndex(wait.thread)).map {
        LockWait(thread: $0.position, lock: wait.lock, held: wait.held, since: wait.since)
      }
    }
    return Deadlock.found(
      among: waits, threads: Array(plan.threadNames), locks: plan.arrangement.locks)
  }

  /// Ends the run at `end`.
  consuming func finish(
    _ plan: RunPlan, at end: Instant, warmupFrames: Int, usage: MachineUsage
  ) -> RunLog {
    main.notePending(at: end, ready: usage.mainReady, &workers)
    workers.notePending(at: end)
    let totals = totals(of: plan, at: end, usage)
    workers.trace?.finish(workers.runners, workers.steps, at: end)
    let trace = workers.trace.map { TraceLog(plan, $0.threads, suspended: $0.suspended) }
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
    totals.partLateness = main.parts?.lateness(at: end)
    totals.exclusionViolations = workers.services.exclusionViolations
    totals.deadlocks = deadlocks(among: usage.lockWaits, of: plan)
    totals.mainCPU = usage.threads.first
    totals.backgroundCPU = usage.threads.dropFirst().reduce(.zero, +)
    totals.contextSwitches = usage.contextSwitches
    totals.threads = zip(workers.runners.indices, usage.threads).map { runner, cpu in
      let lane = plan.arrangement.lanes[workers.runners[runner].lane]
      return ThreadLog(
        name: lane.name, nice: lane.nice(at: end.sinceZero),
        cpu: cpu + workers.pools.uses[runner].busy)
    }
    if main.compositor != nil, let name = plan.threadNames.last,
      let cpu = usage.threads.dropFirst(workers.runners.count).first
    {
      totals.threads.append(ThreadLog(name: name, nice: 0, cpu: cpu))
    }
    return totals
  }
}

/// The resources that the threads of a machine have used.
struct MachineUsage {
  /// Processor time by thread, without other processes.
  let threads: [TimeSpan]
  /// The time for which the main thread was ready and had no core.
  let mainReady: TimeSpan
  let contextSwitches: Int
  let lockWaits: [LockWait]
}

/// Records the activities of the virtual threads, from their operations and the stages of their steps.
struct AppTrace {
  private(set) var threads: PerThread<ThreadTrace>
  private(set) var suspended: ThreadTrace
  /// The open activity of each thread, which ends at the next request for an operation.
  private var open: PerThread<(activity: TraceActivity, since: Instant)?>
  /// The thread that holds each lock, and since when.
  private var holders: PerLock<(thread: ThreadIndex, since: Instant)?>
  /// The next step of the item that the next operation posts; nil if it posts none.
  var posted: TraceStep?

  init(_ plan: RunPlan) {
    let names = plan.threadNames
    // Other processes may preempt a thread any number of times, which no plan tells beforehand.
    let most = TraceLog.maxSpans / names.count
    threads = names.mapValues { _ in ThreadTrace(growingTo: most) }
    suspended = ThreadTrace(growingTo: plan.suspends ? most : 0)
    open = names.mapValues { _ in nil }
    holders = plan.arrangement.locks.mapValues { _ in nil }
  }

  /// Records that `thread` is asked for its next operation, so the previous one is over.
  mutating func asked(_ thread: ThreadIndex, at now: Instant) {
    guard let (activity, since) = open[thread].take() else { return }
    if case .lockWait(let lock) = activity {
      holders[lock] = (thread, now)
      guard now > since else { return }
    }
    threads[thread].append(activity, from: since, to: now)
  }

  /// Records the operation that `thread` starts.
  mutating func answered(_ operation: Operation, by thread: ThreadIndex, at now: Instant) {
    switch operation {
    case .lock(let lock): open[thread] = (.lockWait(lock), now)
    case .unlock(let lock): released(lock, at: now)
    case .post, .compute:
      if let step = posted.take() { open[thread] = (.post(step), now) }
    case .wait, .sleep, .interruptibleSleep, .renice, .callBack, .end: return
    }
  }

  /// Records that the main thread begins to wait for a part of drawing.
  mutating func waits(for part: Int, at now: Instant) { open[.main] = (.partWait(part), now) }

  /// Records that `thread` has prepared a part of drawing.
  mutating func prepared(
    _ part: Int, by thread: ThreadIndex, from begin: Instant, to end: Instant
  ) {
    append(.earlyPart(part), by: thread, from: begin, to: end)
    append(.phase(.render), by: thread, from: begin, to: end)
  }

  private mutating func released(_ lock: LockIndex, at now: Instant) {
    guard let (thread, since) = holders[lock].take() else { return }
    threads[thread].append(.lockHold(lock), from: since, to: now)
  }

  mutating func append(
    _ activity: TraceActivity, by thread: ThreadIndex, from begin: Instant, to end: Instant
  ) {
    threads[thread].append(activity, from: begin, to: end)
  }

  mutating func append(suspended step: TraceStep, from begin: Instant, to end: Instant) {
    suspended.append(.suspended(step), from: begin, to: end)
  }

  /// Ends all open activities at the end of the run. `runners` are the states of the threads.
  mutating func finish(
    _ runners: borrowing ThreadTable<Runner>, _ steps: StepTable, at end: Instant
  ) {
    for lock in holders.indices { released(lock, at: end) }
    for thread in runners.indices {
      let runner = runners[thread]
      if runner.isInStep {
        append(.step(steps.traceStep(of: runner.item)), by: thread, from: runner.stepBegan, to: end)
      }
      if runner.stage == .prepared, let part = steps.partOfDrawing(runner.item) {
        prepared(part, by: thread, from: runner.stepBegan, to: end)
      }
      asked(thread, at: end)
    }
  }
}

extension Runner {
  /// Whether it is between the start and the end of a step.
  fileprivate var isInStep: Bool {
    switch stage {
    case .waiting, .copyingState, .leavingService: true
    default: false
    }
  }
}
