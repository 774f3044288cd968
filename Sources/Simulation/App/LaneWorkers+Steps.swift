internal import FrameBudget

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
  mutating func letGo(_ thread: ThreadIndex) {
    if isLast(at: runners[thread].item) { items.letGo() }
    runners[thread].holdsItem = false
  }

  /// The next operation of the item that `thread` runs; nil between two steps, and when it leaves the lane.
  @inline(__always)
  mutating func advance(_ thread: ThreadIndex, at now: Instant) -> Operation? {
    switch runners[thread].stage {
    case .choosingStep: chooseStep(thread, at: now)
    case .takingLock: takeLock(thread)
    case .lettingGo: letGoOfLocks(thread)
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
    guard lane == runners[thread].lane else { return letGoOfLocks(thread) }
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

  private mutating func letGoOfLocks(_ thread: ThreadIndex) -> Operation? {
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
    letGo(thread)
    if isLoopOfEvents { resultCame(of: item, at: now) }
  }

  // MARK: What the main thread has to hear of

  /// A result that comes back wakes a loop of events, and wants a frame.
  @inline(never)
  private mutating func resultCame(of item: Item, at now: Instant) {
    nudgesMain = true
    if drawsOnDemand, plan.workloads[item.workload].workload.shows { requests.append(now) }
  }

  /// A changed snapshot that the UI reads wants a frame.
  @inline(never)
  mutating func notePublished(at now: Instant) {
    guard services.takePublished() else { return }
    requests.append(now)
    nudgesMain = true
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
        nudgesMain = true
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
