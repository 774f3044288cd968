internal import FrameBudget

// The first half of a frame: arrivals, results and business logic.
extension MainThread {
  // MARK: Arrivals and results

  mutating func deliver(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    let due = frames.ledger.due
    if let change = renices.next(atOrBefore: due) { return renice(change, workers) }
    if let operation = continueStarting(at: now, &workers) { return operation }
    while let item = nextArrival(by: due, &workers) {
      if gate.holdsBack[item.workload] {
        heldBack.append(item)
      } else if let operation = start(item, at: now, &workers) {
        return operation
      }
    }
    stage = .admitting
    admissions = gate.admits(heldBack.count)
    return nil
  }

  /// The next item that arrives by `due` and need not wait for newer ones. If only the newest of some items matters, all are
  /// received before the first of them starts.
  private mutating func nextArrival(by due: Instant, _ workers: inout LaneWorkers) -> Item? {
    guard workers.newest.isUsed else { return workers.items.nextArrival(atOrBefore: due)?.item }
    while let (item, arrival) = workers.items.nextArrival(atOrBefore: due) {
      if workers.receives(item, at: due) { workers.incoming.append(item, at: arrival) }
    }
    while let item = workers.released(at: due) { workers.incoming.append(item, at: due) }
    while let (item, _) = workers.incoming.popFirst() {
      if !workers.dropIfReplaced(item) { return item }
    }
    return nil
  }

  func renice(
    _ change: ReniceSchedule.Change, _ workers: borrowing LaneWorkers
  ) -> Operation {
    // Only lanes with one thread can change their nice value.
    let thread = workers.runners.indices.first { workers.runners[$0].lane == change.lane }
    guard let thread else { preconditionFailure("a thread for each lane") }
    return .renice(thread, to: change.nice)
  }

  /// Appends `item` to the main thread's run queue, or posts it to the lane of its first step.
  private mutating func start(
    _ item: Item, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    if workers.steps[item].isSpecial {
      starting = item
      return continueStarting(at: now, &workers)
    }
    if workers.steps.lane(of: item) != .main { return forward(item, at: now, &workers) }
    workers.lanes[.main].append(item, hasPriority: workers.steps.hasPriority(item))
    return nil
  }

