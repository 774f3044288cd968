internal import FrameBudget

/// The main thread: its progress within a frame.
struct MainThread: ~Copyable {
  /// The action at the next request for an operation.
  enum Stage {
    case waitingForVsync, drawingAhead, choosingEvent, startingItem, beginningFrame, startedLanes,
      handingOver, delivering, admitting, drainingResults
    /// Business logic: between two items, within one, after one, after one that was put aside, and after all of them.
    case choosingItem, runningLogic, leavingAnswer, leavingItem, releasingLocks, publishing
    case beginningReads, openingRead, readingState, closingRead, rendering, awaitingParts,
      endingFrame
  }

  let plan: RunPlan
  var stage: Stage
  /// In a loop of events, whether an item or a frame comes next; nil in a loop of frames.
  var turns: LoopTurns?
  /// In a loop of events, the arrival times of the items that wait for the main thread.
  var waitingSince = TimedItems()
  /// When the current event began.
  var eventBegan = Instant.zero
  /// The last vsync at which held-back items were tried.
  var triedVsync = -1
  /// Whether the start-up work of lanes is done.
  var hasStarted = false
  var frames: FrameAccounts
  var gate: AdmissionGate
  var drain: ResultDrain
  var renices: ReniceSchedule
  var reads: UIReads
  var parts: DrawingParts?
  /// The part of a later frame that runs.
  var ahead: DrawingParts.Unit?
  /// The parts of drawing that the frame has to hand to lanes.
  var handOvers: [DrawingParts.Unit] = []
  /// The second stage, as a thread or as a device; without either, frames are ready once they are drawn.
  var compositor: Compositor?
  var graphics: GraphicsDevice?
  /// Background items that have arrived and that the gate holds back.
  var heldBack = ItemQueue()
  /// The number of them that the gate admits now.
  var admissions = 0
  /// Whether the current item was held back, so that it may be put aside.
  var wasHeldBack = false
  /// Items whose tasks have ended without yielding to other work: they run before anything else. There is more than one only
  /// while they wait for a frame behind an input.
  var resuming = ItemQueue()
  /// When the newest first task of an input ended, until the main loop chooses its next event.
  var inputEnded: Instant?
  /// The item whose first steps are being forked to other lanes, if any.
  var starting: Item?
  /// The item that is being posted to another lane before any of its steps has run.
  var forwarded: Item?
  /// The current item, at the step up to which the gate has been informed.
  var begun = Item()
  /// How long the result took that ran behind the step that has just ended; zero if none did.
  var answering = TimeSpan.zero
  /// When business logic ended.
  var logicEnded = Instant.zero
  /// Whether a frame in which nothing waits for the main thread only reads and draws.
  private var drawsOnly = false
  /// Whether something is decided between two steps of an item.
  private var judgesSteps = false

  init(_ plan: RunPlan, detail: FrameLedger.Detail) {
    self.plan = plan
    turns = plan.scenario.display.mainLoop.events.map(LoopTurns.init)
    stage = .waitingForVsync
    frames = FrameAccounts(plan, detail: detail)
    gate = AdmissionGate(plan)
    drain = ResultDrain(plan)
    renices = ReniceSchedule(plan)
    reads = UIReads(plan)
    parts = DrawingParts(plan)
    let pipeline = plan.scenario.display.pipeline
    if pipeline.hasStageThread {
      compositor = Compositor(lanes: plan.arrangement.lanes.count)
    } else if pipeline.hasSecondStage {
      graphics = GraphicsDevice()
    }
    judgesSteps = gate.fillsFrames || yields
    drawsOnly = detail == .summary && turns == nil && parts == nil && gate.admitsAll
  }

  /// Simulates the frames before time 0 and returns their number.
  ///
  /// They only read and draw, and nothing else runs, so their lengths are known without the machine. Time 0 is when the
  /// first frame begins after the length of the warm-up; earlier frames have negative numbers.
  mutating func warmUp(speed: Int) -> Int {
    let refresh = plan.scenario.display.refresh
    let length = refresh.firstVsync(atOrAfter: .zero + plan.scenario.warmup)
    var count = 0
    var vsync = 0
    while vsync < length {
      count += 1
      let work = plan.drawingCost(vsync: -count)
      let span = Core(speed: speed).span(of: work.nanoseconds * 1000)
      gate.learn(reserve: span)
      vsync = refresh.shown(begun: vsync, ended: refresh.vsync(vsync) + span)
    }
    return count
  }

