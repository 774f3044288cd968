internal import Concurrency
internal import Dispatch
internal import FrameBudget
internal import MainJobs

/// The frame loop around the closures: a main loop of events in blocks of the main queue, which gives way where somebody waits for
/// the main thread, so that what closures await there, and what else is posted there, gets its turn.
///
/// What counts as what follows from the same books that both engines keep.
@MainActor
final class AppLoop {
  /// The one that runs.
  static private(set) var current: AppLoop?
  /// Wakes its thread.
  nonisolated static let bell = makeParker()

  private let settings: MeasurementSettings
  private let app: FrameApp
  private let plan: RunPlan
  private let watch: LoopWatch
  private let progress: LoopProgress
  private var frames: FrameLedger?
  private var items: ItemLedger?
  private var schedule: ArrivalSchedule
  /// Items that have arrived and not begun.
  private var queue = ArrivedItems()
  private var turns: LoopTurns
  private var clock = MainThreadClock()
  private var nextFrame = Instant.zero
  /// When the main thread was last free for others.
  private var gaveWayAt: Int64 = 0
  /// Whether that was behind the newest item.
  private var hasGivenWay = false
  /// Whether something may have been posted to the main thread since, by another way than those that are seen.
  private var mayHavePosted = true
  private let seesMain = MainJobs.areSeen
  private var begun: [MeasuredItem] = []
  private var open = 0
  /// What items did on the main actor, in the order in which it ended.
  private var segments: [WorkSegment] = []
  private var undeclared: [UndeclaredWork.Piece] = []
  private var renders: [TimeSpan] = []
  private var mainCPU: Int64 = 0
  private var failure: MeasurementError.Reason?
  /// Who waits for the end.
  private var over: CheckedContinuation<RunLog, Never>?
  private var zero: Int64 = 0

  init(_ app: FrameApp, _ settings: MeasurementSettings, watch: LoopWatch, progress: LoopProgress) {
    self.app = app
    self.settings = settings
    self.watch = watch
    self.progress = progress
    let outline = Outline(app, settings)
    plan = RunPlan(outline.scenario, under: outline.strategy)
    schedule = ArrivalSchedule(plan)
    turns = LoopTurns(settings.loop)
    frames = FrameLedger(
      outline.scenario.display, duration: settings.duration, detail: .summary, hasRealClock: true)
    items = ItemLedger(plan, duration: settings.duration)
    progress.begin(app.workloads.map(\.name))
  }

  private var now: Instant { Instant(nanoseconds: ThreadUse.clock - zero) }
  private var end: Instant { .zero + settings.duration }

  // MARK: The loop

  /// Runs until the time is up and all items have ended.
  func run() async throws(MeasurementError) -> Measured {
    warmUp()
    reserve()
    guard ObservedJobs.begin() else { throw settings.error(.isRecorded) }
    Self.current = self
    ObservedWork.begin(room: begun.capacity * 4)
    let log = await loop()
    ObservedJobs.end()
    let others = await ObservedWork.end(patience: .seconds(1))
    let segments = (segments + others).sorted { $0.ended < $1.ended }
    Self.current = nil
    if let failure { throw settings.error(failure) }
    return Measured(
      log: log, workloads: plan.scenario.workloads.map(MeasuredWorkload.init), items: begun,
      segments: segments, undeclared: undeclared, renders: renders, probes: [],
      seesMain: seesMain, zero: zero)
  }

  /// Draws some frames that count for nothing, as code that runs for the first time is slower.
  private func warmUp() {
    guard let drawing = app.drawing else { return }
    for _ in 0..<Self.warmUpFrames { drawing() }
  }

  private static let warmUpFrames = 3

  private func reserve() {
    let count = plan.workloads.reduce(0) { sum, workload in
      sum + ArrivalSchedule.count(of: workload.workload, before: end, seed: 0, limit: 1 << 20)
    }
    begun.reserveCapacity(count)
    segments.reserveCapacity(2 * count)
    if app.drawing != nil {
      renders.reserveCapacity(settings.refresh.vsyncs(through: end) + 1)
    }
  }

  /// Runs the loop, in pieces, until the time is up and what it began is over.
  private func loop() async -> RunLog {
    await withTaskCancellationHandler {
      await withCheckedContinuation { over in
        self.over = over
        DispatchQueue.main.async {
          MainActor.assumeIsolated {
            self.zero = ThreadUse.clock
            self.runEvents()
          }
        }
      }
    } onCancel: {
      watch.cancel()
    }
  }

