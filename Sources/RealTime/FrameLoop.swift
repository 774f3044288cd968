internal import Concurrency
internal import FrameBudget

/// The main thread of the app under test: draws each frame, and does whatever the arrangement gives it.
///
/// Everything here runs on the process's main thread. A frame works in a fixed order: what arrived, results,
/// business logic, UI reads, drawing. `FrameLoop+Work.swift` has the first three.
///
/// One thing although it holds more than ten: its parts, and those that it tells what it does.
struct FrameLoop: ~Copyable {
  let app: LiveApp
  let plan: RunPlan
  let clock: RunClock
  let end: Instant
  let progress: RunProgress
  /// Set if somebody watches.
  let watch: RunWatch?

  var frames: FrameJournal
  var items: ItemLedger
  var renices: ReniceSchedule
  var queue: MainQueue
  var results: ReturnedResults
  private var shown: ShownState
  /// What makes frames ready behind this thread; nil where drawing is all that they take.
  private let secondStage: SecondStage?
  /// Whether the run's time is up or somebody interrupted it.
  var isOver = false

  init(
    _ app: LiveApp, secondStage: SecondStage? = nil, progress: RunProgress,
    watch: RunWatch? = nil, crowd: Crowd = .none, detail: FrameLedger.Detail
  ) {
    self.app = app
    self.secondStage = secondStage
    self.watch = watch
    self.progress = progress
    plan = app.plan
    clock = app.clock
    end = .zero + plan.scenario.duration
    frames = FrameJournal(plan, clock: clock, crowd: crowd, watch: watch, detail: detail)
    items = ItemLedger(plan, duration: plan.scenario.duration)
    renices = ReniceSchedule(plan)
    queue = MainQueue(plan)
    results = ReturnedResults(plan)
    shown = ShownState(plan)
  }

  /// Draws until `warmup` has passed, then makes the vsync that follows time 0. Returns how many frames it drew.
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

  /// Runs frame after frame until the duration has passed or the run is interrupted; returns when that was.
  mutating func run() -> Instant {
    if let loop = plan.scenario.display.mainLoop.events { return runEvents(loop) }
    while !frames.ledger.isOver {
      waitForBuffer()
      guard frames.ledger.isNextKnown else { return min(clock.now, end) }
      if frames.ledger.isOver { break }
      clock.sleep(until: frames.ledger.due)
      takeReady(by: end)
      if isInterrupted || !runFrame() { return min(clock.now, end) }
      progress.frameEnded(at: clock.now, dropped: frames.ledger.dropped)
    }
    clock.sleep(until: end)
    return isInterrupted ? min(clock.now, end) : end
  }

  var isInterrupted: Bool {
    Interruption.signal != nil || watch?.isStopping ?? false
  }

  /// Runs the frame that is due; false if the run ended before its work did.
  private mutating func runFrame() -> Bool {
    frames.begin()
    let vsync = frames.ledger.vsync
    app.services.frameBegan(vsync)
    queue.gate.open(vsync: vsync, reserve: plan.drawingCost(vsync: vsync))
    if vsync == 0 { launchLanes() }
    deliver(by: frames.ledger.due)
    drain()
    runLogic()
    return finishFrame(vsync)
  }

  /// How long the thread may sleep, in nanoseconds: whoever interrupts the run does not wake it.
  func patience(until instant: Instant) -> Int64 {
    min(max(0, (instant - clock.now).nanoseconds), 100_000_000)
  }

  /// Reads, draws and ends the frame of `vsync`; false if the run ended before that.
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

  /// Leaves the frame of `vsync` to the second stage.
  private mutating func handOver(_ vsync: Int) {
    items.frameEnded()
    secondStage?.post(plan.compositorCost(vsync: vsync))
  }

  /// Takes note of the frames that are ready by now, unless the run had ended when they were.
  mutating func takeReady(by end: Instant) {
    for ready in secondStage?.fetch() ?? [] where ready <= end {
      noteShown(at: frames.ledger.ready(at: ready))
    }
  }

  /// Notes that the frame which is ready last will be shown at `vsync`.
  private mutating func noteShown(at vsync: Int) {
    items.frameShown(at: plan.scenario.display.refresh.vsync(vsync)) { watch?.responded($0) }
    if let watch, let frame = frames.ledger.newestReady {
      watch.frameReady(frame, unready: frames.ledger.unreadyCount)
    }
  }

  /// Sleeps until it is known when a buffer is free for the next frame.
  private mutating func waitForBuffer() {
    takeReady(by: end)
    while !frames.ledger.isNextKnown && clock.now < end && !isInterrupted {
      // Whoever interrupts the run does not wake this thread.
      app.doorbell.park(forNanoseconds: patience(until: end))
      takeReady(by: end)
    }
  }

  /// Notes for how long a lock kept the thread waiting; who was not given it has waited for the run's end.
  mutating func waited(_ acquisition: LockGrip.Acquisition) {
    if !acquisition.isTaken { isOver = true }
    frames.waited(acquisition.blocked)
  }

  /// Whether the run has to end here, between two steps.
  mutating func checkForEnd() {
    if clock.now >= end || isInterrupted { isOver = true }
  }

  // MARK: Reads and drawing

  /// Publishes what main's services have changed; returns how long that took.
  private mutating func publish() -> TimeSpan {
    let began = clock.now
    app.services.publishAll(app.lanes.all[.main].residents)
    frames.enter(.reads)
    return clock.now - began
  }

  /// Reads what the UI reads and draws; returns how long both took, waiting for locks not included.
  private mutating func draw(vsync: Int) -> TimeSpan {
    let began = clock.now
    let blockedBefore = frames.blocked
    for index in plan.reads.indices where !isOver { read(index, vsync: vsync) }
    frames.enter(.render)
    if !isOver { Burner.burn(plan.renderCost(vsync: vsync)) }
    // The next frame begins so.
    frames.enter(.post)
    return clock.now - began - (frames.blocked - blockedBefore)
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

  /// Reads inside the service: on the thread it is confined to, or under its lock.
  private mutating func readInPlace(_ read: ReadPlan, _ index: Int, _ cost: TimeSpan) {
    var grip = LockGrip(on: .main, watch: watch)
    waited(grip.take(read.lock, for: .step, of: app, &frames.trace))
    if isOver { return }
    shown.beganInPlace(index, at: clock.now)
    app.services.read(read.service, cost)
    grip.release(app, &frames.trace)
  }

  // MARK: The end

  /// Takes in what the lanes handed back after they stopped, and gives out the run's logs.
  consuming func finish(
    at instant: Instant
  ) -> (FrameLog, [ItemLog], StateAges, ThreadTrace) {
    takeReturned(by: instant)
    takeReady(by: instant)
    if plan.scenario.display.mainLoop.events != nil { takeRest(before: instant) }
    if frames.ledger.isHanging(at: instant) {
      shown.noteHang(of: plan, app.services, items, at: instant)
    }
    for item in app.takeMainInbox() where app.isLastPending(item) {
      items.pending(item.workload, item.number)
    }
    queue.notePending(&items, before: instant) { [app] in app.isLastPending($0) }
    let trace = frames.trace
    return (frames.ledger.finish(at: instant), items.finish(), shown.ages, trace)
  }
}