  /// The next operation. `ready` is the total time up to now for which the thread was ready and had no core.
  mutating func next(
    at now: Instant, ready: TimeSpan, _ workers: inout LaneWorkers
  ) -> Operation {
    if frames.isLocking { frames.lockTaken(at: now) }
    if let item = forwarded.take() { handlersEnded(item, at: now, &workers) }
    while true {
      if let operation = continueStage(at: now, ready: ready, &workers) {
        if case .lock = operation { frames.lockWanted(at: now, &workers.trace) }
        return operation
      }
    }
  }

  /// Advances by one stage; nil if that needed no operation.
  @inline(__always)
  private mutating func continueStage(
    at now: Instant, ready: TimeSpan, _ workers: inout LaneWorkers
  ) -> Operation? {
    switch stage {
    case .waitingForVsync: waitForVsync(at: now)
    case .drawingAhead: endDrawingAhead(at: now, &workers)
    case .choosingEvent: chooseEvent(at: now, ready: ready, &workers)
    case .startingItem: startItem(at: now, &workers)
    case .beginningFrame: beginFrame(at: now, ready: ready, &workers)
    case .startedLanes: startedLanes(at: now, &workers)
    case .handingOver: handOverParts(at: now, &workers)
    case .delivering: deliver(at: now, &workers)
    case .admitting: admit(at: now, &workers)
    case .drainingResults: drainResults(at: now, &workers)
    case .choosingItem: chooseItem(at: now, &workers)
    case .runningLogic: runLogic(at: now, &workers)
    case .leavingAnswer: leaveAnswer(at: now, &workers)
    case .leavingItem: leaveItem(at: now, &workers)
    case .releasingLocks: releaseLocks(at: now, &workers)
    case .publishing: publish(at: now, &workers)
    case .beginningReads: beginReads(at: now, &workers)
    case .openingRead: openRead(at: now, &workers)
    case .readingState: readState(at: now, &workers)
    case .closingRead: closeRead(&workers)
    case .rendering: render(&workers)
    case .awaitingParts: awaitParts(at: now, &workers)
    case .endingFrame: endFrame(at: now, ready: ready, &workers)
    }
  }

  /// Moves to stage `next`, whose time counts as `phase`.
  mutating func enter(
    _ next: Stage, _ phase: Phase, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    stage = next
    frames.enter(phase, at: now, &workers.trace)
    return nil
  }

  /// Whether it runs an item whose next step may follow at once.
  @inline(__always)
  var runsFreely: Bool { stage == .runningLogic && !judgesSteps }

  // MARK: Begin and end of a frame

  private mutating func waitForVsync(at now: Instant) -> Operation {
    // The second stage ends this sleep when a buffer is free.
    if !frames.ledger.isNextKnown { return .interruptibleSleep(until: Instant(nanoseconds: .max)) }
    if turns == nil, let operation = drawAhead(at: now) { return operation }
    stage = turns == nil ? .beginningFrame : .choosingEvent
    return frames.ledger.isOver ? .end : .sleep(until: frames.ledger.due)
  }

  private mutating func beginFrame(
    at now: Instant, ready: TimeSpan, _ workers: inout LaneWorkers
  ) -> Operation? {
    guard frames.ledger.mayBegin(at: now) else { return .end }
    frames.begin(at: now, ready: ready)
    let vsync = frames.ledger.vsync
    gate.open(
      vsync: vsync,
      reserve: plan.drawingCost(vsync: vsync, with: parts))
    handOvers = parts?.handOvers(frames.ledger, of: plan) ?? []
    stage = firstStage
    return vsync == 0 ? startLanes(at: now, &workers) : nil
  }

  private var firstStage: Stage { handOvers.isEmpty ? .delivering : .handingOver }

  /// Hands parts of drawing to lanes, then begins the frame's other work.
  private mutating func handOverParts(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    if !handOvers.isEmpty { return workers.post(handOvers.removeFirst()) }
    if turns == nil { return enter(.delivering, .post, at: now, &workers) }
    drain.open(workers.results.count, at: now)
    return enter(.drainingResults, .drain, at: now, &workers)
  }

