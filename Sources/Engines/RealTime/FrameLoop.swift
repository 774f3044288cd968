internal import SchedulableThreads
internal import FrameBudget

/// The main thread of the app under test: draws the frames, and does the work that the arrangement assigns to it.
///
/// Everything here runs on the process's main thread. The order of a frame is fixed: arrivals, results, business logic, UI
/// reads, drawing. `FrameLoop+Work.swift` has the first three.
struct FrameLoop: ~Copyable {
  let app: LiveApp
  let plan: RunPlan
  let clock: RunClock
  let end: Instant
  let progress: RunProgress
  /// Nil if the run is not watched.
  let watch: RunWatch?

  var frames: FrameJournal
  var items: ItemLedger
  var renices: ReniceSchedule
  var queue: MainQueue
  var results: ReturnedResults
  private var shown: ShownState
  private(set) var parts: DrawingParts?
  /// The second stage of frames; nil if they end with drawing.
  private let secondStage: SecondStage?
  /// Whether the time is up or the run was interrupted.
  var isOver = false
  /// When the newest first task of an input ended, until the main loop chooses its next event.
  var inputEnded: Instant?

  init(
    _ app: LiveApp, secondStage: SecondStage? = nil, progress: RunProgress,
    watch: RunWatch? = nil, contention: ProcessorContention = .none, detail: FrameLedger.Detail
  ) {
    self.app = app
    self.secondStage = secondStage
    self.watch = watch
    self.progress = progress
    plan = app.plan
    clock = app.clock
    end = .zero + plan.scenario.duration
    frames = FrameJournal(plan, clock: clock, contention: contention, watch: watch, detail: detail)
    items = ItemLedger(plan, duration: plan.scenario.duration)
    renices = ReniceSchedule(plan)
    queue = MainQueue(plan, app.newest)
    results = ReturnedResults(plan)
    shown = ShownState(plan)
    parts = DrawingParts(plan)
  }

  /// Draws until `warmup` has passed, then sets time 0 to the next vsync. Returns the number of drawn frames.
  mutating func warmUp(_ warmup: TimeSpan) -> Int {
    let refresh = plan.scenario.display.refresh
    clock.restart(at: clock.now)
    var vsync = 0
    var drawn = 0
    while refresh.vsync(vsync) < .zero + warmup && !isInterrupted {
      clock.sleep(until: refresh.vsync(vsync))
      frames.beginWarmUpFrame()
      drawn += 1
      let reserve = draw(vsync: -drawn)
      queue.gate.learn(reserve: reserve)
      vsync = refresh.shown(begun: vsync, ended: clock.now)
    }
    clock.restart(at: refresh.vsync(vsync))
    frames.trace.clear()
    shown.restart(frames: refresh.vsyncs(through: end) + 1)
    return drawn
  }

  /// Runs frames until the duration has passed or the run is interrupted; returns the end.
  mutating func run() -> Instant {
    if let loop = plan.scenario.display.mainLoop.events { return runEvents(loop) }
    while !frames.ledger.isOver {
      waitForBuffer()
      guard frames.ledger.isNextKnown else { return min(clock.now, end) }
      if frames.ledger.isOver { break }
      if drawAhead() { continue }
      clock.sleep(until: frames.ledger.due)
      takeReady(by: end)
      if !isInterrupted, !frames.ledger.mayBegin(at: clock.now) { break }
      if isInterrupted || !runFrame() { return min(clock.now, end) }
      progress.frameEnded(at: clock.now, dropped: frames.ledger.dropped)
    }
    clock.sleep(until: end)
    return isInterrupted ? min(clock.now, end) : end
  }

  var isInterrupted: Bool {
    Interruption.signal != nil || watch?.isStopping ?? false
  }

  /// Runs the frame that is due; false if the run ended first.
  private mutating func runFrame() -> Bool {
    frames.begin()
    let vsync = frames.ledger.vsync
    app.services.frameBegan(vsync)
    queue.gate.open(
      vsync: vsync,
      reserve: plan.drawingCost(vsync: vsync, with: parts))
    if vsync == 0 { launchLanes() }
    handOverParts()
    deliver(by: frames.ledger.due)
    drain()
    runLogic()
    return finishFrame(vsync)
  }