  /// Posts an item that the main thread has dequeued to the lane of its first step. For an input, that is all that its
  /// handlers do.
  mutating func forward(
    _ item: Item, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation {
    workers.items.handlersBegan(item, at: now)
    forwarded = item
    return workers.post(item, at: now)
  }

  /// Forks the first step of `item`: posts it as a part that the item does not wait for yet.
  mutating func fork(_ item: Item, at now: Instant, _ workers: inout LaneWorkers) -> Operation {
    workers.items.handlersBegan(item, at: now)
    return workers.fork(item, at: now)
  }

  /// Leaves `item`, which waits for the parts that it has forked.
  mutating func leave(_ item: Item, at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    handlersEnded(item, at: now, &workers)
    return nil
  }

  /// Continues with the item that forks its first steps, if there is one: posts the next of them.
  private mutating func continueStarting(
    at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    guard let item = starting.take() else { return nil }
    switch workers.nextAction(item) {
    case .forks:
      starting = item.next
      return fork(item, at: now, &workers)
    case .isHere:
      workers.lanes[.main].append(item, hasPriority: workers.steps.hasPriority(item))
      return nil
    case .isElsewhere: return forward(item, at: now, &workers)
    case .isLeft: return leave(item, at: now, &workers)
    }
  }

  mutating func admit(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    if let operation = continueStarting(at: now, &workers) { return operation }
    while admissions > 0, let item = heldBack.popFirst() {
      admissions -= 1
      if workers.dropIfReplaced(item) { continue }
      if let operation = start(item, at: now, &workers) { return operation }
    }
    frames.ledger.waiting(items: workers.items.waiting)
    // Items that lanes post later wait for the next frame.
    while let item = workers.inbox.popFirst() {
      workers.lanes[.main].append(item, hasPriority: workers.steps.hasPriority(item))
    }
    drain.open(workers.results.count, at: now)
    return enter(.drainingResults, .drain, at: now, &workers)
  }

  mutating func drainResults(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    while drain.takeNext(at: now), let item = workers.results.popFirst() {
      frames.ledger.handled(items: 1)
      workers.items.resultRan(item)
      guard drain.beginUpdate(item.workload) else { continue }
      let cost = workers.steps.resultCost(of: item)
      if cost > .zero { return .compute(cost) }
    }
    return enter(turns == nil ? .choosingItem : .publishing, .logic, at: now, &workers)
  }

  // MARK: Business logic

  mutating func chooseItem(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    if turns != nil { return endEvent(at: now, &workers) }
    while let item = heldBack.first, workers.dropIfReplaced(item) { _ = heldBack.popFirst() }
    if let item = workers.lanes[.main].popFirst() {
      if workers.dropIfReplaced(item) { return nil }
      begin(item, wasHeldBack: false, at: now, &workers)
    } else if gate.fillsFrames, let item = heldBack.first, fits(item, at: now) {
      _ = heldBack.popFirst()
      begin(item, wasHeldBack: true, at: now, &workers)
    } else {
      stage = .publishing
    }
    return nil
  }

  mutating func begin(
    _ item: Item, wasHeldBack: Bool, at now: Instant, _ workers: inout LaneWorkers
  ) {
    workers.items.handlersBegan(item, at: now)
    workers.begin(item, on: .main, at: now)
    self.wasHeldBack = wasHeldBack
    workers.runners[.main].hasRunStep = false
    begun = workers.runners[.main].item
    frames.ledger.handled(items: 1)
    stage = .runningLogic
  }

  mutating func fits(_ item: Item, at now: Instant) -> Bool {
    gate.starts(
      item.workload, step: Int(item.step), run: Int(item.run), item: Int(item.number), of: plan,
      at: now)
  }

  mutating func runLogic(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    if workers.runners[.main].hasAnswered, workers.runners[.main].stage != .publishing {
      return showAnswer(at: now, &workers)
    }
    // A step is over, including everything that it published, and has not been judged yet.
    if gate.fillsFrames || yields, workers.runners[.main].stage == .takingLock,
      workers.runners[.main].item != begun
    {
      return judge(workers.runners[.main].item, at: now, &workers)
    }
    if gate.fillsFrames, workers.runners[.main].stage == .suspending {
      learnSuspended(at: now, workers)
    }
    if workers.runners[.main].stage == .choosingStep { return chooseStep(at: now, &workers) }
    if let operation = workers.advance(.main, at: now) { return operation }
    guard workers.runners[.main].stage == .leavingLane else { return nil }
    return endItem(workers.runners[.main].item, at: now, &workers)
  }

  /// Learns how long a step took at whose end the item leaves the main thread.
  private mutating func learnSuspended(at now: Instant, _ workers: borrowing LaneWorkers) {
    let item = workers.runners[.main].item
    guard workers.steps[item].leavesLane else { return }
    let span = now - workers.runners[.main].stepBegan
    gate.learn(item.workload, step: workers.steps.index(of: item), took: span)
  }

  /// Continues after a step of an item with forks. Posting them counts as handing over, not as logic.
  private mutating func chooseStep(
    at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    let operation = workers.advance(.main, at: now)
    frames.enter(operation == nil ? .logic : .post, at: now, &workers.trace)
    return operation
  }

  /// Records how long a step took, and puts `item` aside if its next step does not fit into this frame.
  private mutating func judge(
    _ item: Item, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    begun = item
    // Ends of suspensions and forks of other lanes are no steps.
    guard workers.runners[.main].hasRunStep else { return nil }
    if yields, yield(item, at: now, &workers) { return nil }
    guard gate.fillsFrames else { return nil }
    gate.learn(
      item.workload, step: workers.steps.endedIndex(of: item),
      took: now - workers.runners[.main].stepBegan - answering)
    answering = .zero
    let mayStay = !wasHeldBack || !gate.slicesSteps || workers.steps[item].isDone
    if !mayStay && !fits(item, at: now) { suspend(item, at: now, &workers) }
    return nil
  }

  /// Returns `item` to the front of the held-back items.
  private mutating func suspend(_ item: Item, at now: Instant, _ workers: inout LaneWorkers) {
    handlersEnded(item, at: now, &workers)
    workers.releaseItem(.main)
    workers.services.carry(item, from: .main)
    heldBack.prepend(item)
    stage = .releasingLocks
  }

  /// Releases all locks of the item that was put aside.
  mutating func releaseLocks(
    at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    if let lock = workers.runners[.main].locks.popLast() { return .unlock(lock) }
    if turns != nil { return endEvent(at: now, &workers) }
    stage = .publishing
    return nil
  }

  /// Ends the item's steps on the main thread for now: its result runs at once, or it is posted, or it waits for its forks.
  private mutating func endItem(
    _ item: Item, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    stage = .leavingItem
    if !workers.steps[item].isDone {
      frames.enter(.post, at: now, &workers.trace)
      return workers.leave(item, .main, at: now)
    }
    switch workers.ended(item) {
    case .isDone: return finish(item, at: now, &workers)
    case .nothing: workers.releasePart(.main)
    case .resumes(let step):
      workers.resume(item.at(Int32(step)), on: .main)
      stage = .runningLogic
    }
    return nil
  }

  /// Finishes the item and runs its result.
  private mutating func finish(
    _ item: Item, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    workers.releaseItem(.main)
    if workers.takeReplaced(item, from: .main) { return nil }
    workers.finish(item, on: .main, at: now)
    return workers.steps.answersEarly(item) ? nil : showResult(of: item, at: now, &workers)
  }

  /// Runs the result of an item that is on the main thread: at once, or with those of the next frame.
  private mutating func showResult(
    of item: Item, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    if drain.coalesces {
      workers.handBack(item, at: now)
      return nil
    }
    workers.items.resultRan(item)
    if plan.workloads[item.workload].workload.shows { frames.ledger.request(at: now) }
    frames.enter(.drain, at: now, &workers.trace)
    return .compute(workers.steps.resultCost(of: item))
  }

  /// Runs the result of the current item, which goes on behind it.
  private mutating func showAnswer(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    workers.runners[.main].hasAnswered = false
    stage = .leavingAnswer
    return showResult(of: workers.runners[.main].item, at: now, &workers)
  }

  mutating func leaveAnswer(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    if !drain.coalesces {
      answering = now - frames.since
      if gate.fillsFrames {
        gate.learn(workers.runners[.main].item.workload, resultTook: answering)
      }
    }
    return enter(.runningLogic, .logic, at: now, &workers)
  }

  /// Leaves the item after its result has run, or after it was posted to a lane.
  mutating func leaveItem(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    let item = workers.runners[.main].item
    handlersEnded(item, at: now, &workers)
    if gate.fillsFrames, !drain.coalesces, !item.isSuspended, !workers.steps.answersEarly(item) {
      gate.learn(item.workload, resultTook: now - frames.since)
    }
    return enter(.choosingItem, .logic, at: now, &workers)
  }

  /// Publishes pending changes: the main lane has nothing left that it may run in this frame.
  mutating func publish(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    logicEnded = now
    frames.blocked = .zero
    stage = .beginningReads
    let freeing = workers.services.publishAll(workers.lanes[.main].residents)
    // The current frame shows these snapshots, so they request no further frame.
    _ = workers.services.takePublished()
    return freeing > .zero ? .compute(freeing) : nil
  }
}

/// The reads of the UI in a frame, one after the other, and the age of the state that they read.
struct UIReads {
  private let reads: [ReadPlan]
  /// The number of operations of all of them in a frame: for each lock, it is taken and released.
  let operations: Int
  /// The index of the next read in this frame.
  private var current = 0
  /// The age of the snapshot that the next read uses.
  private var age = TimeSpan.zero
  private(set) var ages = StateAges()
  /// By read: when it last read state in place.
  private var readInPlace: ContiguousArray<Instant>