  /// Runs the whole frame that begins at `now`, if it only reads and draws and ends before the next vsync, which is before `end`. No
  /// other thread does anything before `end`. Returns when it ended, and the next vsync; nil, and does nothing, if more may happen.
  ///
  /// The same as all stages from `beginningFrame` to `waitingForVsync`: in an app that is mostly idle, nearly all frames are such.
  @inline(__always)
  mutating func runIdleFrame(
    at now: Instant, before end: Instant, _ workers: inout LaneWorkers,
    _ locks: borrowing LockTable
  ) -> (end: Instant, next: Instant)? {
    guard drawsOnly, stage == .beginningFrame, workers.hasNothingForMain(at: now),
      renices.upcoming.map({ $0 > now }) ?? true, reads.areFree(workers.services, locks)
    else { return nil }
    let vsync = frames.ledger.vsync
    let next = plan.scenario.display.refresh.vsync(vsync + 1)
    let reading = reads.cost(vsync: vsync, locking: workers.lockCost)
    let drawing = plan.renderCost(vsync: vsync)
    let ended = now + reading + drawing
    guard ended < next, next < end,
      frames.ledger.passIdle(reading: reading, drawing: drawing, waiting: workers.items.waiting)
    else { return nil }
    reads.pass(vsync: vsync, locking: workers.lockCost, at: now)
    workers.services.vsync = vsync + 1
    workers.items.frameShown(at: next)
    return (ended, next)
  }

  /// The first frame restores the jobs of lanes that restore on the main thread; that counts as business logic.
  mutating func startLanes(
    at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    var restoring = TimeSpan.zero
    for (index, lane) in plan.arrangement.lanes.indexed where !lane.restoresInBackground {
      restoring += workers.lanes[index].restoring
    }
    guard restoring > .zero else { return nil }
    stage = .startedLanes
    frames.enter(.logic, at: now, &workers.trace)
    return .compute(restoring)
  }

  private mutating func endFrame(
    at now: Instant, ready: TimeSpan, _ workers: inout LaneWorkers
  ) -> Operation? {
    if let left = parts?.drew(took: now - frames.since) {
      frames.ledger.drew(leaving: left, at: now)
    }
    frames.close(at: now, ready: ready, &workers.trace)
    let vsync = frames.ledger.vsync
    let shown = frames.ledger.end(at: now)
    workers.services.vsync = frames.ledger.vsync
    if turns != nil, drain.hasLeft { frames.ledger.request(at: now) }
    gate.learn(reserve: now - logicEnded - frames.blocked)
    stage = turns == nil ? .waitingForVsync : .choosingEvent
    guard let shown else { return handOver(vsync, at: now, &workers) }
    workers.items.frameShown(at: plan.scenario.display.refresh.vsync(shown))
    return nil
  }

  private mutating func startedLanes(
    at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    if turns != nil { return endEvent(at: now, &workers) }
    return enter(firstStage, .post, at: now, &workers)
  }

  // MARK: The second stage

  private mutating func handOver(
    _ vsync: Int, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    workers.items.frameEnded()
    if let operation = graphics?.post(plan.compositorCost(vsync: vsync), at: now) {
      return operation
    }
    return compositor?.post(frame: vsync)
  }

  /// Records the frames that the device has finished by `now`.
  mutating func takeDrawn(by now: Instant, _ workers: inout LaneWorkers) {
    while let drawn = graphics?.popReady(by: now) {
      let thread = workers.runners.endIndex
      workers.trace?.append(.phase(.compositor), by: thread, from: drawn.begin, to: drawn.ready)
      frameIsReady(at: drawn.ready, &workers)
    }
  }

  /// The next operation of the second stage's thread, the last of the lanes' threads.
  mutating func nextOfSecondStage(at now: Instant, _ workers: inout LaneWorkers) -> Operation {
    guard var stage = compositor.take() else { return .end }
    defer { compositor = stage }
    return stage.next(at: now, &self, &workers, thread: workers.runners.endIndex)
  }

  /// Records that the oldest frame in the second stage is ready.
  mutating func frameIsReady(at now: Instant, _ workers: inout LaneWorkers) {
    let shown = frames.ledger.ready(at: now)
    workers.wakesMain = true
    workers.items.frameShown(at: plan.scenario.display.refresh.vsync(shown))
  }

  // MARK: The end of a run