  /// How long the thread may sleep, in nanoseconds. Bounded, because an interruption does not wake it.
  func parkTimeout(until instant: Instant) -> Int64 {
    min(max(0, (instant - clock.now).nanoseconds), 100_000_000)
  }

  /// Reads, draws and ends the frame of `vsync`; false if the run ended first.
  mutating func finishFrame(_ vsync: Int) -> Bool {
    let reserve = isOver ? .zero : publish() + draw(vsync: vsync)
    let ended = clock.now
    frames.noteTimeNotRunning(until: ended)
    if isOver { return false }
    queue.gate.learn(reserve: reserve)
    if ended > end { return false }
    let shown = frames.ledger.end(at: ended)
    watch?.frameEnded()
    if let shown { noteShown(at: shown) } else { handOver(vsync) }
    return true
  }

  // MARK: Behind the main thread

  private mutating func handOver(_ vsync: Int) {
    items.frameEnded()
    secondStage?.post(plan.compositorCost(vsync: vsync))
  }

  /// Records the frames that the second stage has finished by `end`.
  mutating func takeReady(by end: Instant) {
    for ready in secondStage?.fetch() ?? [] where ready <= end {
      noteShown(at: frames.ledger.ready(at: ready))
    }
  }

  /// Records that the newest ready frame will be shown at `vsync`.
  private mutating func noteShown(at vsync: Int) {
    items.frameShown(at: plan.scenario.display.refresh.vsync(vsync)) { watch?.responded($0) }
    if let watch, let frame = frames.ledger.newestReady {
      watch.frameReady(frame, unready: frames.ledger.unreadyCount)
    }
  }

  /// Waits until it is known when a buffer is free for the next frame.
  private mutating func waitForBuffer() {
    takeReady(by: end)
    while !frames.ledger.isNextKnown && clock.now < end && !isInterrupted {
      // An interruption does not wake this thread.
      app.doorbell.park(forNanoseconds: parkTimeout(until: end))
      takeReady(by: end)
    }
  }

  /// Records a lock wait. A lock that was not locked means that the run ended.
  mutating func waited(_ acquisition: ItemLocks.Acquisition) {
    if !acquisition.isTaken { isOver = true }
    frames.waited(acquisition.blocked)
  }

  /// Ends the run between two steps if it is time.
  mutating func checkForEnd() {
    if clock.now >= end || isInterrupted { isOver = true }
  }

  // MARK: Reads and drawing

  /// Publishes the changes of main's services; returns the time this took.
  private mutating func publish() -> TimeSpan {
    let began = clock.now
    app.services.publishAll(app.lanes.all[.main].residents)
    frames.enter(.reads)
    return clock.now - began
  }

  /// Reads what the UI shows and draws; returns the time of both without lock waits.
  private mutating func draw(vsync: Int) -> TimeSpan {
    let began = clock.now
    let blockedBefore = frames.blocked
    for index in plan.reads.indices where !isOver { read(index, vsync: vsync) }
    frames.enter(.render)
    if !isOver { render(vsync: vsync) }
    // The next frame begins in this phase.
    frames.enter(.post)
    return clock.now - began - (frames.blocked - blockedBefore)
  }

  private mutating func render(vsync: Int) {
    // The frames of the warm-up have negative vsyncs, and teach no estimate.
    guard vsync >= 0 else { return Burner.burn(plan.renderCost(vsync: vsync)) }
    let bringsNew = frames.ledger.bringsNew
    let isComplete = takePrepared(of: vsync) == nil
    let cost =
      parts?.begin(vsync: vsync, bringsNew: bringsNew, of: plan) ?? plan.renderCost(vsync: vsync)
    var began = clock.now
    frames.ledger.draws(parts?.drawnParts ?? plan.partTimes(vsync: vsync), at: began)
    if isComplete {
      Burner.burn(cost)
    } else if let costs = parts?.costs {
      Burner.burn(costs.parts)
      began = awaitParts(of: vsync, since: began)
      if isOver { return }
      Burner.burn(costs.rest)
    }
    if parts != nil { drew(since: began, at: clock.now) }
  }

