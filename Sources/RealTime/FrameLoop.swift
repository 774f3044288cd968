internal import DequeModule
internal import FrameBudget

/// The main thread of the app under test: draws each frame, and does whatever the arrangement gives it.
///
/// Everything here runs on the process's main thread. A frame works in a fixed order: what arrived, results,
/// business logic, UI reads, drawing. `FrameLoop+Work.swift` has the first three.
struct FrameLoop: ~Copyable {
  let app: LiveApp
  let plan: RunPlan
  let clock: RunClock
  let refresh: RefreshRate
  let end: Instant
  let progress: RunProgress
  /// Set if somebody watches.
  let watch: RunWatch?
  let crowd: Crowd

  var frames: FrameLedger
  var items: ItemLedger
  var arrivals: ArrivalSchedule
  var renices: ReniceSchedule
  var gate: AdmissionGate
  var ages = StateAges()
  var trace: ThreadTrace
  /// Items whose next step is on the main thread.
  var ready = Deque<LiveItem>()
  /// Arrived items that the admission has not let in.
  var heldBack = Deque<LiveItem>()
  /// Finished elsewhere, their results waiting for the main thread.
  var results = Deque<LiveItem>()
  var returned: [ReturnQueue.Entry] = []
  var delivered = 0
  /// Whether the run's time is up or somebody interrupted it.
  var isOver = false

  private var account = FrameAccount(.post, at: .zero)
  /// The snapshot that the UI shows, by read: held until the next frame replaces it.
  private var shown: [Snapshot?]
  /// By read: when it last read state in place.
  private var readInPlace: [Instant]

  init(
    _ app: LiveApp, progress: RunProgress, watch: RunWatch? = nil, crowd: Crowd = .none,
    detail: FrameLedger.Detail
  ) {
    self.app = app
    self.watch = watch
    self.crowd = crowd
    self.progress = progress
    plan = app.plan
    clock = app.clock
    refresh = plan.scenario.display.refresh
    end = .zero + plan.scenario.duration
    frames = FrameLedger(
      refresh: refresh, duration: plan.scenario.duration, detail: detail, hasRealClock: true)
    items = ItemLedger(plan, duration: plan.scenario.duration)
    arrivals = ArrivalSchedule(plan)
    renices = ReniceSchedule(plan)
    gate = AdmissionGate(plan)
    trace = ThreadTrace(room: detail == .trace ? TraceLog.room(for: plan) : 0)
    shown = Array(repeating: nil, count: plan.scenario.reads.count)
    readInPlace = Array(repeating: .zero, count: plan.scenario.reads.count)
  }

  /// Draws until `warmup` has passed, then makes the vsync that follows time 0. Returns how many frames it drew.
  mutating func warmUp(_ warmup: TimeSpan) -> Int {
    clock.restart(at: clock.now)
    var vsync = 0
    var drawn = 0
    while refresh.vsync(vsync) < .zero + warmup && !isInterrupted {
      clock.sleep(until: refresh.vsync(vsync))
      account = FrameAccount(.reads, at: clock.now)
      drawn += 1
      let reserve = draw(vsync: -drawn)
      gate.learn(reserve: reserve)
      vsync = max(vsync + 1, refresh.firstVsync(atOrAfter: clock.now))
    }
    clock.restart(at: refresh.vsync(vsync))
    forgetWarmUp()
    return drawn
  }

  private mutating func forgetWarmUp() {
    trace.clear()
    ages = StateAges()
    ages.reserve(plan.scenario.reads.count * (refresh.vsyncs(through: end) + 1))
  }

  /// Runs frame after frame until the duration has passed or the run is interrupted; returns when that was.
  mutating func run() -> Instant {
    let last = refresh.vsyncs(through: end)
    var vsync = 0
    while vsync < last {
      clock.sleep(until: refresh.vsync(vsync))
      if isInterrupted { return min(clock.now, end) }
      guard let next = runFrame(vsync) else { return min(clock.now, end) }
      progress.frameEnded(at: clock.now, late: next - vsync - 1)
      vsync = next
    }
    clock.sleep(until: end)
    return isInterrupted ? min(clock.now, end) : end
  }

  private var isInterrupted: Bool {
    Interruption.signal != nil || watch?.isStopping ?? false
  }

  /// Runs one frame and returns the vsync that shows it; nil if the run ended before its work did.
  private mutating func runFrame(_ vsync: Int) -> Int? {
    beginFrame(vsync)
    deliver(vsync)
    drain()
    runLogic()
    let reserve = isOver ? .zero : publish() + draw(vsync: vsync)
    let ended = clock.now
    noteTimeNotRunning(until: ended)
    if isOver { return nil }
    gate.learn(reserve: reserve)
    if ended > end { return nil }
    let next = frames.end(at: ended)
    items.frameShown(at: refresh.vsync(next)) { watch?.responded($0) }
    watch?.frameEnded(frames.newest)
    return next
  }

