internal import FrameBudget

/// The threads of all lanes, including main, and the movement of items from step to step and from lane to lane.
///
/// The extension below implements the two rules: if the next step of an item is on the current lane, the item continues
/// directly; otherwise it is posted to that step's lane. The rest of what a lane's thread does is here; `MainThread` has
/// the main thread's.
struct LaneWorkers: ~Copyable {
  let plan: RunPlan
  let steps: StepTable
  /// The cost of taking a lock.
  let lockCost: TimeSpan
  var lanes: OwnedTable<Lane, LaneState>
  var runners: ThreadTable<Runner>
  var services: ServiceStates
  var items: ItemProgress
  var parts: ItemParts
  /// Which items start, or end early, of workloads of which only the newest matters; and the items that end early and have parts.
  var newest: NewestGate
  private var endedEarly: Set<Item> = []
  var suspensions: Suspensions<Item>
  /// The worker pools, and whether there are any.
  var pools: WorkerPools
  let hasPools: Bool
  /// Finished items that lanes have handed back to the main thread.
  var results = ItemQueue()
  /// The parts of drawing that lanes have prepared.
  var prepared = PreparedParts()
  /// Items that lanes have posted to the main thread.
  var inbox = ItemQueue()
  /// In a loop of events, the items for the main thread that it has not dequeued, in the order of their arrival.
  var incoming = TimedItems()
  /// When frames are drawn on demand: the times of requests that the main thread has not collected.
  var requests: [Instant] = []
  /// Whether the main thread must be woken to check for work.
  var wakesMain = false
  /// Whether the main loop is one of events, and whether frames are drawn on demand.
  let (isLoopOfEvents, drawsOnDemand): (Bool, Bool)
  /// The trace of all threads, if one is kept. Without it, tracing costs a few branches.
  var trace: AppTrace?

  init(_ plan: RunPlan, pools: WorkerPools, costs: Costs, detail: FrameLedger.Detail) {
    self.plan = plan
    self.pools = pools
    hasPools = !pools.pools.isEmpty
    steps = StepTable(plan)
    lockCost = costs.lock.post
    let indices = plan.arrangement.lanes.indices
    lanes = OwnedTable(indices.map { LaneState($0, of: plan, costs: costs) })
    runners = OwnedTable(Self.runners(of: plan))
    isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    drawsOnDemand = plan.scenario.display.frames.isOnDemand
    services = ServiceStates(plan, costs: costs, threads: runners.count)
    items = ItemProgress(plan, isWatched: detail != .summary)
    parts = ItemParts(plan)
    newest = NewestGate(plan)
    suspensions = Suspensions(plan)
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

  /// The next operation of a lane's thread.
  mutating func next(_ thread: ThreadIndex, at now: Instant) -> Operation {
    while true {
      if let operation = continueStage(thread, at: now) { return operation }
    }
  }

  /// Advances by one stage; nil if that needed no operation.
  // Inlined, like everything on the path of each operation: calls from one part to the next would cost 10 %.
  @inline(__always)
  mutating func continueStage(_ thread: ThreadIndex, at now: Instant) -> Operation? {
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
    case .takingItem: return takeItem(thread, at: now)
    case .preparing: return prepare(thread, at: now)
    case .prepared: return endPreparation(thread, at: now)
    case .leavingLane: return leaveLane(thread, at: now)
    case .endingEvent: return endEvent(thread, at: now)
    case .choosingSuccessor: return chooseSuccessor(thread, at: now)
    default: return advance(thread, at: now)
    }
  }

  private mutating func takeItem(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let lane = runners[thread].lane
    guard let item = lanes[lane].take() else { preconditionFailure("an item for each event") }
    lanes[lane].waiting -= 1
    begin(item, on: thread, at: now)
    let starting = lanes[lane].costs.run
    return starting > .zero ? .compute(starting) : nil
  }

  private mutating func prepare(_ thread: ThreadIndex, at now: Instant) -> Operation {
    runners[thread].stage = .prepared
    runners[thread].stepBegan = now
    return .compute(preparation(of: runners[thread].item).cost)
  }

  private mutating func endPreparation(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let (unit, began) = (preparation(of: runners[thread].item), runners[thread].stepBegan)
    trace?.prepared(unit.part, by: thread, from: began, to: now)
    if prepared.append(unit) { wakesMain = true }
    runners[thread].stage = .endingEvent
    return nil
  }

