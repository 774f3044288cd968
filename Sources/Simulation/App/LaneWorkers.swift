internal import FrameBudget

/// The threads of all lanes, main's included, and how items go from step to step and from lane to lane.
///
/// Both of the pattern's rules are in the extension below: an item whose next step lives on the lane it is on goes on
/// directly; otherwise it is posted to that step's lane. What a lane's thread does besides is here, what the main
/// thread does is in `MainThread`.
struct LaneWorkers: ~Copyable {
  let plan: RunPlan
  let steps: StepTable
  /// What taking a lock costs.
  let lockCost: TimeSpan
  var lanes: PerLane<LaneState>
  var runners: PerThread<Runner>
  var services: ServiceStates
  var items: ItemProgress
  var parts: ItemParts
  /// The threads of lanes that share those of a pool; whether there are any.
  var pools: WorkerPools
  let hasPools: Bool
  /// Finished items that lanes have handed back to the main thread.
  var results = ItemQueue()
  /// Items that lanes have posted to the main thread.
  var inbox = ItemQueue()
  /// In a loop of events, what came for the main thread and nobody has taken up, in the order in which it came.
  var incoming = TimedItems()
  /// When somebody wanted a frame that the main thread has not heard of; where they are drawn on demand.
  var requests: [Instant] = []
  /// Whether the main thread is to look what there is.
  var wakesMain = false
  /// Whether the main thread takes up one event after the other, and whether it draws on demand.
  let (isLoopOfEvents, drawsOnDemand): (Bool, Bool)
  /// What each thread does, if that is kept; without it tracing costs a branch here and there.
  var trace: AppTrace?

  init(_ plan: RunPlan, pools: WorkerPools, costs: Costs, detail: FrameLedger.Detail) {
    self.plan = plan
    self.pools = pools
    hasPools = !pools.pools.isEmpty
    steps = StepTable(plan)
    lockCost = costs.lock.post
    let indices = plan.arrangement.lanes.indices
    lanes = PerLane(indices.map { LaneState($0, of: plan, costs: costs) })
    runners = Self.runners(of: plan)
    isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    drawsOnDemand = plan.scenario.display.frames.isOnDemand
    services = ServiceStates(plan, costs: costs, threads: runners.count)
    items = ItemProgress(plan, isWatched: detail != .summary)
    parts = ItemParts(plan)
    trace = detail == .trace ? AppTrace(plan) : nil
  }

  private static func runners(of plan: RunPlan) -> PerThread<Runner> {
    PerThread(
      plan.arrangement.lanes.indexed.flatMap { index, lane in
        var runners = Array(repeating: Runner(lane: index), count: index == .main ? 1 : lane.width)
        if lane.restoresInBackground && lane.keptJobs > 0 { runners[0].stage = .waitingForStart }
        return runners
      })
  }

  /// What a lane's thread does next.
  mutating func next(_ thread: ThreadIndex, at now: Instant) -> Operation {
    while true {
      if let operation = goOn(thread, at: now) { return operation }
    }
  }

  /// Goes on by one stage; nil if that took no operation.
  // Inlined, like all that each operation goes through: calls from one part to the next would cost a tenth.
  @inline(__always)
  mutating func goOn(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    switch runners[thread].stage {
    case .waitingForStart:
      runners[thread].stage = .restoring
      return .sleep(until: .zero)
    case .restoring:
      runners[thread].stage = .idle
      return .compute(lanes[runners[thread].lane].restoring)
    case .idle:
      runners[thread].stage = .takingItem
      return .wait(runners[thread].lane)
    case .takingItem: return takeItem(thread)
    case .leavingLane: return leaveLane(thread, at: now)
    case .endingEvent: return endEvent(thread, at: now)
    case .choosingSuccessor: return chooseSuccessor(thread)
    default: return advance(thread, at: now)
    }
  }

