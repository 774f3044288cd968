internal import CFrameBudgetMainJobs
internal import SchedulableThreads
internal import Dispatch
internal import FrameBudget
internal import FrameRecording

/// The frame loop around the closures. It processes events in blocks of the main queue and yields whenever other work waits for
/// the main thread, so that continuations of closures and other posted work run.
///
/// Frames are recorded by the same ledger as in both engines.
@MainActor
final class AppLoop {
  /// The running loop.
  static private(set) var current: AppLoop?
  /// Wakes its thread.
  nonisolated static let doorbell = makeParker()

  private let settings: MeasurementSettings
  private let app: FrameApp
  private let plan: RunPlan
  private let watch: LoopWatch
  private let progress: LoopProgress
  private var frames: FrameLedger?
  private var items: ItemLedger?
  private var schedule: ArrivalSchedule
  /// Items that have arrived but not started.
  private var queue = ArrivedItems()
  private var turns: LoopTurns
  private var clock = MainThreadClock()
  private var nextFrame = Instant.zero
  /// When the loop last yielded the main thread.
  private var yieldedAt: Int64 = 0
  /// Whether it yielded after the newest item.
  private var hasYielded = false
  /// Whether work may have been posted to the main thread since, in a way that is not observed.
  private var mayHavePosted = true
  private let seesMain = MainJobs.areSeen
  /// Whether work was found in a run loop that no thread runs.
  private var hasUnservedLoop = false
  private var begun: [MeasuredItem] = []
  /// The id of an item is its number from 1 plus this. Ids do not repeat from one measurement to the next, because what items of
  /// an earlier one have posted may run in this one.
  private let firstID: UInt32
  private static var unusedID: UInt32 = 0
  /// Above, ids begin anew. All are below the numbers of a `FrameRecorder`.
  private static let lastID: UInt32 = 1 << 29
  private var open = 0
  /// The tasks of unfinished items, by place.
  private var tasks: [Int: Task<Void, Never>] = [:]
  /// Segments of items on the main actor, ordered by their ends.
  private var segments: [WorkSegment] = []
  private var undeclared: [UndeclaredWork.Piece] = []
  /// Processor time of the main actor's jobs that belong to no item.
  private var foreign: [Int64] = []
  private var renders: [TimeSpan] = []
  private var mainCPU: Int64 = 0
  private var probes: [Int64] = []
  private var isProbeDue = true
  private var failure: MeasurementError.Reason?
  /// Resumed at the end.
  private var over: CheckedContinuation<RunLog, Never>?
  private var zero: Int64 = 0