  /// The part of drawing whose event `item` is.
  private func preparation(of item: Item) -> DrawingParts.Unit {
    guard let part = steps.partOfDrawing(item) else {
      preconditionFailure("an item has the stages of its steps")
    }
    return plan.preparation(ofPart: part, vsync: Int(item.number))
  }

  /// Posts the item of `thread` to the lane of its next step, unless it is done.
  private mutating func leaveLane(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    if resume(thread) { return nil }
    runners[thread].stage = .endingEvent
    let item = runners[thread].item
    guard steps[item].isDone else { return leave(item, thread, at: now) }
    // It was not handed back after its last step, because that one was forked to another lane or suspended it, or because it ended
    // early.
    if runners[thread].holdsItem {
      endPart(item, on: thread, at: now)
      _ = resume(thread)
    }
    return nil
  }

  /// Ends an event. A lane that has run out of work publishes pending changes.
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

  /// Handles the items that waited behind the one that `thread` has run.
  private mutating func chooseSuccessor(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let lane = runners[thread].lane
    runners[thread].stage = .idle
    switch lanes[lane].next(after: runners[thread].item.workload) {
    case .ends: return nil
    case .continues(let item):
      lanes[lane].waiting -= 1
      begin(item, on: thread, at: now)
      return nil
    case .posts(let item):
      lanes[lane].append(item, hasPriority: steps.hasPriority(item))
      return notifyThread(of: lane, extra: .zero)
    }
  }

  /// The number of suspended items by step.
  var waiting: [Int] {
    guard plan.suspends else { return [] }
    return plan.waiting(in: suspensions) { ($0.workload, steps.index(of: $0)) }
  }

  // MARK: The end

  /// Records all items that threads and queues hold when the run ends.
  mutating func notePending(at end: Instant) {
    for thread in runners.indices where runners[thread].holdsItem {
      notePending(runners[thread].left)
    }
    while let item = inbox.popFirst() { notePending(item) }
    while let (item, _) = incoming.popFirst() { notePending(item) }
    for lane in lanes.indices {
      while let item = lanes[lane].popUnstarted() { notePending(item) }
    }
    for suspended in suspensions.removeAll() {
      noteSuspended(suspended, until: end)
      notePending(suspended.item)
    }
  }

  /// Records that a thread or a queue held `item`, or a part of it, when the run ended.
  mutating func notePending(_ item: Item) {
    if steps.partOfDrawing(item) != nil { return }
    let (workload, number) = (item.workload, Int(item.number))
    if newest.endsItems, steps.hasStepLeft(of: item) { endedEarly.insert(item.atStart) }
    let isLast =
      !parts.covers(workload) || parts.abandons(workload, number, isFork: steps[item].isPart)
    guard isLast else { return }
    let wouldEnd = endedEarly.contains(item.atStart) || parts.waitsAtJoin(workload, number)
    items.pending(item, hasStepLeft: wouldEnd)
  }
}

// How an item moves from step to step on its thread, and from there to its next lane.
extension LaneWorkers {
  mutating func begin(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    if steps.partOfDrawing(item) != nil {
      runners[thread].item = item
      runners[thread].stage = .preparing
      return
    }
    if item.isSuspended { return resume(behind: item, on: thread, at: now) }
    if isFirst(at: item) { items.begun() }
    runners[thread].item = item
    runners[thread].holdsItem = true
    // Before an item is posted to another lane, the poster checks that it need not wait for its parts.
    let mayWait = thread == .main && steps[item].joins
    runners[thread].stage = mayWait ? .choosingStep : .takingLock
  }

  /// Gives up the item that `thread` has run: it is done or posted. The thread may still have to release its lock or
  /// publish a snapshot.
  mutating func releaseItem(_ thread: ThreadIndex) {
    if isLast(at: runners[thread].item) { items.endExecution() }
    runners[thread].holdsItem = false
  }