  /// Takes up event after event, until others are to have the main thread; it goes on behind them.
  private func runEvents() {
    isBack(at: ThreadUse.clock)
    while failure == nil {
      let now = now
      guard now < end else { break }
      if watch.isCancelled || watch.isOver {
        failure = .cancelled
        break
      }
      switch dispatchNext(at: now) {
      case .event: continue
      case .others: return giveWay()
      case .nothing: return sleep(from: now)
      }
    }
    settle(cut(), until: now + settings.patience)
  }

  /// What the loop did, or has to do next.
  private enum Next {
    case event
    /// Others wait for the main thread, or may.
    case others
    case nothing
  }

  /// Takes up what comes first.
  private func dispatchNext(at now: Instant) -> Next {
    while let item = schedule.next(atOrBefore: now) { queue.append(item) }
    let isWaitedFor = isWaitedFor
    let waiting = queue.first?.instant ?? (isWaitedFor ? now : nil)
    if let event = dueFrame(at: now),
      turns.servesFrame(posted: event.posted, waitingSince: waiting)
    {
      turns.beginFrame()
      draw(event)
      return .event
    }
    if isWaitedFor, !turns.isUnderWay, !hasGivenWay { return .others }
    let count = queue.count
    guard let item = queue.popFirst() else { return mayHavePosted ? .others : .nothing }
    turns.beginEvent(of: count, at: now)
    hasGivenWay = false
    start(item)
    if !turns.isUnderWay { frames?.eventEnded(from: turns.began, to: self.now) }
    return .event
  }

  /// The event of a frame that has been posted by `now`. No frame waits before `nextFrame`: to ask the books before each item
  /// would take as long as some items.
  private func dueFrame(at now: Instant) -> FrameEvents.Event? {
    guard now >= nextFrame, let event = frames?.nextEvent(at: now) else { return nil }
    nextFrame = event.posted
    return event.posted <= now ? event : nil
  }

  /// Whether somebody may wait for the main thread: a job of the main actor, as far as those are seen, or what comes to the
  /// main queue by another way.
  ///
  /// To give way for nobody would cost more than most closures take.
  private var isWaitedFor: Bool {
    !seesMain || MainJobs.waitingCount > 0 || clock.latest - gaveWayAt >= Self.longestUnseenWait
  }

  /// Of what is not seen, in nanoseconds; to give way so seldom costs less than a hundredth of the time.
  private static let longestUnseenWait: Int64 = 2_000_000

  /// Lets all that waits for the main thread have it; with `batch: queued` that is the begin of a turn, which items that
  /// are here belong to as well.
  ///
  /// The loop is a block of the main queue, not a task: one that yields comes back by way of the pool, and its thread is free
  /// for other queues meanwhile.
  private func giveWay() {
    turns.beginEvent(of: 1 + queue.count, at: now)
    let (start, first) = (AbsenceStart(), segments.count)
    DispatchQueue.main.async {
      MainActor.assumeIsolated { self.resume(from: start, behind: first) }
    }
  }

  private func resume(from start: AbsenceStart, behind first: Int) {
    let absence = start.ended(Array(segments[first...]))
    hasGivenWay = true
    mayHavePosted = absence.undeclared > 0 || !absence.pieces.isEmpty
    note(absence)
    runEvents()
  }

  /// Sleeps until something is due or a job comes to the main actor, but not for long without giving way.
  ///
  /// The main thread sleeps, not the loop: while the loop waits in the main queue, all that the thread does is known to be
  /// done for it.
  private func sleep(from now: Instant) {
    frames?.isIdle(at: now)
    turns.isIdle()
    let instants = [end, frames?.nextEvent(at: now)?.posted, schedule.upcoming].compactMap { $0 }
    let next = (instants.min() ?? end).nanoseconds + zero
    let until = min(next, ThreadUse.clock + Self.longestUnseenSleep)
    if MainJobs.waitingCount == 0 {
      Self.bell.park(forNanoseconds: max(0, until - ThreadUse.clock))
      let woke = ThreadUse.clock
      if woke > until { noteMachine(from: until, to: woke) }
    }
    giveWay()
  }

  /// What is not seen to come to the main queue waits for so long at most, in nanoseconds.
  private static let longestUnseenSleep: Int64 = 1_000_000

  private func isBack(at instant: Int64) {
    clock.mayHaveSlept = true
    gaveWayAt = instant
    watch.loopIsBack(at: instant)
  }