  init(_ app: FrameApp, _ settings: MeasurementSettings, watch: LoopWatch, progress: LoopProgress) {
    self.app = app
    self.settings = settings
    self.watch = watch
    self.progress = progress
    firstID = Self.unusedID
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

  /// Runs until the duration is over and all items have ended.
  func run() async throws(MeasurementError) -> Measured {
    warmUp()
    reserve()
    do throws(FrameRecorderError) {
      _ = try InstrumentedSpans.begin(isTimed: true)
    } catch {
      throw settings.error(
        error == .isWatched ? .isRecorded : .file("the file of spans", problem: "\(error)"))
    }
    defer { InstrumentedSpans.end() }
    guard ObservedJobs.begin() else { throw settings.error(.isRecorded) }
    Self.current = self
    ObservedWork.begin(room: begun.capacity * 4)
    let log = await loop()
    if failure != nil { for task in tasks.values { task.cancel() } }
    ObservedJobs.end()
    // One is left out: the distance to an older id is never 0, which is none.
    let unused = firstID + UInt32(begun.count) + 1
    Self.unusedID = unused < Self.lastID ? unused : 0
    let others = await ObservedWork.end(timeout: .seconds(1))
    let segments = (segments + others).map { $0.numbered(from: firstID) }
      .sorted { $0.ended < $1.ended }
    Self.current = nil
    if let failure { throw settings.error(failure) }
    return Measured(
      log: log, workloads: plan.scenario.workloads.map(MeasuredWorkload.init), items: begun,
      segments: segments, undeclared: undeclared, renders: renders, probes: probes,
      seesMain: seesMain, zero: zero, foreign: foreign, hasUnservedLoop: hasUnservedLoop)
  }

  /// Draws some frames that do not count, because code is slower when it first runs.
  private func warmUp() {
    guard let drawing = app.drawing else { return }
    progress.enterFrame()
    for _ in 0..<Self.warmUpFrames { drawing() }
    progress.leave()
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

  /// Runs the loop in pieces until the duration is over and all started work has ended.
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

  /// Processes events until other work is due on the main thread, and resumes after that.
  private func runEvents() {
    returned(at: ThreadUse.clock)
    while failure == nil {
      let now = now
      guard now < end else { break }
      if watch.isCancelled || watch.isOver {
        failure = .cancelled
        break
      }
      switch dispatchNext(at: now) {
      case .event: continue
      case .others: return yieldMainThread()
      case .nothing: return sleep(from: now)
      }
    }
    // The last item may have posted work there, and no other piece of the loop runs behind it.
    noteUnservedLoop()
    awaitUnfinishedItems(cut(), until: now + settings.patience)
  }

  /// A finished action of the loop, or its next one.
  private enum Next {
    case event
    /// Other work waits for the main thread, or may wait.
    case others
    case nothing
  }

  /// Processes the next event.
  private func dispatchNext(at now: Instant) -> Next {
    while let item = schedule.next(atOrBefore: now) { queue.append(item) }
    let isWaitedFor = isWaitedFor
    let waiting = queue.first?.instant ?? (isWaitedFor ? now : nil)
    if let event = dueFrame(at: now),
      turns.servesFrame(posted: event.posted, waitingSince: waiting)
    {
      turns.beginFrame(posted: event.posted)
      draw(event)
      return .event
    }
    if isWaitedFor, !turns.isUnderWay, !hasYielded { return .others }
    let count = queue.count
    guard let item = queue.popFirst() else { return mayHavePosted ? .others : .nothing }
    turns.beginEvent(of: count, at: now)
    hasYielded = false
    start(item)
    if !turns.isUnderWay { frames?.eventEnded(from: turns.began, to: self.now) }
    return .event
  }

  /// The event of a frame that was posted by `now`. Before `nextFrame` none can be: asking the ledger before each item would
  /// take as long as some items.
  private func dueFrame(at now: Instant) -> FrameEvents.Event? {
    guard now >= nextFrame, let event = frames?.nextEvent(at: now) else { return nil }
    nextFrame = event.posted
    return event.posted <= now ? event : nil
  }

  /// Whether work may wait for the main thread: an observed job of the main actor, or work posted to the main queue in another
  /// way.
  ///
  /// Yielding for nothing would cost more than most closures take.
  private var isWaitedFor: Bool {
    !seesMain || MainJobs.waitingCount > 0 || clock.latest - yieldedAt >= Self.longestUnseenWait
  }

  /// The longest wait of work that is not observed, in nanoseconds. Yielding this rarely costs less than 1 % of the time.
  private static let longestUnseenWait: Int64 = 2_000_000

  /// Yields the main thread to all waiting work. With `batch: queued` this starts a turn, which includes the items that have
  /// arrived.
  ///
  /// The loop is a block of the main queue and not a task, because a task that yields resumes through the pool, and in the
  /// meantime its thread serves other queues.
  private func yieldMainThread() {
    noteUnservedLoop()
    turns.beginEvent(of: 1 + queue.count, at: now)
    let (start, first) = (YieldStart(), segments.count)
    DispatchQueue.main.async {
      MainActor.assumeIsolated { self.resume(from: start, behind: first) }
    }
  }

  private func resume(from start: YieldStart, behind first: Int) {
    noteEventsOnMain()
    let yieldInterval = start.ended(segments[first...].sorted { $0.began < $1.began })
    hasYielded = true
    mayHavePosted = yieldInterval.undeclared > 0 || !yieldInterval.pieces.isEmpty
    note(yieldInterval)
    noteUnservedLoop()
    runEvents()
  }

  /// Records that work waits in a run loop that no thread runs, so that it cannot be measured. Called on the thread that may
  /// have posted it, because a timer may be withdrawn later.
  private func noteUnservedLoop() {
    if !hasUnservedLoop { hasUnservedLoop = cmainjobs_unserved_loop() }
  }

  /// Sleeps until an event is due or a job is posted to the main actor, and yields at short intervals.
  ///
  /// The main thread itself sleeps, so that all it does while the loop waits in the main queue is known to be work of the app.
  private func sleep(from now: Instant) {
    frames?.noteIdle(at: now)
    turns.noteIdle()
    let instants = [end, frames?.nextEvent(at: now)?.posted, schedule.upcoming].compactMap { $0 }
    let next = (instants.min() ?? end).nanoseconds + zero
    probeSpeed(before: next)
    let until = min(next, ThreadUse.clock + Self.longestUnseenSleep)
    if MainJobs.waitingCount == 0 {
      Self.doorbell.park(forNanoseconds: max(0, until - ThreadUse.clock))
      let woke = ThreadUse.clock
      if woke > until { noteMachine(from: until, to: woke) }
    }
    yieldMainThread()
  }

  /// Measures the speed of the main thread's core in idle time, once behind each frame or piece of an item. Another thread would
  /// measure that of its own core, which may have another neighbour.
  private func probeSpeed(before next: Int64) {
    guard isProbeDue, MainJobs.waitingCount == 0,
      next - ThreadUse.clock >= Self.shortestProbed
    else { return }
    probes.append(SpeedProbe.measure())
    isProbeDue = false
  }

  /// The shortest idle time with a probe, in nanoseconds: many times as long as a probe takes.
  private static let shortestProbed: Int64 = 500_000

  /// The longest sleep, and so the longest wait of unobserved work on the main queue, in nanoseconds.
  private static let longestUnseenSleep: Int64 = 1_000_000

  /// Records the events that schedulers of the main queue have run.
  private func noteEventsOnMain() {
    // Others are undeclared work.
    for event in ObservedWork.takeFromMain() where place(of: event.item) != nil {
      segments.append(event)
      mainCPU += event.cpu
      let (from, to) = (instant(event.began), instant(event.ended))
      noteHandlers(of: event.item, from: from, to: to)
      frames?.ran(.logic, from: from, to: to)
    }
  }

  private func returned(at instant: Int64) {
    clock.mayHaveSlept = true
    yieldedAt = instant
    watch.loopReturned(at: instant)
  }

  /// Records the time in which other work had the main thread: frames may have waited for it.
  private func note(_ yieldInterval: YieldInterval) {
    guard frames != nil else { return }
    let spans = yieldInterval.spans
    for span in spans.undeclared {
      frames?.ran(.logic, from: instant(span.lowerBound), to: instant(span.upperBound))
    }
    for span in spans.machine { noteMachine(from: span.lowerBound, to: span.upperBound) }
    let work = yieldInterval.undeclared
    if work > 0 || !yieldInterval.pieces.isEmpty {
      frames?.eventEnded(from: instant(yieldInterval.began), to: instant(yieldInterval.ended))
    }
    if let first = spans.undeclared.first {
      undeclared.append(
        UndeclaredWork.Piece(at: instant(first.lowerBound), cpu: work, settings.refresh))
    }
  }

  /// Records that the machine kept the main thread from running.
  private func noteMachine(from: Int64, to: Int64) {
    frames?.ran(.machine, from: instant(from), to: instant(to))
    frames?.eventEnded(from: instant(from), to: instant(to))
  }

  // MARK: Frames

  private func draw(_ event: FrameEvents.Event) {
    let start = clock.begin()
    frames?.begin(event, at: instant(start))
    if let drawing = app.drawing {
      progress.enterFrame()
      InstrumentedSpans.run(InstrumentedSpans.frame) { drawing() }
      progress.leave()
    } else {
      burn(settings.drawing.nanoseconds)
    }
    let drawn = clock.end(start)
    let (began, ended) = (instant(drawn.began), instant(drawn.ended))
    mainCPU += drawn.cpu
    isProbeDue = true
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
    let (workload, place) = (arrived.workload.position, begun.count)
    begun.append(
      MeasuredItem(workload: workload, number: arrived.number, arrival: arrived.instant))
    open += 1
    mayHavePosted = true
    let (id, number) = (firstID + UInt32(begun.count), arrived.number)
    let work = app.workloads[workload].work
    runPiece(of: id, at: place) {
      let task = Self.startTask {
        ObservedJobs.registerCurrentTask(as: id)
        var thrown: (any Error)?
        do { try await work(number) } catch { thrown = error }
        self.ended(place, thrown)
      }
      if begun[place].ended == nil { tasks[place] = task }
    }
  }

  /// The place of an item in `begun`; nil for what an earlier measurement has posted.
  private func place(of id: UInt32) -> Int? {
    let place = Int(id &- firstID) - 1
    return begun.indices.contains(place) ? place : nil
  }

  /// Runs `body` up to its first suspension at once; on systems that cannot, as soon as the main actor is free.
  private static func startTask(
    _ body: @escaping @MainActor () async -> Void
  ) -> Task<Void, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      return Task.immediate { @MainActor in await body() }
    }
    return Task { @MainActor in await body() }
  }

