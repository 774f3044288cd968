internal import FrameBudget

/// All pools of a run, their workers, and the monitor that adds workers.
struct WorkerPools {
  private(set) var pools: [WorkerPool] = []
  private(set) var workers: [PoolWorker] = []
  /// By lane: its pool, if it has one.
  let ofLane: PerLane<Int?>
  /// By lane: its first seat.
  private let firstSeats: PerLane<ThreadIndex>
  /// By thread of the arrangement: what workers have done in that seat.
  private(set) var uses: PerThread<LaneUse>
  /// By thread of the arrangement: whether a worker has the seat, if only to post the next event.
  private var isTaken: PerThread<Bool>
  private var nextCheck = Instant.zero
  /// Pools for which the monitor still has to wake a worker.
  private var wanted: [Int] = []

  /// How often Dispatch checks for pools with work and too few running threads (`_dispatch_workq_monitor_pools`); and,
  /// while one of its threads runs, the largest number of threads of a pool as a multiple of the cores.
  private static let checkPeriod = TimeSpan.seconds(1)
  private static let oversubscription = 2

  /// `firstQueue` is the machine's first unused event queue.
  init(_ plan: RunPlan, on machine: Machine, firstQueue: QueueIndex) {
    let (lanes, threads) = (plan.arrangement.lanes, plan.arrangement.threads)
    let pooled = machine.hasPools ? lanes.filter(\.isPooled) : []
    for nice in Set(pooled.map(\.nice)).sorted() {
      let queue = firstQueue.advanced(by: pools.count * 2)
      pools.append(
        WorkerPool(
          nice: nice, width: machine.cores, queue: queue, spares: queue.advanced(by: 1)))
      let served = pooled.filter { $0.nice == nice }
      let seats = served.reduce(0) { $0 + $1.width }
      let first = Self.firstWorkers(of: served, on: machine)
      for number in 0..<max(seats, first) {
        workers.append(PoolWorker(pool: pools.count - 1, isSpare: number >= first))
      }
    }
    let found = pools
    ofLane = lanes.mapValues { lane in
      machine.hasPools && lane.isPooled ? found.firstIndex { $0.nice == lane.nice } : nil
    }
    firstSeats = PerLane(
      lanes.indices.map { lane in threads.firstIndex { $0.lane == lane } ?? threads.endIndex })
    uses = threads.mapValues { _ in LaneUse() }
    isTaken = threads.mapValues { _ in false }
  }

  /// The number of workers before the monitor wakes more: the number of cores. With several cores and lanes wider than one
  /// event it is one more: Dispatch's monitor adds that worker at one of its first checks, if it looks while the workers have
  /// been woken and do not run yet. On one core they run before it. A pool that runs actors never has more threads than cores.
  private static func firstWorkers(of lanes: [Lane], on machine: Machine) -> Int {
    machine.cores + (machine.cores > 1 && lanes.contains { $0.width > 1 } ? 1 : 0)
  }

  /// The number of threads: the workers, and the monitor if it may add workers.
  var threads: Int { workers.count + (workers.contains(where: \.isSpare) ? 1 : 0) }

  /// Whether a pool serves `lane`.
  func serves(_ lane: LaneIndex) -> Bool { ofLane[lane] != nil }

  /// The seat of the pool thread at `index`; nil if it has none.
  func seat(ofThread index: Int) -> ThreadIndex? {
    index < workers.count ? workers[index].seat : nil
  }
}

// The behaviour of workers and of the monitor.
extension WorkerPools {
  mutating func append(_ lane: LaneIndex, to pool: Int) { pools[pool].append(lane) }

  mutating func account(_ index: Int, at now: Instant, ready: TimeSpan) {
    let use = workers[index].account(at: now, ready: ready)
    guard let seat = workers[index].seat else { return }
    uses[seat].busy += use.busy
    uses[seat].waiting += use.waiting
  }