  /// Notes what became of the time in which others had the main thread: frames may have waited for it.
  private func note(_ absence: Absence) {
    guard frames != nil else { return }
    let spans = absence.spans
    for span in spans.undeclared {
      frames?.ran(.logic, from: instant(span.lowerBound), to: instant(span.upperBound))
    }
    for span in spans.machine { noteMachine(from: span.lowerBound, to: span.upperBound) }
    let work = absence.undeclared
    if work > 0 || !absence.pieces.isEmpty {
      frames?.eventEnded(from: instant(absence.began), to: instant(absence.ended))
    }
    if let first = spans.undeclared.first {
      undeclared.append(
        UndeclaredWork.Piece(at: instant(first.lowerBound), cpu: work, settings.refresh))
    }
  }

  /// Notes that the machine kept the main thread from running.
  private func noteMachine(from: Int64, to: Int64) {
    frames?.ran(.machine, from: instant(from), to: instant(to))
    frames?.eventEnded(from: instant(from), to: instant(to))
  }

  // MARK: Frames

  private func draw(_ event: FrameEvents.Event) {
    let start = clock.begin()
    frames?.begin(event, at: instant(start))
    if let drawing = app.drawing { drawing() } else { burn(settings.drawing.nanoseconds) }
    let drawn = clock.end(start)
    let (began, ended) = (instant(drawn.began), instant(drawn.ended))
    mainCPU += drawn.cpu
    if app.drawing != nil { renders.append(.nanoseconds(drawn.cpu)) }
    frames?.spend(ended - began, on: .render)
    frames?.ran(.render, from: began, to: ended)
    frames?.spend(.nanoseconds(drawn.lost), on: .machine)
    mayHavePosted = mayHavePosted || app.drawing != nil
    guard ended <= end, let shown = frames?.end(at: ended) else { return }
    items?.frameShown(at: settings.refresh.vsync(shown))
  }

  private func burn(_ span: Int64) {
    guard span > 0 else { return }
    let until = ThreadUse.processorTime + span
    while ThreadUse.processorTime < until {}
  }

  private func instant(_ clock: Int64) -> Instant { Instant(nanoseconds: clock - zero) }

  // MARK: Items

  /// Runs the closure of an item up to its first suspension.
  private func start(_ arrived: ArrivalSchedule.Item) {
    items?.arrived(arrived)
    let place = arrived.workload.position
    begun.append(
      MeasuredItem(workload: place, number: arrived.number, arrival: arrived.instant))
    open += 1
    mayHavePosted = true
    let (id, number) = (UInt32(begun.count), arrived.number)
    let work = app.workloads[place].work
    runPiece(of: id) {
      Task.immediate { @MainActor in
        ObservedJobs.registerCurrentTask(as: id)
        var thrown: (any Error)?
        do { try await work(number) } catch { thrown = error }
        ObservedJobs.forgetCurrentTask()
        self.ended(id, thrown)
      }
    }
  }

  /// Runs a piece of an item that was posted to the main actor.
  func run(_ job: PostedJob, _ body: () -> Void) {
    clock.mayHaveSlept = true
    runPiece(of: job.item, posted: job.posted, by: job.poster, body)
  }

  /// Runs a piece of an item, and notes what it took of the main thread.
  private func runPiece(
    of id: UInt32, posted: Int64? = nil, by poster: UInt32 = 0, _ body: () -> Void
  ) {
    enter(id)
    let start = clock.begin()
    ObservedWork.attributed(to: id, body)
    let piece = clock.end(start)
    progress.leave()
    mainCPU += piece.cpu
    segments.append(
      WorkSegment(
        item: id, place: Measured.main, posted: posted ?? piece.began, poster: poster,
        began: piece.began, ended: piece.ended, cpu: piece.cpu, blocked: piece.blocked))
    let (from, to) = (instant(piece.began), instant(piece.ended))
    noteHandlers(of: id, from: from, to: to)
    let ran = to - .nanoseconds(piece.lost)
    frames?.ran(.logic, from: from, to: ran)
    frames?.ran(.machine, from: ran, to: to)
    frames?.eventEnded(from: from, to: to)
  }

  /// Notes a piece of an item, of which the first are an input's handlers.
  private func noteHandlers(of id: UInt32, from: Instant, to: Instant) {
    guard begun.indices.contains(Int(id) - 1) else { return }
    let item = begun[Int(id) - 1]
    items?.handlersBegan(WorkloadIndex(item.workload), item.number, at: from)
    items?.handlersEnded(WorkloadIndex(item.workload), item.number, at: to)
  }