  private mutating func takeItem(_ thread: ThreadIndex) -> Operation? {
    let lane = runners[thread].lane
    guard let item = lanes[lane].take() else { preconditionFailure("an item for each event") }
    lanes[lane].waiting -= 1
    begin(item, on: thread)
    let starting = lanes[lane].costs.run
    return starting > .zero ? .compute(starting) : nil
  }

  /// Posts the item of `thread` to its next step's lane, unless it is done.
  private mutating func leaveLane(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    if resume(thread) { return nil }
    runners[thread].stage = .endingEvent
    let item = runners[thread].item
    guard steps[item].isDone else { return leave(item, thread, at: now) }
    // Not handed back behind its last step: that one was left to another lane.
    if runners[thread].holdsItem { endPart(item, on: thread, at: now) }
    return nil
  }

  /// The end of an event; a lane that has run out of work publishes what is unpublished.
  private mutating func endEvent(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    runners[thread].stage = .choosingSuccessor
    let lane = runners[thread].lane
    lanes[lane].outstanding -= 1
    var ending = lanes[lane].bookkeeping
    if lanes[lane].outstanding == 0 {
      ending += services.publishAll(lanes[lane].residents)
      if drawsOnDemand { notePublished(at: now) }
    }
    return ending > .zero ? .compute(ending) : nil
  }

  /// Sees to the items that waited behind the one `thread` has run.
  private mutating func chooseSuccessor(_ thread: ThreadIndex) -> Operation? {
    let lane = runners[thread].lane
    runners[thread].stage = .idle
    switch lanes[lane].next(after: runners[thread].item.workload) {
    case .ends: return nil
    case .continues(let item):
      lanes[lane].waiting -= 1
      begin(item, on: thread)
      return nil
    case .posts(let item):
      lanes[lane].append(item, hasPriority: steps.hasPriority(item))
      return tell(lane, extra: .zero)
    }
  }

  // MARK: The end

  /// All threads hand back the items they hold, and all queues those that are in them.
  mutating func notePending() {
    for thread in runners.indices where runners[thread].holdsItem {
      notePending(runners[thread].resumed ?? runners[thread].item)
    }
    while let item = inbox.popFirst() { notePending(item) }
    while let (item, _) = incoming.popFirst() { notePending(item) }
    for lane in lanes.indices {
      while let item = lanes[lane].popLeft() { notePending(item) }
    }
  }

  /// Somebody held `item`, or a part of it.
  mutating func notePending(_ item: Item) {
    let (workload, number) = (item.workload, Int(item.number))
    let isLast =
      !parts.covers(workload) || parts.givesUp(workload, number, isFork: steps[item].isPart)
    if isLast { items.pending(item) }
  }
}

// How an item goes from step to step, on whichever thread runs it, and from there to its next lane.
extension LaneWorkers {
  mutating func begin(_ item: Item, on thread: ThreadIndex) {
    if isFirst(at: item) { items.begun() }
    runners[thread].item = item
    runners[thread].holdsItem = true
    // Whoever posts to another lane has seen to it that the item need not wait there.
    let mayWait = thread == .main && steps[item].joins
    runners[thread].stage = mayWait ? .choosingStep : .takingLock
  }

  /// The item that `thread` has run is somebody else's from now on, or done; the thread may still be busy with what
  /// it left behind: a lock to release, a snapshot to publish.
  mutating func releaseItem(_ thread: ThreadIndex) {
    if isLast(at: runners[thread].item) { items.endExecution() }
    runners[thread].holdsItem = false
  }

  /// The next operation of the item that `thread` runs; nil between two steps, and when it leaves the lane.
  @inline(__always)
  mutating func advance(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    switch runners[thread].stage {
    case .choosingStep: chooseStep(thread, at: now)
    case .takingLock: takeLock(thread)
    case .releasingLocks: releaseLocks(thread)
    case .enteringService: enterService(thread, at: now)
    case .waiting: wait(thread, at: now)
    case .copyingState: copyState(thread)
    case .leavingService: leaveService(thread, at: now)
    case .publishing: publish(thread, at: now)
    case .waitingForStart, .restoring, .idle, .takingItem, .leavingLane, .endingEvent,
      .choosingSuccessor:
      nil
    }
  }