  mutating func noteOperation(_ operation: Operation, by index: Int) {
    workers[index].noteOperation(operation)
  }

  mutating func leaveSeat(_ index: Int) {
    if let seat = workers[index].seat { isTaken[seat] = false }
    workers[index].seat = nil
  }

  /// Waits for an event, or takes a seat of the lane of the next event.
  mutating func seek(
    _ index: Int, _ runners: inout ThreadTable<Runner>
  ) -> Operation? {
    let pool = workers[index].pool
    switch workers[index].stage {
    case .resting:
      workers[index].stage = .idle
      return .wait(pools[pool].spares)
    case .idle:
      workers[index].stage = .takingLane
      pools[pool].look()
      return .wait(pools[pool].queue)
    case .takingLane:
      workers[index].stage = .idle
      let seat = freeSeat(of: pools[pool].take(), runners)
      workers[index].seat = seat
      isTaken[seat] = true
      runners[seat].stage = .takingItem
      return nil
    }
  }

  private func freeSeat(of lane: LaneIndex, _ runners: borrowing ThreadTable<Runner>) -> ThreadIndex
  {
    var seat = firstSeats[lane]
    while isTaken[seat] { seat = seat.advanced(by: 1) }
    precondition(runners[seat].lane == lane, "a seat for each event")
    return seat
  }

  // MARK: The monitor

  /// Wakes one more worker for each pool that has work and fewer running threads than cores.
  mutating func monitor(_ runners: borrowing ThreadTable<Runner>, at now: Instant) -> Operation {
    if now >= nextCheck {
      nextCheck = max(nextCheck, now) + Self.checkPeriod
      wanted = []
      for pool in pools.indices where needsMore(pool, runners) { wanted.append(pool) }
    }
    if let pool = wanted.popLast() { return .post(pools[pool].spares) }
    return .sleep(until: nextCheck)
  }

  private func needsMore(_ pool: Int, _ runners: borrowing ThreadTable<Runner>) -> Bool {
    guard pools[pool].hasBacklog else { return false }
    let all = workers.filter { $0.pool == pool }
    let seats = all.compactMap(\.seat)
    var running = 0
    for seat in seats where !runners[seat].isBlocked { running += 1 }
    let most = running > 0 ? Self.oversubscription * pools[pool].width : all.count
    return running < pools[pool].width && seats.count < min(most, all.count)
  }
}

/// A pool of threads that serves several lanes, like Dispatch's pool for a quality-of-service class. It has as many threads
/// as cores, and one more each time that the monitor finds some of them blocked.
///
/// Events of all its lanes wait in one FIFO. A worker takes a *seat* of a lane: it acts as one of the lane's threads, with
/// that thread's item, stage and trace.
struct WorkerPool {
  /// The queue of its workers, and that of the workers that only the monitor wakes.
  let queue: QueueIndex
  let spares: QueueIndex
  /// The nice value of its lanes.
  let nice: Int
  /// The number of workers while none blocks.
  let width: Int
  /// The lane of each waiting event, in order of arrival.
  private var line = LaneLine()
  /// Events that no worker has been woken for, and workers that wait for an event: the state of the machine's queue.
  private var unnotified = 0
  private var waiting = 0

  init(nice: Int, width: Int, queue: QueueIndex, spares: QueueIndex) {
    self.nice = nice
    self.width = width
    self.queue = queue
    self.spares = spares
  }

  /// Whether no event waits for a worker.
  var isLineEmpty: Bool { line.isEmpty }

  /// Whether there is an event that no worker has been woken for.
  var hasBacklog: Bool { unnotified > 0 }

  /// Appends an event of `lane`.
  mutating func append(_ lane: LaneIndex) {
    line.append(lane)
    if waiting > 0 { waiting -= 1 } else { unnotified += 1 }
  }

  /// Records that a worker takes an event, or sleeps if there is none.
  mutating func look() { if unnotified > 0 { unnotified -= 1 } else { waiting += 1 } }

