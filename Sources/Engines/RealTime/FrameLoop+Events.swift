internal import SchedulableThreads
internal import FrameBudget

// A main loop of events: dispatches items and frames in the order of `LoopTurns`.
extension FrameLoop {
  /// Dispatches events until the duration has passed or the run is interrupted; returns the end.
  mutating func runEvents(_ loop: MainLoop.Events) -> Instant {
    clock.sleep(until: .zero)
    frames.forgetWarmUp()
    var turns = LoopTurns(loop)
    turns.runAtOnce(at: clock.now)
    launchLanes()
    frames.endEvent(in: turns)
    while !isOver && !isInterrupted && clock.now < end {
      let now = clock.now
      let deferralEnd = deferralEnd(&turns, at: now)
      // The rest of a task that resumes first learns nothing of newer items.
      if deferralEnd == nil, !queue.resumes || app.newest == nil { collect(by: now) }
      if !dispatchNext(&turns, isDeferring: deferralEnd != nil, at: now) {
        turns.noteIdle()
        frames.ledger.noteIdle(at: now)
        if deferralEnd != nil || !drawAhead() { sleep(after: now, deferralEnd) }
      }
    }
    return min(clock.now, end)
  }

  /// When the queue stops waiting for a frame behind an input; nil if it does not wait.
  private mutating func deferralEnd(_ turns: inout LoopTurns, at now: Instant) -> Instant? {
    let ended = inputEnded.take()
    guard turns.mayDefer(at: now, behindInputUntil: ended) else { return nil }
    collect(by: now)
    return turns.deferralEnd(at: now, behindInputUntil: ended, frames.ledger)
  }

  /// Dispatches the next event; false if there is none.
  private mutating func dispatchNext(
    _ turns: inout LoopTurns, isDeferring: Bool, at now: Instant
  ) -> Bool {
    if !isDeferring, let item = queue.popResuming() {
      turns.runAtOnce(at: now)
      dispatch(item, turns)
      return true
    }
    let event = frames.ledger.nextEvent(at: now)
    if let event, event.posted <= now,
      turns.servesFrame(
        posted: event.posted, waitingSince: queue.waitingSince(ofInput: isDeferring, of: plan))
    {
      turns.beginFrame(posted: event.posted)
      isOver = !runFrame(event)
      return true
    }
    let waiting = queue.waitingCount
    if let item = queue.popFirst(ofInput: isDeferring, of: plan) {
      turns.beginEvent(of: waiting, at: now)
      dispatch(item, turns)
      return true
    }
    guard !isDeferring, event.map({ $0.posted > now }) ?? true, let turn = nextTurn(at: now)
    else { return false }
    turns.beginEvent(of: 1, at: now)
    begin(.logic)
    let left = advance(turn.item, onlyOneStep: queue.gate.slicesSteps)
    if let left { queue.putBack(left, after: turn) }
    frames.endEvent(in: turns)
    return true
  }

  private mutating func begin(_ phase: Phase) { frames.beginEvent(phase) }

  /// Runs an item's steps on the main thread after posting its first forks, or posts it to the lane of its next step.
  private mutating func dispatch(_ item: LiveItem, _ turns: LoopTurns) {
    if dropIfReplaced(item) {
      begin(.post)
      return frames.endEvent(in: turns)
    }
    let isHere = item.nextStep(in: plan).map { $0.lane == .main } ?? true
    begin(isHere ? .logic : .post)
    if !isHere { beginHandlers(of: item) }
    if let item = isHere ? item : start(item) { run(item) } else { endHandlers(of: item) }
    frames.endEvent(in: turns)
  }

  /// Posts the forks before the first step of `item`; nil if the item continues on another lane.
  private mutating func start(_ item: LiveItem) -> LiveItem? {
    guard let item = app.continued(item, from: .main, &frames.trace) else { return nil }
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
    if let yielding, !yielding.yieldsToOthers { return queue.resume(left) }
    // After the events that arrived meanwhile, except for timers, which the loop checks afterwards.
    collect(by: clock.now, checksTimers: false)
    queue.append(left, at: clock.now)
  }

  /// Runs the frame of `event`; false if the run ended first.
  private mutating func runFrame(_ event: FrameEvents.Event) -> Bool {
    frames.begin(event)
    let vsync = frames.ledger.vsync
    app.services.frameBegan(vsync)
    frames.ledger.waiting(items: queue.waiting(besides: app.itemsEndedOrRunning))
    if parts?.preparesParts == true {
      frames.enter(.post)
      handOverParts()
      frames.enter(.drain)
    }
    showResults()
    frames.enter(.logic)
    guard finishFrame(vsync) else { return false }
    if results.hasLeft { frames.ledger.request(at: clock.now) }
    progress.frameEnded(at: clock.now, dropped: frames.ledger.dropped)
    return true
  }

  // MARK: Arrivals

  /// Collects everything that arrived by `now`, in order, and the requests for frames.
  private mutating func collect(by now: Instant, checksTimers: Bool = true) {
    renice(by: now)
    takeReady(by: end)
    if let watch { queue.takeAdditions(from: watch, clock: clock) }
    takeReturned(by: end)
    for instant in app.takeRequests() { frames.ledger.request(at: instant) }
    for (item, at) in app.takeMainInbox() {
      takeArrivals(by: min(at, now))
      queue.append(item, at: at)
    }
    takeArrivals(by: now, checksTimers: checksTimers)
    queue.openPeriod(plan.scenario.display.refresh.vsyncs(through: now), at: now)
    watch?.delivered(queue.delivered)
  }

  /// Collects the last arrivals and frame requests of a run that ended at `end`.
  mutating func takeRest(before end: Instant) {
    for instant in app.takeRequests() where instant < end { frames.ledger.request(at: instant) }
    takeArrivals(by: end - .nanoseconds(1), checksTimers: true)
  }

  private mutating func takeArrivals(by now: Instant, checksTimers: Bool = false) {
    var wanted: [Instant] = []
    while let (item, since) = queue.nextArrival(
      receivedAt: now, checksTimers: checksTimers, &items,
      note: { if plan.workloads[$0.workload].workload.draws { wanted.append($0.instant) } })
    {
      queue.append(item, at: since)
    }
    for instant in wanted { frames.ledger.request(at: instant) }
    guard checksTimers else { return }
    while let item = queue.nextReleased(at: now) { queue.append(item, at: now) }
  }

  // MARK: Sleeping

  /// Sleeps until the next event, or until the doorbell rings.
  private mutating func sleep(after now: Instant, _ deferralEnd: Instant?) {
    let refresh = plan.scenario.display.refresh
    let vsync = queue.holdsSomeBack ? refresh.vsync(refresh.vsyncs(through: now) + 1) : nil
    let instants = [
      end, frames.ledger.nextEvent(at: now)?.posted, queue.upcomingArrival, queue.upcomingRelease,
      renices.upcoming, vsync, parts?.retry(after: now, between: frames.ledger), deferralEnd,
    ]
    guard let next = instants.compactMap({ $0 }).min() else { return }
    app.doorbell.park(forNanoseconds: parkTimeout(until: next))
  }
}