  /// The next operation of the item that `thread` runs; nil between two steps, and when the item leaves the lane.
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
    case .suspending: suspend(thread, at: now)
    case .waitingForStart, .restoring, .idle, .takingItem, .preparing, .prepared, .leavingLane,
      .endingEvent, .choosingSuccessor:
      nil
    }
  }

  /// Releases a lock that the next step does not need, and takes the one that it needs.
  private mutating func takeLock(_ thread: ThreadIndex) -> Operation? {
    if newest.endsItems, endsEarly(thread, inEvent: true) { return nil }
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

  // Functions that only read are inlined: a call would copy all workers first. Callers ask for single fields, because a
  // step kept across a mutation would be copied.

  /// The lane of the next step of `item`, its lock, and how long the lock is held.
  @inline(__always)
  private func placing(of item: Item) -> (lane: LaneIndex?, lock: LockIndex?, hold: Lock.Hold) {
    let step = steps.place(of: item)
    return (steps[step].lane, steps[step].lock, steps[step].hold)
  }

  private mutating func releaseLocks(_ thread: ThreadIndex) -> Operation? {
    if let lock = runners[thread].locks.popLast() { return .unlock(lock) }
    runners[thread].stage = .leavingLane
    return nil
  }

  private mutating func enterService(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let step = steps.place(of: item)
    let (service, stated) = (steps[step].service, steps[step].cost)
    let waits = steps[step].wait != .zero && wait(of: item) != .zero
    var cost = stated < .zero ? drawnCost(of: item) : stated
    runners[thread].stepBegan = now
    runners[thread].hasRunStep = true
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
    plan.workloads[item.workload].steps[Int(steps[item].step)].cost(
      item: Int(item.number), run: Int(item.run))
  }

  @inline(__always)
  private func wait(of item: Item) -> TimeSpan {
    let stated = steps[item].wait
    guard stated < .zero else { return stated }
    return plan.workloads[item.workload].steps[Int(steps[item].step)].wait(
      item: Int(item.number), run: Int(item.run))
  }

  private mutating func wait(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    runners[thread].stage = .copyingState
    return .sleep(until: now + wait(of: runners[thread].item))
  }

  private mutating func copyState(_ thread: ThreadIndex) -> Operation? {
    runners[thread].stage = .leavingService
    return .compute(services.prepareChange(of: steps[runners[thread].item].service))
  }

  /// Ends the work of a step: the service has changed, and a lock held for the step is released.
  private mutating func leaveService(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let step = steps.place(of: item)
    let (service, hold) = (steps[step].service, steps[step].hold)
    if trace != nil { noteStep(of: item, on: thread, at: now) }
    services.change(service, by: thread)
    if !steps[step].suspends, steps.isLastRun(of: item) {
      if steps[step].answers { answer(item, on: thread, at: now) }
      // A lane hands a finished item back before it releases the lock; the main thread does so afterwards.
      if thread != .main && steps[step + 1].isDone { endPart(item.next, on: thread, at: now) }
    }
    runners[thread].stage = .publishing
    return runners[thread].locks.endStep(hold).map { .unlock($0) }
  }

  /// Ends the step of `runner`, which `thread` acts as, and begins the next one at once, if that is all that happens between the
  /// two. No trace must be kept. Returns the cost of the next step, and the number of lock operations that were completed; nil, and
  /// does nothing, if more may happen.
  ///
  /// This is what `leaveService`, `publish`, `takeLock` and `enterService` do in turn.
  @inline(__always)
  mutating func followStep(
    _ runner: ThreadIndex, by thread: ThreadIndex, at now: Instant, _ locks: inout LockTable
  ) -> (cost: TimeSpan, completed: Int)? {
    guard runners[runner].stage == .leavingService else { return nil }
    let place = steps.place(of: runners[runner].item)
    guard steps[place].isFollowed else { return nil }
    let (held, wanted) = (steps[place].lock, steps[place + 1].lock)
    // The main thread notes when it takes a lock.
    if thread == .main, (held ?? wanted) != nil { return nil }
    if let wanted, wanted != held, locks[wanted].owner != nil { return nil }
    var cost = steps[place + 1].cost
    var completed = 0
    if let held {
      guard locks.complete(.unlock(held), by: thread) else { return nil }
      completed += 1
    }
    _ = runners[runner].locks.endStep(.step)
    if let wanted {
      locks[wanted].owner = thread
      runners[runner].locks.took(wanted, for: .step)
      cost += lockCost
      completed += 1
    }
    services.change(steps[place].service, by: runner)
    services.enter(steps[place + 1].service)
    runners[runner].item = runners[runner].item.next
    runners[runner].stepBegan = now
    return (cost, completed)
  }

  // Code that only a trace needs is out of line, so that the common path stays short.
  @inline(never)
  private mutating func noteStep(of item: Item, on thread: ThreadIndex, at now: Instant) {
    let began = runners[thread].stepBegan
    trace?.append(.step(steps.traceStep(of: item)), by: thread, from: began, to: now)
  }

  mutating func returnResult(_ item: Item, from thread: ThreadIndex, at now: Instant) {
    let isReplaced = takeReplaced(item, from: thread)
    if !isReplaced { finish(item, on: thread, at: now) }
    releaseItem(thread)
    if isReplaced { return }
    if !steps.answersEarly(item) { handBack(item, at: now) }
  }

  /// Answers with the result of `item`, which goes on.
  mutating func answer(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    if thread == .main { runners[thread].hasAnswered = true } else { handBack(item, at: now) }
  }

  /// Hands the result of `item` to the main thread, for a later frame.
  mutating func handBack(_ item: Item, at now: Instant) {
    results.append(item.atStart)
    if isLoopOfEvents { resultArrived(of: item, at: now) }
  }

  // MARK: Items of which only the newest matters

  /// Receives `item` at a look of the main thread. Returns whether it starts.
  mutating func receives(_ item: Item, at now: Instant) -> Bool {
    guard newest.isUsed else { return true }
    let reception = newest.receive(
      item.workload, Int(item.number), arrivedAt: items.arrival(of: item), at: now)
    if let number = reception.replaced {
      items.replaced(Item(workload: item.workload, number: Int32(number)))
    }
    return reception.starts
  }

  /// The next item that has waited for newer ones and starts at a look of the main thread.
  mutating func released(at now: Instant) -> Item? {
    newest.release(at: now).map { Item(workload: $0.workload, number: Int32($0.number)) }
  }

  /// Ends the item of `thread` before its next step, if a newer one has been received. If the event of that step has begun, its
  /// later events are taken out of the queue.
  @inline(never)
  mutating func endsEarly(_ thread: ThreadIndex, inEvent: Bool) -> Bool {
    let item = runners[thread].item
    guard !steps[item].isDone, newest.ends(item.workload, Int(item.number)) else { return false }
    if inEvent, steps[item].events > 1 {
      lanes[runners[thread].lane].waiting -= steps.eventsLeft(of: item)
    }
    endedEarly.insert(item.atStart)
    runners[thread].item = steps.end(of: item)
    runners[thread].stage = .releasingLocks
    return true
  }

  /// Ends `item`, or a part of it, that no thread runs, if a newer one has been received.
  mutating func dropIfReplaced(_ item: Item) -> Bool {
    guard newest.endsItems, !item.isSuspended, !steps[item].isDone,
      newest.ends(item.workload, Int(item.number))
    else { return false }
    endedEarly.insert(item.atStart)
    switch ended(steps.end(of: item)) {
    case .isDone: replace(item)
    case .nothing: break
    case .resumes(let step): _ = dropIfReplaced(item.at(Int32(step)))
    }
    return true
  }

  /// Records that `item`, all of whose parts have ended, was replaced, if one of them has ended early.
  mutating func takeReplaced(_ item: Item, from thread: ThreadIndex) -> Bool {
    guard newest.endsItems, endedEarly.contains(item.atStart) else { return false }
    services.carry(item, from: thread)
    replace(item)
    return true
  }

  private mutating func replace(_ item: Item) {
    endedEarly.remove(item.atStart)
    items.replaced(item)
  }

  /// Whether nothing waits in a loop of frames for the frame that begins at `now`.
  @inline(__always)
  func hasNothingForMain(at now: Instant) -> Bool {
    results.isEmpty && inbox.isEmpty && lanes[.main].isEmpty && !newest.isUsed
      && items.upcomingArrival.map { $0 > now } ?? true
  }

  // MARK: Wake-ups of the main thread

  /// Wakes a loop of events for a result, and requests a frame for it.
  @inline(never)
  private mutating func resultArrived(of item: Item, at now: Instant) {
    wakesMain = true
    if drawsOnDemand, plan.workloads[item.workload].workload.shows { requests.append(now) }
  }

  /// Requests a frame for a changed snapshot that the UI reads.
  @inline(never)
  mutating func notePublished(at now: Instant) {
    guard services.takePublished() else { return }
    requests.append(now)
    wakesMain = true
  }

  /// Enqueues for the main thread what arrives up to `now`, in its order, and the requests for frames of items that draw.
  mutating func receive(by now: Instant, checksTimers: Bool = false) {
    while let next = items.nextArrival(receivedAt: now, checksTimers: checksTimers) {
      if plan.workloads[next.item.workload].workload.draws { requests.append(next.arrival) }
      incoming.append(next.item, at: next.since)
    }
  }

  private mutating func publish(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    let item = runners[thread].item
    let step = steps.place(of: item)
    let service = steps[step].service
    let isLast = steps.isLastRun(of: item)
    let isSpecial = isLast && steps[step + 1].isSpecial
    // The main thread is asked first whether it goes on.
    let isOver = isLast && steps[step + 1].isDone && thread != .main
    let isSplit =
      isLast ? steps[step + 1].isSplit : steps[step].splitsRuns && !steps[step].suspends
    if steps[step].suspends {
      runners[thread].stage = .suspending
    } else {
      runners[thread].item = isLast ? item.next : item.nextRun
      runners[thread].stage =
        isOver ? .releasingLocks : isSpecial ? .choosingStep : .takingLock
    }
    let cost = (isSplit ? splitEvent(thread) : .zero) + services.publish(service)
    if drawsOnDemand { notePublished(at: now) }
    return cost > .zero ? .compute(cost) : nil
  }

  /// Ends the current event and begins the next one, because the next step is an event of its own.
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
    trace?.posted = steps.traceStep(of: item)
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
    return post(item, to: lane, events: steps.events(of: item))
  }

  private mutating func post(_ item: Item, to lane: LaneIndex, events: Int) -> Operation {
    let extra = lanes[lane].expect(events)
    if lanes[lane].post(item, hasPriority: steps.hasPriority(item)) {
      return notifyThread(of: lane, extra: extra)
    }
    return .compute(lanes[lane].costs.post + extra)
  }

  /// Posts a part of drawing to the lane that prepares it.
  mutating func post(_ unit: DrawingParts.Unit) -> Operation {
    let item = Item(workload: plan.source(ofPart: unit.part), number: Int32(unit.vsync))
    return post(item, to: plan.lane(ofPart: unit.part), events: 1)
  }

  /// Records that the last step of `item` has ended.
  mutating func finish(_ item: Item, on thread: ThreadIndex, at now: Instant) {
    items.done(item, at: now)
    services.done(item, on: thread, at: now)
  }
}