  /// Removes and returns the lane of the first event, for the worker that was notified.
  mutating func take() -> LaneIndex {
    guard let lane = line.popFirst() else { preconditionFailure("a lane for each event") }
    return lane
  }
}

/// A ring buffer of lanes, whose size is a power of two.
private struct LaneLine {
  private var lanes = ContiguousArray(repeating: LaneIndex.main, count: 16)
  private var head = 0
  private var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ lane: LaneIndex) {
    if count == lanes.count { grow() }
    lanes[(head + count) & (lanes.count - 1)] = lane
    count += 1
  }

  mutating func popFirst() -> LaneIndex? {
    guard count > 0 else { return nil }
    defer {
      head = (head + 1) & (lanes.count - 1)
      count -= 1
    }
    return lanes[head]
  }

  private mutating func grow() {
    var larger = ContiguousArray(repeating: LaneIndex.main, count: lanes.count * 2)
    for index in 0..<count { larger[index] = lanes[(head + index) & (lanes.count - 1)] }
    lanes = larger
    head = 0
  }
}

/// A thread of a pool.
struct PoolWorker {
  let pool: Int
  /// Whether it sleeps until the monitor wakes it because other workers block; after that it is an ordinary worker.
  /// Dispatch's workers exit after five seconds without work, which is longer than the gap between most bursts.
  let isSpare: Bool
  var stage: Stage
  /// The thread of a lane that it acts as; nil if none.
  var seat: ThreadIndex?
  /// When it was last asked for an operation, the time without a core up to then, and its activity since.
  private var asked = Instant.zero
  private var ready = TimeSpan.zero
  private var activity = Activity.waits

  enum Stage { case resting, idle, takingLane }
  private enum Activity { case computes, waitsForLock, waits }

  init(pool: Int, isSpare: Bool) {
    self.pool = pool
    self.isSpare = isSpare
    stage = isSpare ? .resting : .idle
  }

  /// The processor time and lock waits since it was last asked for an operation.
  mutating func account(at now: Instant, ready: TimeSpan) -> LaneUse {
    let span = now - asked - (ready - self.ready)
    asked = now
    self.ready = ready
    return switch activity {
    case .computes: LaneUse(busy: span)
    case .waitsForLock: LaneUse(waiting: span)
    case .waits: LaneUse()
    }
  }

  mutating func noteOperation(_ operation: Operation) {
    activity =
      switch operation {
      case .compute, .post, .unlock, .renice, .callBack: .computes
      case .lock: .waitsForLock
      case .wait, .sleep, .interruptibleSleep, .end: .waits
      }
  }
}

// How lanes of a pool hand their events to its workers, and what the workers do.
extension LaneWorkers {
  /// Notifies a thread of `lane` of an event: one of its own, or a pool's worker.
  @inline(__always)
  mutating func notifyThread(of lane: LaneIndex, extra: TimeSpan) -> Operation {
    guard hasPools, let pool = pools.ofLane[lane] else { return .post(lane, extra: extra) }
    return notifyPool(pool, of: lane, extra: extra)
  }

  @inline(never)
  private mutating func notifyPool(
    _ pool: Int, of lane: LaneIndex, extra: TimeSpan
  ) -> Operation {
    let cost = lanes[lane].costs.post + extra
    return lanes[lane].reserveSeat() ? post(lane, to: pool, cost: cost) : .compute(cost)
  }

  private mutating func post(_ lane: LaneIndex, to pool: Int, cost: TimeSpan) -> Operation {
    pools.append(lane, to: pool)
    return .post(pools.pools[pool].queue, extra: cost)
  }

  // MARK: Workers