  /// Lets go of a lock that the next step does not need, and takes the one it does.
  private mutating func takeLock(_ thread: ThreadIndex) -> Operation? {
    let (lane, wanted, hold) = placing(of: runners[thread].item)
    guard lane == runners[thread].lane else { return releaseLocks(thread) }
    switch runners[thread].locks.move(toward: wanted) {
    case .release(let lock): return .unlock(lock)
    case .begin:
      runners[thread].stage = .enteringService
      return nil
    case .take(let lock):
      runners[thread].stage = .enteringService
      runners[thread].locks.took(lock, for: hold)
      runners[thread].locking = lockCost
      return .lock(lock)
    }
  }

  // Inlined are those that only read: whoever calls such a function copies the whole of the workers first. And a step that
  // is kept whole over what changes would be copied, so that callers ask for the fields that they need.

  /// Where the next step of `item` lives.
  @inline(__always)
  private func placing(of item: Item) -> (lane: LaneIndex?, lock: LockIndex?, hold: Lock.Hold) {
    (steps[item].lane, steps[item].lock, steps[item].hold)
  }

  private mutating func releaseLocks(_ thread: ThreadIndex) -> Operation? {
    if let lock = runners[thread].locks.popLast() { return .unlock(lock) }
    runners[thread].stage = .leavingLane
    return nil
  }

  private mutating func enterService(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let (service, stated) = (steps[item].service, steps[item].cost)
    let waits = wait(of: item) != .zero
    var cost = stated < .zero ? drawnCost(of: item) : stated
    runners[thread].stepBegan = now
    services.enter(service)
    cost += runners[thread].locking
    runners[thread].locking = .zero
    runners[thread].stage = .waiting
    if !waits {
      cost += services.prepareChange(of: service)
      runners[thread].stage = .leavingService
    }
    return .compute(cost)
  }

  @inline(__always)
  private func drawnCost(of item: Item) -> TimeSpan {
    plan.workloads[item.workload].steps[Int(steps[item].place)].cost(item: Int(item.number))
  }

  @inline(__always)
  private func wait(of item: Item) -> TimeSpan {
    let stated = steps[item].wait
    guard stated < .zero else { return stated }
    return plan.workloads[item.workload].steps[Int(steps[item].place)].wait(item: Int(item.number))
  }

  private mutating func wait(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    runners[thread].stage = .copyingState
    return .sleep(until: now + wait(of: runners[thread].item))
  }

  private mutating func copyState(_ thread: ThreadIndex) -> Operation? {
    runners[thread].stage = .leavingService
    return .compute(services.prepareChange(of: steps[runners[thread].item].service))
  }

  /// The work of a step is done: the service has changed, and a lock held for a step is released.
  private mutating func leaveService(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let (service, hold) = (steps[item].service, steps[item].hold)
    if trace != nil { noteStep(of: item, on: thread, at: now) }
    services.change(service, by: thread)
    // A lane hands a finished item back before the lock goes; the main thread does it behind that.
    if thread != .main && steps[item.next].isDone { endPart(item.next, on: thread, at: now) }
    runners[thread].stage = .publishing
    return runners[thread].locks.endStep(hold).map { .unlock($0) }
  }

  // What only a trace needs is out of line, so that without one the code is as short as it was.
  @inline(never)
  private mutating func noteStep(of item: Item, on thread: ThreadIndex, at now: Instant) {
    trace?.append(
      .step(steps.place(of: item)), by: thread, from: runners[thread].stepBegan, to: now)
  }

  mutating func handBack(_ item: Item, from thread: ThreadIndex, at now: Instant) {
    finish(item, on: thread, at: now)
    results.append(item.atStart)
    releaseItem(thread)
    if isLoopOfEvents { resultCame(of: item, at: now) }
  }