  /// Waits for the parts of drawing that lanes prepare for the frame of `vsync`, behind its own, which began at `began`. Returns when
  /// the wait ended; `began` if there was none.
  private mutating func awaitParts(of vsync: Int, since began: Instant) -> Instant {
    guard let awaited = takePrepared(of: vsync, waits: true) else { return began }
    parts?.waits(behind: clock.now - began)
    frames.enter(.render)
    watch?.noteWait(since: clock.now)
    repeat {
      // An interruption does not wake this thread.
      app.doorbell.park(forNanoseconds: parkTimeout(until: end))
      checkForEnd()
    } while takePrepared(of: vsync, waits: true) != nil && !isOver
    return frames.waited(forPart: awaited)
  }

  /// Takes what lanes have prepared. Returns the first part of the frame of `vsync` that is not; the thread waits for it then, or not.
  private mutating func takePrepared(of vsync: Int, waits: Bool = false) -> Int? {
    guard parts?.preparesParts == true else { return nil }
    let count = waits ? parts?.unready(vsync: vsync).count ?? 0 : 0
    let prepared = app.prepared.withLock { $0.take(awaiting: count, of: vsync) }
    return parts?.take(prepared, vsync: vsync)
  }

  /// Hands parts of drawing to lanes, in a frame that begins.
  mutating func handOverParts() {
    for unit in parts?.handOvers(frames.ledger, of: plan) ?? [] { app.post(unit) }
  }

  private mutating func drew(since began: Instant, at now: Instant) {
    // What the end of the run cuts off is not shown.
    guard now <= end, let left = parts?.drew(took: now - began) else { return }
    frames.ledger.drew(leaving: left, at: now)
  }

  /// Runs a piece of a part of a later frame, if one fits into the idle time; false if none does.
  mutating func drawAhead() -> Bool {
    guard let unit = parts?.next(at: clock.now, between: frames.ledger) else { return false }
    let began = clock.now
    frames.beginEvent(.render)
    Burner.burn(unit.cost)
    frames.endDrawingAhead(unit)
    parts?.ended(unit, took: clock.now - began)
    return true
  }

  private mutating func read(_ index: Int, vsync: Int) {
    let read = plan.reads[index]
    let cost = read.cost(vsync: vsync)
    if let board = app.services.board(of: read.service) {
      let snapshot = shown.look(at: board, clock: clock)
      frames.enter(.release)
      shown.show(snapshot, at: index)
      frames.enter(.reads)
      Burner.burn(cost)
    } else {
      readInPlace(read, index, cost)
    }
  }

  /// Reads inside the service: on its thread, or under its lock.
  private mutating func readInPlace(_ read: ReadPlan, _ index: Int, _ cost: TimeSpan) {
    var grip = ItemLocks(on: .main, watch: watch)
    waited(grip.take(read.lock, for: .step, of: app, &frames.trace))
    if isOver { return }
    shown.beganInPlace(index, at: clock.now)
    app.services.read(read.service, cost)
    grip.release(app, &frames.trace)
  }

  // MARK: The end

  /// Collects the items that lanes handed back when they stopped, and returns the run's logs.
  consuming func finish(
    at instant: Instant
  ) -> (FrameLog, [ItemLog], StateAges, PartLateness?, ThreadTrace) {
    takeReturned(by: instant)
    takeReady(by: instant)
    if plan.scenario.display.mainLoop.events != nil { takeRest(before: instant) }
    if frames.ledger.isHanging(at: instant) {
      shown.noteHang(of: plan, app.services, items, at: instant)
    }
    for (item, _) in app.takeMainInbox() {
      guard let isLeft = app.abandons(item) else { continue }
      items.pending(item.workload, item.number, hasStepLeft: isLeft)
    }
    queue.notePending(&items, before: instant) { [app] in app.abandons($0) }
    let trace = frames.trace
    let late = parts?.lateness(at: instant)
    return (frames.ledger.finish(at: instant), items.finish(), shown.ages, late, trace)
  }
}