  /// The next operation of the pool thread at `index`: a worker or, after all workers, the monitor.
  mutating func nextOfPools(_ index: Int, at now: Instant, ready: TimeSpan) -> Operation {
    guard index < pools.workers.count else { return pools.monitor(runners, at: now) }
    pools.account(index, at: now, ready: ready)
    while true {
      guard let operation = continueStage(worker: index, at: now) else { continue }
      pools.noteOperation(operation, by: index)
      return operation
    }
  }

  private mutating func continueStage(worker index: Int, at now: Instant) -> Operation? {
    guard let seat = pools.workers[index].seat else { return pools.seek(index, &runners) }
    guard runners[seat].stage == .idle else { return continueStage(seat, at: now) }
    let lane = runners[seat].lane
    guard let pool = pools.ofLane[lane], lanes[lane].passSeat() else {
      pools.leaveSeat(index)
      return nil
    }
    // The waiting event takes this seat. It goes to the end of the line; if the line is empty, this worker runs it at once,
    // before any worker that would be woken for it.
    let cost = lanes[lane].costs.post
    if pools.pools[pool].isLineEmpty {
      runners[seat].stage = .takingItem
      return .compute(cost)
    }
    pools.leaveSeat(index)
    return post(lane, to: pool, cost: cost)
  }
}

// Items that are suspended at the end of a step.
extension LaneWorkers {
  /// Suspends the item of `thread`, which leaves the lane; or, if it does not await the step, a part of it.
  mutating func suspend(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    if steps[item].leavesLane {
      runners[thread].item = item.suspended
      runners[thread].stage = .releasingLocks
      return nil
    }
    parts.forks(item.workload, Int(item.number))
    _ = isFirst(at: item)
    beginRest(item.next, on: thread)
    return suspend(steps.part(of: item).suspended, at: now)
  }

  /// Suspends `item`, which no thread holds.
  private mutating func suspend(_ item: Item, at now: Instant) -> Operation? {
    let step = plan.workloads[item.workload].steps[Int(steps[item].step)]
    let span = step.suspension(item: Int(item.number), run: Int(item.run))
    suspensions.begin(item, for: span, on: step.suspension?.resource, at: now)
    return suspensions.nextEnd.map { .callBack(at: $0) }
  }

  /// Lets `thread` continue behind the run of a step at whose end `item` was suspended, which may answer.
  mutating func resume(behind item: Item, on thread: ThreadIndex, at now: Instant) {
    guard steps.isLastRun(of: item) else {
      beginRest(item.nextRun, on: thread)
      runners[thread].stage = .takingLock
      return
    }
    if steps[item].answers { answer(item, on: thread, at: now) }
    beginRest(item.next, on: thread)
  }

  /// Lets `thread` continue with `item` after a step at whose end it was suspended.
  mutating func beginRest(_ item: Item, on thread: ThreadIndex) {
    runners[thread].item = item
    runners[thread].holdsItem = true
    runners[thread].stage = steps[item].isSpecial ? .choosingStep : .takingLock
  }

  /// Posts the next item whose suspension has ended to its lane, without a thread. Returns the queue that gets the event.
  mutating func postSuspended(at now: Instant) -> QueueIndex? {
    while let ended = suspensions.popEnded(by: now) {
      noteSuspended(ended, until: now)
      let operation = post(ended.item, at: now)
      trace?.posted = nil
      if case .post(let queue, _) = operation { return queue }
    }
    return nil
  }

  mutating func noteSuspended(_ suspended: Suspensions<Item>.Suspended, until end: Instant) {
    guard trace != nil else { return }
    let step = steps.traceStep(of: suspended.item)
    trace?.append(suspended: step, from: suspended.since, to: end)
  }
}

// Items that fork steps to other lanes and continue meanwhile. `ItemParts` tracks their parts.
extension LaneWorkers {
  /// The next move of an item that has not started.
  enum NextAction {
    /// It forks its next step to another lane and continues.
    case forks
    /// Its next step is on the main thread, or on another lane.
    case isHere, isElsewhere
    /// Its remaining steps are with its forked parts.
    case isLeft
  }