  /// Records what is pending at the end of the run. During a hang that the end cuts off, the state on the screen has the
  /// age that it has then.
  mutating func notePending(at end: Instant, ready: TimeSpan, _ workers: inout LaneWorkers) {
    if turns == nil, stage == .drawingAhead, let unit = ahead {
      frames.drewAhead(unit, at: end, &workers.trace)
    }
    frames.close(at: end, ready: ready, &workers.trace)
    if let turns {
      if !frames.ledger.isUnderWay, stage != .choosingEvent || turns.isUnderWay {
        frames.ledger.eventEnded(from: turns.began, to: end)
      }
      // Items that were not dequeued requested frames all the same.
      // It looks at nothing that arrives meanwhile, so no newer item replaces an older one.
      collectRequests(by: end - .nanoseconds(1), &workers)
    }
    if frames.ledger.isHanging(at: end) {
      reads.noteHang(workers.services, workers.items, of: plan, at: end)
    }
    while let (workload, number) = workers.newest.takeHeld() {
      workers.notePending(Item(workload: workload, number: Int32(number)))
    }
    if let item = starting.take() { workers.notePending(item) }
    while let item = resuming.popFirst() { workers.notePending(item) }
    while let item = heldBack.popFirst() { workers.notePending(item) }
  }
}

// The second half of a frame: the UI reads state and draws.
extension MainThread {
  mutating func beginReads(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    reads.restart()
    return enter(.openingRead, .reads, at: now, &workers)
  }

  mutating func openRead(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    if reads.isOver { return enter(.rendering, .render, at: now, &workers) }
    stage = .readingState
    if let lock = reads.lock { return .lock(lock) }
    let freeing = reads.takeSnapshot(from: &workers.services, at: now)
    guard freeing > .zero else { return nil }
    frames.enter(.release, at: now, &workers.trace)
    return .compute(freeing)
  }

  mutating func readState(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    frames.enter(.reads, at: now, &workers.trace)
    stage = .closingRead
    let locking = reads.lock == nil ? .zero : workers.lockCost
    let vsync = frames.ledger.vsync
    return .compute(reads.begin(in: &workers.services, vsync: vsync, at: now) + locking)
  }

  mutating func closeRead(_ workers: inout LaneWorkers) -> Operation? {
    stage = .openingRead
    return reads.end(in: &workers.services).map { .unlock($0) }
  }

  mutating func render(_ workers: inout LaneWorkers) -> Operation {
    stage = .endingFrame
    let vsync = frames.ledger.vsync
    let bringsNew = frames.ledger.bringsNew
    let awaited = parts?.take(workers.prepared.take(of: vsync), vsync: vsync)
    let cost =
      parts?.begin(vsync: vsync, bringsNew: bringsNew, of: plan) ?? plan.renderCost(vsync: vsync)
    frames.ledger.draws(
      parts?.drawnParts ?? plan.partTimes(vsync: vsync), at: frames.since)
    guard awaited != nil, let costs = parts?.costs else { return .compute(cost) }
    stage = .awaitingParts
    return .compute(costs.parts)
  }

  /// Waits for the parts of drawing that lanes prepare for this frame, then draws the rest.
  mutating func awaitParts(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    let vsync = frames.ledger.vsync
    let count = parts?.unready(vsync: vsync).count ?? 0
    let prepared = workers.prepared.take(awaiting: count, of: vsync)
    guard let awaited = parts?.take(prepared, vsync: vsync) else {
      stage = .endingFrame
      return .compute(parts?.costs.rest ?? .zero)
    }
    parts?.waits(behind: now - frames.since)
    frames.lockWanted(at: now, &workers.trace)
    workers.trace?.waits(for: awaited, at: now)
    return .interruptibleSleep(until: Instant(nanoseconds: .max))
  }

  // MARK: Parts of later frames

  /// Runs a piece of a part of a later frame, if one fits into the idle time.
  mutating func drawAhead(at now: Instant) -> Operation? {
    guard let unit = parts?.next(at: now, between: frames.ledger) else { return nil }
    ahead = unit
    turns?.runAtOnce(at: now)
    frames.resume(.render, at: now)
    stage = .drawingAhead
    return .compute(unit.cost)
  }