  // MARK: What the main thread has to hear of

  /// A result that comes back wakes a loop of events, and wants a frame.
  @inline(never)
  private mutating func resultCame(of item: Item, at now: Instant) {
    wakesMain = true
    if drawsOnDemand, plan.workloads[item.workload].workload.shows { requests.append(now) }
  }

  /// A changed snapshot that the UI reads wants a frame.
  @inline(never)
  mutating func notePublished(at now: Instant) {
    guard services.takePublished() else { return }
    requests.append(now)
    wakesMain = true
  }

  /// Takes in for the main thread what arrives up to `now`, in the order in which it comes.
  mutating func receive(by now: Instant) {
    while let at = items.upcomingArrival, at <= now, let item = items.nextArrival(atOrBefore: at) {
      incoming.append(item, at: at)
    }
  }

  private mutating func publish(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let service = steps[item].service
    let (isSpecial, isSplit) = (steps[item.next].isSpecial, steps[item.next].isSplit)
    runners[thread].item = item.next
    runners[thread].stage = isSpecial ? .choosingStep : .takingLock
    let cost = (isSplit ? splitEvent(thread) : .zero) + services.publish(service)
    if drawsOnDemand { notePublished(at: now) }
    return cost > .zero ? .compute(cost) : nil
  }

  /// The next step is an event of its own: ends this one and begins that.
  private mutating func splitEvent(_ thread: ThreadIndex) -> TimeSpan {
    let lane = runners[thread].lane
    let ending = lanes[lane].bookkeeping
    lanes[lane].waiting -= 1
    return ending + lanes[lane].costs.run
  }

  /// Posts `item` to the lane of its next step.
  mutating func post(_ item: Item, at now: Instant) -> Operation {
    let lane = steps.lane(of: item)
    items.posted()
    trace?.posted = steps.place(of: item)
    if lane == .main {
      if isLoopOfEvents {
        receive(by: now)
        incoming.append(item, at: now)
        wakesMain = true
      } else {
        inbox.append(item)
      }
      return .post(lane)
    }
    let extra = lanes[lane].expect(steps[item].events)
    if lanes[lane].post(item, hasPriority: steps.hasPriority(item)) {
      return tell(lane, extra: extra)
    }
    return .compute(lanes[lane].costs.post + extra)
  }

  /// Notes that the last step of `item` has ended.
  mutating func finish(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    items.done(item, at: now)
    services.done(item, on: thread, at: now)
  }
}

/// A thread of the simulated app while it runs an item: how far it has come within a step.
struct Runner {
  let lane: LaneIndex
  var stage = Stage.idle
  var item = Item()
  /// The item that goes on here once its part that the thread runs is over: it has waited for that one.
  var resumed: Item?
  /// Whether `item` is its to account for: from its begin until it is handed back, posted on or put aside.
  var holdsItem = false
  var locks = HeldLocks()
  var stepBegan = Instant.zero
  /// What taking the lock for this step has cost.
  var locking = TimeSpan.zero

  /// What it does when it is next asked.
  enum Stage {
    /// A lane's thread that restores what earlier runs have left, from time 0 on.
    case waitingForStart, restoring
    /// A lane's thread between two items.
    case idle, takingItem
    /// Behind a step, where the item leaves the next one to others or may have to wait for them.
    case choosingStep
    /// Within an item, before and behind a step; `waiting` sleeps as the step says, say for a disk.
    case takingLock, enteringService, waiting, copyingState, leavingService, publishing
    /// Behind the last step on this lane, at first with locks.
    case releasingLocks, leavingLane, endingEvent, choosingSuccessor
  }

  init(lane: LaneIndex) { self.lane = lane }

  /// Whether it waits for a lock, or as its step says, as others see it: without time between, it is at neither stage.
  var isBlocked: Bool { stage == .enteringService || stage == .copyingState }
}