  init(_ plan: RunPlan) {
    reads = plan.reads
    operations = plan.reads.reduce(0) { $0 + ($1.lock == nil ? 1 : 3) }
    readInPlace = ContiguousArray(repeating: .zero, count: reads.count)
  }

  mutating func restart() { current = 0 }

  /// Whether all reads are over.
  var isOver: Bool { current == reads.count }

  /// The lock that the next read takes; nil if it needs none.
  var lock: LockIndex? { reads[current].lock }

  /// Takes the newest snapshot if the next read uses one. Returns the time that freeing the previous one takes.
  mutating func takeSnapshot(from services: inout ServiceStates, at now: Instant) -> TimeSpan {
    guard reads[current].isSnapshot else { return .zero }
    let service = reads[current].service
    let freeing = services.takeSnapshot(of: service)
    age = services.age(of: service, at: now)
    return freeing
  }

  /// Begins the next read. Returns its duration in the frame that began at `vsync`.
  mutating func begin(
    in services: inout ServiceStates, vsync: Int, at now: Instant
  ) -> TimeSpan {
    if reads[current].isSnapshot {
      ages.append(age)
    } else {
      ages.append(.zero)
      readInPlace[current] = now
      services.enter(reads[current].service)
    }
    return reads[current].cost(vsync: vsync)
  }