  private func enter(_ id: UInt32) {
    // What was posted in a measurement before this one is none of its items.
    guard begun.indices.contains(Int(id) - 1) else { return }
    let item = begun[Int(id) - 1]
    progress.enter(workload: item.workload, item: item.number)
  }

  private func ended(_ id: UInt32, _ error: (any Error)?) {
    let place = Int(id) - 1
    let (item, now) = (begun[place], now)
    begun[place].ended = now
    open -= 1
    if let error, failure == nil {
      let name = app.workloads[item.workload].name
      failure = .failed(workload: name, item: item.number, error: "\(error)")
    }
    guard now < end else { return }
    let workload = WorkloadIndex(item.workload)
    items?.done(workload, item.number, at: now)
    items?.resultRan(workload, item.number)
  }

  // MARK: The end

  /// Closes the books: what has not ended by now is left.
  private func cut() -> RunLog {
    let over = min(now, end)
    while let item = queue.popFirst() ?? schedule.next(atOrBefore: end - .nanoseconds(1)) {
      items?.arrived(item)
      items?.pending(item.workload, item.number)
    }
    for item in begun where item.ended.map({ $0 >= end }) ?? true {
      items?.pending(WorkloadIndex(item.workload), item.number)
    }
    var totals = RunTotals()
    totals.mainCPU = .nanoseconds(mainCPU)
    guard let frames = frames.take(), let items = items.take() else {
      preconditionFailure("books are closed once")
    }
    return RunLog(
      plan, engine: .real, duration: over.sinceZero,
      warmupFrames: app.drawing == nil ? 0 : Self.warmUpFrames, frames: frames.finish(at: over),
      items: items.finish(), totals: totals, interrupted: over < end)
  }

  /// Waits for the items that are not over.
  private func settle(_ log: RunLog, until latest: Instant) {
    if open > 0, failure == nil, !watch.isOver, now < latest {
      watch.loopIsBack(at: ThreadUse.clock)
      Self.bell.park(forNanoseconds: Self.longestUnseenSleep)
      return DispatchQueue.main.async {
        MainActor.assumeIsolated { self.settle(log, until: latest) }
      }
    }
    if open > 0, failure == nil, let first = begun.first(where: { $0.ended == nil }) {
      failure = .neverEnded(
        workload: app.workloads[first.workload].name, item: first.number,
        count: begun.count { $0.workload == first.workload && $0.ended == nil },
        seconds: settings.patience.inSeconds)
    }
    over.take()?.resume(returning: log)
  }
}

/// Items in the order in which they arrived.
private struct ArrivedItems {
  private var items: [ArrivalSchedule.Item] = []
  private var head = 0

  var count: Int { items.count - head }
  var first: ArrivalSchedule.Item? { head < items.count ? items[head] : nil }

  mutating func append(_ item: ArrivalSchedule.Item) { items.append(item) }

  mutating func popFirst() -> ArrivalSchedule.Item? {
    guard let item = first else { return nil }
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: true)
      head = 0
    }
    return item
  }
}

extension MeasuredWorkload {
  fileprivate init(_ workload: Workload) {
    self.init(
      name: workload.name, respondWithin: workload.respondWithin, isInput: workload.isInput)
  }
}

/// The app in the terms of scenarios, before anything is known of its costs.
@MainActor
private struct Outline {
  let scenario: Scenario
  let strategy: Strategy

  init(_ app: FrameApp, _ settings: MeasurementSettings) {
    scenario = Scenario(
      name: "measured",
      display: Display(
        refresh: settings.refresh, render: .constant(settings.drawing),
        mainLoop: .events(settings.loop)),
      duration: settings.duration, warmup: .zero, seed: settings.seed,
      services: [Service(name: "closures")],
      workloads: app.workloads.map { declared in
        var workload = Workload(
          name: declared.name, arrival: declared.arrival.arrival,
          steps: [Step(name: "closure", service: 0, load: .cpu(.none))],
          respondWithin: declared.respondWithin.map(TimeSpan.init))
        workload.isInput = declared.isInput
        return workload
      })
    var arrangement = Arrangement.onMain(scenario)
    // Closures go where they like, so nobody promises an order.
    arrangement.lanes.append(Lane(name: "elsewhere", carrier: .dispatch, width: 2))
    strategy = Strategy(name: "measured", arrangement: arrangement)
  }
}
