internal import Concurrency
internal import FrameBudget

// A main loop that takes up one event after the other, items and frames, in the order of `LoopTurns`.
extension FrameLoop {
  /// Takes up event after event until the duration has passed or the run is interrupted; returns when that was.
  mutating func runEvents(_ loop: MainLoop.Events) -> Instant {
    clock.sleep(until: .zero)
    frames.forgetWarmUp()
    var turns = LoopTurns(loop)
    turns.runAtOnce(at: clock.now)
    launchLanes()
    frames.endEvent(in: turns)
    while !isOver && !isInterrupted && clock.now < end {
      let now = clock.now
      collect(by: now)
      if !dispatchNext(&turns, at: now) {
        turns.isIdle()
        sleep(after: now)
      }
    }
    return min(clock.now, end)
  }

  /// Takes up what comes first; false if nothing is to be done.
  private mutating func dispatchNext(_ turns: inout LoopTurns, at now: Instant) -> Bool {
    if let item = queue.resuming.take() {
      turns.runAtOnce(at: now)
      takeUp(item, turns)
      return true
    }
    let event = frames.ledger.nextEvent(at: now)
    if let event, event.posted <= now,
      turns.servesFrame(posted: event.posted, waitingSince: queue.waitingSince)
    {
      turns.beginFrame()
      isOver = !runFrame(event)
      return true
    }
    let waiting = queue.waitingCount
    if let item = queue.popFirst() {
      turns.beginEvent(of: waiting, at: now)
      takeUp(item, turns)
      return true
    }
    guard event.map({ $0.posted > now }) ?? true, let turn = queue.next(of: plan, at: now)
    else { return false }
    turns.beginEvent(of: 1, at: now)
    begin(.logic)
    let left = advance(turn.item, onlyOneStep: queue.gate.slicesSteps)
    if let left { queue.putBack(left, after: turn) }
    frames.endEvent(in: turns)
    return true
  }

  private mutating func begin(_ phase: Phase) { frames.beginEvent(phase) }

  /// Runs the part of an item that is on the main thread, behind what its first steps leave to other lanes, or posts it to
  /// the lane where it goes on.
  private mutating func takeUp(_ item: LiveItem, _ turns: LoopTurns) {
    let isHere = item.nextStep(in: plan).map { $0.lane == .main } ?? true
    begin(isHere ? .logic : .post)
    if !isHere { beginHandlers(of: item) }
    if let item = isHere ? item : start(item) { run(item) } else { endHandlers(of: item) }
    frames.endEvent(in: turns)
  }

  /// Posts what `item` leaves to other lanes before its first step here; nil if it goes on elsewhere.
  private mutating func start(_ item: LiveItem) -> LiveItem? {
    guard let item = app.onward(item, from: .main, &frames.trace) else { return nil }
    guard let step = item.nextStep(in: plan), step.lane != .main else {
      frames.enter(.logic)
      return item
    }
    app.post(item, to: step.lane, &frames.trace)
    return nil
  }

  private mutating func run(_ item: LiveItem) {
    let yielding = plan.arrangement.yielding
    guard let left = advance(item, onlyOneStep: false, yielding: yielding) else { return }
    if let yielding, !yielding.givesWay { return queue.resuming = left }
    // Behind what has come meanwhile.
    collect(by: clock.now)
    queue.append(left, at: clock.now)
  }

  /// Runs the frame of `event`; false if the run ended before its work did.
  private mutating func runFrame(_ event: FrameEvents.Event) -> Bool {
    frames.begin(event)
    let vsync = frames.ledger.vsync
    app.services.frameBegan(vsync)
    frames.ledger.waiting(items: max(0, queue.delivered - app.itemsEndedOrRunning))
    showResults()
    frames.enter(.logic)
    guard finishFrame(vsync) else { return false }
    if results.hasLeft { frames.ledger.request(at: clock.now) }
    progress.frameEnded(at: clock.now, dropped: frames.ledger.dropped)
    return true
  }

  // MARK: What came

  /// Takes in what has come by `now`, in the order in which it came, and hears of what wants a frame.
  private mutating func collect(by now: Instant) {
    renice(by: now)
    takeReady(by: end)
    if let watch { queue.takeAdditions(from: watch, clock: clock) }
    takeReturned(by: end)
    for instant in app.takeRequests() { frames.ledger.request(at: instant) }
    for (item, at) in app.takeTimedInbox() {
      takeArrivals(by: min(at, now))
      queue.append(item, at: at)
    }
    takeArrivals(by: now)
    queue.openPeriod(plan.scenario.display.refresh.vsyncs(through: now), at: now)
    watch?.delivered(queue.delivered)
  }

  /// Takes in what came by `end`, of a run that ended there, so that it is known which frames were wanted.
  mutating func takeRest(before end: Instant) {
    for instant in app.takeRequests() where instant < end { frames.ledger.request(at: instant) }
    takeArrivals(by: end - .nanoseconds(1))
  }

  private mutating func takeArrivals(by now: Instant) {
    var wanted: [Instant] = []
    while let (item, at) = queue.nextTimedArrival(
      atOrBefore: now, &items,
      note: { if plan.workloads[$0.workload].workload.draws { wanted.append($0.instant) } })
    {
      queue.append(item, at: at)
    }
    for instant in wanted { frames.ledger.request(at: instant) }
  }

  // MARK: Sleeping

  /// Sleeps until something is due, or somebody rings.
  private mutating func sleep(after now: Instant) {
    frames.ledger.isIdle(at: now)
    let refresh = plan.scenario.display.refresh
    let vsync = queue.holdsSomeBack ? refresh.vsync(refresh.vsyncs(through: now) + 1) : nil
    let instants = [
      end, frames.ledger.nextEvent(at: now)?.posted, queue.upcomingArrival, renices.upcoming, vsync,
    ]
    guard let next = instants.compactMap({ $0 }).min() else { return }
    app.doorbell.park(forNanoseconds: patience(until: next))
  }
}