  /// Ends the read. Returns the lock to release.
  mutating func end(in services: inout ServiceStates) -> LockIndex? {
    defer { current += 1 }
    if !reads[current].isSnapshot { services.leave(reads[current].service) }
    return reads[current].lock
  }

  // MARK: In a frame in which nothing else happens

  /// Whether no thread has a lock that a read needs, and each snapshot that the UI has is the newest and misses nothing.
  func areFree(_ services: borrowing ServiceStates, _ locks: borrowing LockTable) -> Bool {
    for read in reads.indices {
      if let lock = reads[read].lock, locks[lock].owner != nil { return false }
      if reads[read].isSnapshot, !services.isNewest(of: reads[read].service) { return false }
    }
    return true
  }

  /// The duration of all reads in the frame that begins at `vsync`. `locking` is the cost of taking a lock.
  func cost(vsync: Int, locking: TimeSpan) -> TimeSpan {
    var cost = TimeSpan.zero
    for read in reads.indices { cost += self.cost(of: read, vsync: vsync, locking: locking) }
    return cost
  }

  private func cost(of read: Int, vsync: Int, locking: TimeSpan) -> TimeSpan {
    reads[read].cost(vsync: vsync) + (reads[read].lock == nil ? .zero : locking)
  }

  /// Reads everything in the frame that begins at `vsync`, at `now`.
  mutating func pass(vsync: Int, locking: TimeSpan, at now: Instant) {
    var begin = now
    for read in reads.indices {
      ages.append(.zero)
      if !reads[read].isSnapshot { readInPlace[read] = begin }
      begin = begin + cost(of: read, vsync: vsync, locking: locking)
    }
  }

  /// Records the age of the state on the screen during a hang that lasts until the end of the run, because no later read
  /// will.
  mutating func noteHang(
    _ services: borrowing ServiceStates, _ items: borrowing ItemProgress, of plan: RunPlan,
    at end: Instant
  ) {
    for (read, began) in zip(reads, readInPlace) {
      let newest = items.newestDone(in: read.service, of: plan, by: end)
      let missed = newest.flatMap { $0 > began ? end - $0 : nil } ?? .zero
      ages.append(read.isSnapshot ? services.age(of: read.service, at: end) : missed)
    }
  }
}