  /// Runs a piece of an item that was posted to the main actor, or a job of other code.
  func run(_ job: PostedJob, _ body: () -> Void) {
    defer { noteUnservedLoop() }
    guard let place = place(of: job.item) else { return runForeign(body) }
    clock.mayHaveSlept = true
    runPiece(of: job.item, at: place, posted: job.posted, by: job.poster, body)
  }

  private func runForeign(_ body: () -> Void) {
    let before = ThreadUse.processorTime
    body()
    foreign.append(ThreadUse.processorTime - before)
  }

  /// Runs a piece of an item and records its time on the main thread.
  private func runPiece(
    of id: UInt32, at place: Int, posted: Int64? = nil, by poster: UInt32 = 0, _ body: () -> Void
  ) {
    let item = begun[place]
    progress.enter(workload: item.workload, item: item.number)
    let start = clock.begin()
    InstrumentedSpans.run(app.workloads[item.workload].name, isRest: posted != nil) {
      ObservedWork.attributed(to: id, body)
    }
    let piece = clock.end(start)
    progress.leave()
    mainCPU += piece.cpu
    isProbeDue = true
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

  /// Records a piece of an item. The first pieces are an input's handlers.
  private func noteHandlers(of id: UInt32, from: Instant, to: Instant) {
    guard let place = place(of: id) else { return }
    let item = begun[place]
    items?.handlersBegan(WorkloadIndex(item.workload), item.number, at: from)
    items?.handlersEnded(WorkloadIndex(item.workload), item.number, at: to)
  }

  private func ended(_ place: Int, _ error: (any Error)?) {
    tasks[place] = nil
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

  /// Closes the ledger; unfinished items stay unfinished.
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

  /// Waits for unfinished items.
  private func awaitUnfinishedItems(_ log: RunLog, until latest: Instant) {
    if open > 0, failure == nil, watch.isCancelled { failure = .cancelled }
    if open > 0, failure == nil, !watch.isOver, now < latest {
      watch.loopReturned(at: ThreadUse.clock)
      Self.doorbell.park(forNanoseconds: Self.longestUnseenSleep)
      return DispatchQueue.main.async {
        MainActor.assumeIsolated { self.awaitUnfinishedItems(log, until: latest) }
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

extension WorkSegment {
  /// The same with numbers from 1 instead of ids; larger ones than there are items for those of an earlier measurement.
  fileprivate func numbered(from first: UInt32) -> WorkSegment {
    WorkSegment(
      item: item &- first, place: place, posted: posted, poster: poster == 0 ? 0 : poster &- first,
      began: began, ended: ended, cpu: cpu, blocked: blocked, isUrgent: isUrgent, nice: nice)
  }
}

/// Items in the order of their arrival.
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

/// The app as a scenario, before its costs are known.
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
    // Closures choose their own executors, so no order is guaranteed.
    arrangement.lanes.append(Lane(name: "elsewhere", carrier: .dispatch, width: 2))
    strategy = Strategy(name: "measured", arrangement: arrangement)
  }
}