  private mutating func beginFrame(_ vsync: Int) {
    let woke = clock.now
    account = FrameAccount(.post, at: woke, used: crowd.use)
    frames.begin(vsync: vsync, wokeAt: woke)
    app.frameBegan(vsync)
    tellWatch()
    gate.open(vsync: vsync, reserve: exactReserve(vsync))
  }

  /// What reads and drawing cost in this frame, as the scenario says.
  private func exactReserve(_ vsync: Int) -> TimeSpan {
    plan.scenario.reads.indices.reduce(plan.renderCost(vsync: vsync)) {
      $0 + plan.readCost($1, vsync: vsync)
    }
  }

  /// The thread used less processor time than passed although it waited for nothing: it was kept from running.
  private mutating func noteTimeNotRunning(until ended: Instant) {
    let idle = account.notRunning(until: ended, used: crowd.use, crowd: crowd)
    frames.spend(idle.preempted, on: .preempted)
    frames.spend(idle.machine, on: .machine)
  }

  // MARK: Reads and drawing

  /// Reads what the UI reads and draws; returns how long both took, waiting for locks not included.
  private mutating func draw(vsync: Int) -> TimeSpan {
    let began = clock.now
    let blockedBefore = account.blocked
    for read in plan.scenario.reads.indices where !isOver { self.read(read, vsync: vsync) }
    enter(.render)
    if !isOver { Burner.burn(plan.renderCost(vsync: vsync)) }
    // The next frame begins so.
    enter(.post)
    return clock.now - began - (account.blocked - blockedBefore)
  }

  private mutating func read(_ index: Int, vsync: Int) {
    let read = plan.scenario.reads[index]
    let cost = plan.readCost(index, vsync: vsync)
    if let board = app.services[read.service].board {
      readSnapshot(of: board, index)
      Burner.burn(cost)
    } else {
      readInPlace(read.service, index, cost)
    }
  }

  /// Reads inside the service: on the thread it is confined to, or under its lock.
  private mutating func readInPlace(_ service: ServiceIndex, _ index: Int, _ cost: TimeSpan) {
    var grip = LockGrip(on: .main, watch: watch)
    if case .guarded(let lock) = plan.arrangement.placement[service] {
      waited(grip.take(lock, of: app, &trace))
      if isOver { return }
    }
    readInPlace[index] = clock.now
    app.read(service, cost)
    ages.append(.zero)
    grip.release(app, &trace)
  }

  private mutating func readSnapshot(of board: SnapshotBoard, _ index: Int) {
    let (snapshot, missesSince) = board.read()
    ages.append(missesSince.map { clock.now - $0 } ?? .zero)
    enter(.release)
    shown[index] = snapshot
    enter(.reads)
  }

  // MARK: Measuring

  /// Goes on to the phase `next`: charges the one that ends with its time, less what the thread spent blocked.
  mutating func enter(_ next: Phase) {
    let now = clock.now
    let (phase, since) = (account.phase, account.since)
    frames.spend(account.enter(next, at: now), on: phase)
    trace.append(.phase(phase), from: since, to: now)
    tellWatch()
  }

  private func tellWatch() {
    if let watch, let frame = frames.underWay { watch.isAt(account, of: frame) }
  }

  /// Notes for how long a lock kept the thread waiting; who was not given it has waited for the run's end.
  mutating func waited(_ taking: LockGrip.Taking) {
    if !taking.isTaken { isOver = true }
    let span = taking.blocked
    guard span > .zero else { return }
    frames.spend(span, on: .lockWait)
    account.waited(span)
    tellWatch()
  }

  /// Notes that a step let the thread sleep: part of its phase, but not time in which it could have run.
  mutating func slept(_ span: TimeSpan) { account.slept(span) }

  /// Whether the run has to end here, between two steps.
  mutating func checkForEnd() {
    if clock.now >= end || isInterrupted { isOver = true }
  }

  // MARK: The end

  /// How old the state is that has been on the screen since the hang began: no read of it will tell.
  private mutating func noteStateAges(at end: Instant) {
    for (index, read) in plan.scenario.reads.enumerated() {
      let newest = items.newestDone(in: read.service, of: plan, by: end)
      let isMissed =
        if let board = app.services[read.service].board {
          shown[index].map(board.hasChanged) ?? false
        } else {
          newest.map { $0 > readInPlace[index] } ?? false
        }
      ages.append(isMissed ? newest.map { end - $0 } ?? .zero : .zero)
    }
  }

  /// Takes in what the lanes handed back after they stopped, and gives out the run's logs.
  consuming func finish(
    at instant: Instant
  ) -> (FrameLog, [ItemLog], StateAges, ThreadTrace) {
    takeReturned(by: instant)
    if frames.isHanging(at: instant) { noteStateAges(at: instant) }
    for item in ready { items.pending(item.workload, item.number) }
    for item in heldBack { items.pending(item.workload, item.number) }
    for item in app.takeMainInbox() { items.pending(item.workload, item.number) }
    while let undelivered = arrivals.next(atOrBefore: instant - .nanoseconds(1)) {
      items.arrived(undelivered)
      items.pending(undelivered.workload, undelivered.number)
    }
    return (frames.finish(at: instant), items.finish(), ages, trace)
  }
}