/// The state of a thread while it runs an item: its progress within a step.
struct Runner {
  let lane: LaneIndex
  var stage = Stage.idle
  var item = Item()
  /// The item that resumes here after the part that the thread runs: it has waited for that part.
  var resumed: Item?
  /// Whether the thread is responsible for `item`: from its start until it is handed back, posted or put aside.
  var holdsItem = false
  /// Whether the main thread has run the step that answers, and not the result yet.
  var hasAnswered = false
  var locks = HeldLocks()
  var stepBegan = Instant.zero
  /// On the main thread, whether a step has begun since it took the item.
  var hasRunStep = false
  /// The cost of taking the lock for this step.
  var locking = TimeSpan.zero

  /// The action at the next request for an operation.
  enum Stage {
    /// A lane's thread that restores kept jobs, from time 0 on.
    case waitingForStart, restoring
    /// A lane's thread between two items.
    case idle, takingItem
    /// At a part of drawing: before and in it.
    case preparing, prepared
    /// After a step, if the item forks its next step to another lane or may have to wait for earlier forks.
    case choosingStep
    /// Within an item, before and after a step. `waiting` blocks as the step says, for example for a disk.
    case takingLock, enteringService, waiting, copyingState, leavingService, publishing
    /// After a step, at whose end the item, or a part of it, waits without the thread.
    case suspending
    /// After the last step on this lane, at first with locks.
    case releasingLocks, leavingLane, endingEvent, choosingSuccessor
  }

  init(lane: LaneIndex) { self.lane = lane }

  /// What is left of its item when the run ends; behind the step that it is in, because nothing ends that.
  var left: Item {
    if let resumed { return resumed }
    switch stage {
    case .enteringService, .waiting, .copyingState, .leavingService, .publishing, .suspending:
      return item.suspended
    default: return item
    }
  }

  /// Whether it is blocked, on a lock or in the wait of its step. Without a wait, it passes both stages in no time.
  var isBlocked: Bool { stage == .enteringService || stage == .copyingState }
}