  /// The next move of `item`, which the main thread starts.
  mutating func nextAction(_ item: Item) -> NextAction {
    let step = steps[item]
    if step.isDone { return ended(item) == .isDone ? .isHere : .isLeft }
    // Whether it must wait for its forks is checked when its turn comes.
    if step.lane == .main { return .isHere }
    if step.joins && parts.waits(item.workload, Int(item.number), at: Int(item.step)) {
      return .isLeft
    }
    return step.isFork ? .forks : .isElsewhere
  }

  /// Posts the next step of `item` as a separate part.
  mutating func fork(_ item: Item, at now: Instant) -> Operation {
    parts.forks(item.workload, Int(item.number))
    return post(steps.part(of: item), at: now)
  }

  /// Chooses the next stage of `thread` after a step: posts a fork, or gives up an item that may have to wait for its
  /// forks.
  mutating func chooseStep(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let step = steps[item]
    let isHere = step.lane == runners[thread].lane
    if newest.endsItems, endsEarly(thread, inEvent: false) { return nil }
    if step.joins && parts.hasOpen(item.workload, Int(item.number)) {
      runners[thread].stage = .releasingLocks
    } else if step.isFork && !isHere {
      runners[thread].item = item.next
      return fork(item, at: now)
    } else {
      runners[thread].stage = step.isPostedAnew && isHere ? .releasingLocks : .takingLock
    }
    return nil
  }

  /// Posts `item`, which leaves `thread`, to the lane of its next step, unless that step waits for forks first.
  mutating func leave(_ item: Item, _ thread: ThreadIndex, at now: Instant) -> Operation? {
    if item.isSuspended {
      // It counts as running meanwhile, because it waits for no thread.
      runners[thread].holdsItem = false
      services.carry(item, from: thread)
      return suspend(item, at: now)
    }
    releasePart(thread)
    let waits =
      steps[item].joins && parts.waits(item.workload, Int(item.number), at: Int(item.step))
    return waits ? nil : post(item, at: now)
  }

  /// Gives up the item that `thread` has run, which continues elsewhere with its changes.
  mutating func releasePart(_ thread: ThreadIndex) {
    releaseItem(thread)
    services.carry(runners[thread].item, from: thread)
  }

  // MARK: The end of a part

  /// The consequence of the last step of `item` or of its part.
  mutating func ended(_ item: Item) -> ItemParts.End {
    guard parts.covers(item.workload) else { return .isDone }
    return steps[item].isPart
      ? parts.forkEnds(item.workload, Int(item.number))
      : parts.chainEnds(item.workload, Int(item.number))
  }

  /// Ends `item`, or its part, on a lane's thread: a finished item is handed back; one that has waited for this part
  /// resumes here.
  @inline(__always)
  mutating func endPart(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    switch ended(item) {
    case .isDone: returnResult(item, from: thread, at: now)
    case .nothing: releasePart(thread)
    case .resumes(let step): runners[thread].resumed = item.at(Int32(step))
    }
  }

  /// Resumes the item that has waited for the part that `thread` has run. Returns false if there is none.
  mutating func resume(_ thread: ThreadIndex) -> Bool {
    guard let item = runners[thread].resumed.take() else { return false }
    resume(item, on: thread)
    return true
  }

  mutating func resume(_ item: Item, on thread: ThreadIndex) {
    runners[thread].item = item
    runners[thread].stage = .choosingStep
  }

  // MARK: Threads at an item

  /// Whether no other thread runs a part of the item that a thread begins.
  @inline(__always)
  mutating func isFirst(at item: Item) -> Bool {
    !parts.covers(item.workload) || parts.begins(item.workload, Int(item.number))
  }

  /// Whether no other thread still runs a part of the item that a thread gives up.
  @inline(__always)
  mutating func isLast(at item: Item) -> Bool {
    !parts.covers(item.workload) || parts.releases(item.workload, Int(item.number))
  }
}
