internal import FrameBudget

// A main loop that takes up one event after the other, items and frames, in the order of `LoopTurns`.
extension MainThread {
  /// Takes up what comes first; where there is nothing, sleeps until something is due.
  mutating func chooseEvent(
    at now: Instant, ready: TimeSpan, _ workers: inout LaneWorkers
  ) -> Operation? {
    frames.enter(.post, at: now, &workers.trace)
    eventBegan = now
    if !hasStarted {
      hasStarted = true
      turns?.runAtOnce(at: now)
      if let operation = startLanes(at: now, &workers) { return operation }
    }
    if let item = resuming.take() {
      turns?.runAtOnce(at: now)
      begin(item, wasHeldBack: false, &workers)
      frames.resume(.logic, at: now)
      return nil
    }
    if let change = renices.next(atOrBefore: now) { return renice(change, workers) }
    collect(by: now, &workers)
    let event = frames.ledger.nextEvent(at: now)
    if let event, event.posted <= now, servesFrame(event) {
      return beginFrame(event, at: now, ready: ready, &workers)
    }
    if let item = workers.lanes[.main].popFirst() { return takeUp(item, at: now, &workers) }
    if event.map({ $0.posted > now }) ?? true, let item = nextHeldBack(at: now) {
      turns?.beginEvent(of: 1, at: now)
      begin(item, wasHeldBack: true, &workers)
      frames.resume(.logic, at: now)
      return nil
    }
    frames.ledger.isIdle(at: now)
    turns?.isIdle()
    frames.resume(.post, at: Instant(nanoseconds: .max))
    return .doze(until: nextInstant(event, after: now, workers))
  }

  /// Takes in what has come by now, and hears of what wants a frame.
  mutating func collect(by now: Instant, _ workers: inout LaneWorkers) {
    workers.receive(by: now)
    for instant in workers.requests { frames.ledger.request(at: instant) }
    workers.requests.removeAll(keepingCapacity: true)
    while let (item, at) = workers.incoming.popFirst() {
      let isNew = item.step == 0
      if isNew && plan.workloads[item.workload].workload.draws { frames.ledger.request(at: at) }
      if isNew && gate.holdsBack[item.workload] {
        heldBack.append(item)
      } else {
        enqueue(item, at: at, &workers)
      }
    }
    admitHeldBack(at: now, &workers)
  }

  private mutating func enqueue(_ item: Item, at instant: Instant, _ workers: inout LaneWorkers) {
    workers.lanes[.main].append(item, hasPriority: workers.steps.hasPriority(item))
    waitingSince.append(item, at: instant)
  }

  /// Whether the frame begins now, before what waits.
  private func servesFrame(_ event: FrameEvents.Event) -> Bool {
    turns?.servesFrame(posted: event.posted, waitingSince: waitingSince.first) ?? true
  }

  private mutating func takeUp(
    _ item: Item, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    turns?.beginEvent(of: waitingSince.count, at: now)
    _ = waitingSince.popFirst()
    starting = item
    return startItem(at: now, &workers)
  }

  /// Begins with the item that was taken up, behind what its first steps leave to other lanes, or posts it to the lane where
  /// it goes on.
  mutating func startItem(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    stage = .choosingItem
    guard let item = starting.take() else { return nil }
    switch workers.onward(item) {
    case .forks:
      stage = .startingItem
      starting = item.next
      return workers.fork(item, at: now)
    case .isHere:
      begin(item, wasHeldBack: false, &workers)
      frames.enter(.logic, at: now, &workers.trace)
      return nil
    case .isElsewhere: return workers.post(item, at: now)
    case .isLeft: return nil
    }
  }

  private mutating func beginFrame(
    _ event: FrameEvents.Event, at now: Instant, ready: TimeSpan, _ workers: inout LaneWorkers
  ) -> Operation? {
    turns?.beginFrame()
    frames.begin(event, at: now, ready: ready)
    workers.services.vsync = frames.ledger.vsync
    frames.ledger.waiting(items: workers.items.waiting)
    drain.open(workers.results.count, at: now)
    stage = .drainingResults
    return nil
  }

  /// The end of an item, or of a part of one; of the turn, if it is the last one in it.
  mutating func endEvent(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    frames.enter(.post, at: now, &workers.trace)
    if let turns, !turns.isUnderWay { frames.ledger.eventEnded(from: turns.began, to: now) }
    stage = .choosingEvent
    return nil
  }

  // MARK: What is held back

  /// Lets in what the admission lets pass at the newest vsync, and opens the rest of its period to what fits.
  private mutating func admitHeldBack(at now: Instant, _ workers: inout LaneWorkers) {
    guard !heldBack.isEmpty else { return }
    let vsync = plan.scenario.display.refresh.vsyncs(through: now)
    guard vsync > triedVsync else { return }
    triedVsync = vsync
    gate.open(vsync: vsync, reserve: .zero)
    for _ in 0..<gate.admits(heldBack.count) {
      if let item = heldBack.popFirst() { enqueue(item, at: now, &workers) }
    }
  }

  private mutating func nextHeldBack(at now: Instant) -> Item? {
    guard gate.fillsFrames, let item = heldBack.first, fits(item, at: now) else { return nil }
    return heldBack.popFirst()
  }

  /// When there may be something to do next.
  private func nextInstant(
    _ event: FrameEvents.Event?, after now: Instant, _ workers: borrowing LaneWorkers
  ) -> Instant {
    let refresh = plan.scenario.display.refresh
    let isTried = heldBack.isEmpty
    let vsync = isTried ? nil : refresh.vsync(refresh.vsyncs(through: now) + 1)
    let instants = [event?.posted, workers.items.upcomingArrival, renices.upcoming, vsync]
    return instants.compactMap { $0 }.min() ?? Instant(nanoseconds: .max)
  }

  // MARK: Yielding

  /// Whether tasks end before their items do.
  var yields: Bool { plan.arrangement.yielding != nil }

  /// Ends the task here if it has lasted as long as tasks may: what is left of `item` waits behind all that does, or comes
  /// before anything else.
  mutating func yield(_ item: Item, at now: Instant, _ workers: inout LaneWorkers) -> Bool {
    guard let yielding = plan.arrangement.yielding, !workers.steps[item].isDone,
      workers.steps[item].lane == .main, !wasHeldBack
    else { return false }
    guard yielding.ends(after: now - eventBegan) else { return false }
    workers.letGo(.main)
    workers.services.carry(item, from: .main)
    stage = .releasingLocks
    guard yielding.givesWay else {
      resuming = item
      return true
    }
    // What comes at this very instant comes behind what ends at it.
    workers.receive(by: now - .nanoseconds(1))
    workers.incoming.append(item, at: now)
    return true
  }
}