  mutating func endDrawingAhead(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    if let unit = ahead.take() {
      parts?.ended(unit, took: now - frames.since)
      frames.drewAhead(unit, at: now, &workers.trace)
    }
    stage = turns == nil ? .waitingForVsync : .choosingEvent
    return nil
  }
}

// A main loop that handles one event after the other, items and frames, in the order of `LoopTurns`.
extension MainThread {
  /// Begins the next event; if there is none, sleeps until one is due.
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
    let deferralEnd = deferralEnd(at: now, &workers)
    let isDeferring = deferralEnd != nil
    if !isDeferring, let item = resuming.popFirst() {
      turns?.runAtOnce(at: now)
      begin(item, wasHeldBack: false, at: now, &workers)
      frames.resume(.logic, at: now)
      return nil
    }
    if let change = renices.next(atOrBefore: now) { return renice(change, workers) }
    collect(by: now, &workers)
    let event = frames.ledger.nextEvent(at: now)
    if let event, event.posted <= now, servesFrame(event, isDeferring: isDeferring) {
      return beginFrame(event, at: now, ready: ready, &workers)
    }
    if let item = nextItem(isDeferring: isDeferring, &workers) {
      return dispatch(item, isDeferring: isDeferring, at: now, &workers)
    }
    if !isDeferring, event.map({ $0.posted > now }) ?? true, let item = nextHeldBack(at: now) {
      turns?.beginEvent(of: 1, at: now)
      begin(item, wasHeldBack: true, at: now, &workers)
      frames.resume(.logic, at: now)
      return nil
    }
    frames.ledger.noteIdle(at: now)
    turns?.noteIdle()
    if !isDeferring, let operation = drawAhead(at: now) { return operation }
    frames.resume(.post, at: Instant(nanoseconds: .max))
    let others = [parts?.retry(after: now, between: frames.ledger), deferralEnd]
    let next = nextInstant(event, after: now, workers)
    return .interruptibleSleep(until: others.reduce(next) { min($0, $1 ?? $0) })
  }

  /// When the queue stops waiting for a frame behind an input; nil if it does not wait.
  private mutating func deferralEnd(at now: Instant, _ workers: inout LaneWorkers) -> Instant? {
    let ended = inputEnded.take()
    guard turns?.mayDefer(at: now, behindInputUntil: ended) == true else { return nil }
    collect(by: now, &workers)
    return turns?.deferralEnd(at: now, behindInputUntil: ended, frames.ledger)
  }

  /// Collects what has arrived, and the requests for frames.
  private mutating func collectRequests(by now: Instant, _ workers: inout LaneWorkers) {
    workers.receive(by: now, checksTimers: true)
    for instant in workers.requests { frames.ledger.request(at: instant) }
    workers.requests.removeAll(keepingCapacity: true)
  }

  /// Looks at arrived items and requests for frames.
  mutating func collect(by now: Instant, _ workers: inout LaneWorkers) {
    collectRequests(by: now, &workers)
    while let (item, at) = workers.incoming.popFirst() {
      let isNew = item == item.atStart
      if isNew, !workers.receives(item, at: now) { continue }
      enqueue(item, isNew: isNew, at: at, &workers)
    }
    while let item = workers.released(at: now) {
      enqueue(item, isNew: true, at: now, &workers)
    }
    while let item = heldBack.first, workers.dropIfReplaced(item) { _ = heldBack.popFirst() }
    admitHeldBack(at: now, &workers)
  }

  private mutating func enqueue(
    _ item: Item, isNew: Bool, at instant: Instant, _ workers: inout LaneWorkers
  ) {
    if isNew && gate.holdsBack[item.workload] { return heldBack.append(item) }
    enqueue(item, at: instant, &workers)
  }

  private mutating func enqueue(_ item: Item, at instant: Instant, _ workers: inout LaneWorkers) {
    workers.lanes[.main].append(item, hasPriority: workers.steps.hasPriority(item))
    waitingSince.append(item, at: instant)
  }

  /// Whether the frame begins now, before the waiting items that may run.
  private func servesFrame(_ event: FrameEvents.Event, isDeferring: Bool) -> Bool {
    let first = isDeferring ? waitingSince.firstNewInput(of: plan) : waitingSince.first
    return turns?.servesFrame(posted: event.posted, waitingSince: first) ?? true
  }

  /// Dequeues the next item that may run.
  private mutating func nextItem(isDeferring: Bool, _ workers: inout LaneWorkers) -> Item? {
    guard isDeferring else { return workers.lanes[.main].popFirst() }
    return workers.lanes[.main].popNewInput(of: plan)
  }

  private mutating func dispatch(
    _ item: Item, isDeferring: Bool, at now: Instant, _ workers: inout LaneWorkers
  ) -> Operation? {
    turns?.beginEvent(of: waitingSince.count, at: now)
    if isDeferring { waitingSince.remove(item) } else { _ = waitingSince.popFirst() }
    starting = item
    return startItem(at: now, &workers)
  }

  /// Begins the dequeued item after its forked first steps, or posts it to the lane of its next step.
  mutating func startItem(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    stage = .choosingItem
    guard let item = starting.take() else { return nil }
    if workers.dropIfReplaced(item) { return nil }
    switch workers.nextAction(item) {
    case .forks:
      stage = .startingItem
      starting = item.next
      return fork(item, at: now, &workers)
    case .isHere:
      begin(item, wasHeldBack: false, at: now, &workers)
      frames.enter(.logic, at: now, &workers.trace)
      return nil
    case .isElsewhere: return forward(item, at: now, &workers)
    case .isLeft: return leave(item, at: now, &workers)
    }
  }

  private mutating func beginFrame(
    _ event: FrameEvents.Event, at now: Instant, ready: TimeSpan, _ workers: inout LaneWorkers
  ) -> Operation? {
    turns?.beginFrame(posted: event.posted)
    frames.begin(event, at: now, ready: ready)
    workers.services.vsync = frames.ledger.vsync
    frames.ledger.waiting(items: workers.items.waiting)
    handOvers = parts?.handOvers(frames.ledger, of: plan) ?? []
    if handOvers.isEmpty {
      drain.open(workers.results.count, at: now)
      stage = .drainingResults
    } else {
      stage = .handingOver
      frames.resume(.post, at: now)
    }
    return nil
  }

  /// Records that the main thread has finished handling `item` for now.
  mutating func handlersEnded(_ item: Item, at now: Instant, _ workers: inout LaneWorkers) {
    if workers.items.handlersEnded(item, at: now) { inputEnded = now }
  }

  /// Ends an item or a part of one, and the turn if it was the last one in it.
  mutating func endEvent(at now: Instant, _ workers: inout LaneWorkers) -> Operation? {
    frames.enter(.post, at: now, &workers.trace)
    if let turns, !turns.isUnderWay { frames.ledger.eventEnded(from: turns.began, to: now) }
    stage = .choosingEvent
    return nil
  }

  // MARK: Held-back items

  /// Admits held-back items at a new vsync, and opens the rest of its period to items that fit.
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

  /// The next instant at which there may be something to do.
  private func nextInstant(
    _ event: FrameEvents.Event?, after now: Instant, _ workers: borrowing LaneWorkers
  ) -> Instant {
    let refresh = plan.scenario.display.refresh
    let isTried = heldBack.isEmpty
    let vsync = isTried ? nil : refresh.vsync(refresh.vsyncs(through: now) + 1)
    let instants = [
      event?.posted, workers.items.upcomingArrival, workers.newest.upcoming, renices.upcoming,
      vsync,
    ]
    return instants.compactMap { $0 }.min() ?? Instant(nanoseconds: .max)
  }

  // MARK: Yielding

  /// Whether tasks yield before their items are done.
  var yields: Bool { plan.arrangement.yielding != nil }

  /// Ends the task if it has reached its time limit. The rest of `item` waits behind all other work or, if the strategy
  /// says so, runs before anything else.
  mutating func yield(_ item: Item, at now: Instant, _ workers: inout LaneWorkers) -> Bool {
    guard let yielding = plan.arrangement.yielding, !workers.steps[item].isDone,
      workers.steps[item].lane == .main, !wasHeldBack
    else { return false }
    guard yielding.ends(after: now - eventBegan) else { return false }
    handlersEnded(item, at: now, &workers)
    workers.releaseItem(.main)
    workers.services.carry(item, from: .main)
    stage = .releasingLocks
    guard yielding.yieldsToOthers else {
      resuming.append(item)
      return true
    }
    // Items that arrive at this instant come after the task that ends at it.
    workers.receive(by: now - .nanoseconds(1))
    workers.incoming.append(item, at: now)
    return true
  }
}
