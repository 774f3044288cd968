internal import Concurrency
internal import FrameBudget
internal import MainJobs

/// The frame loop around the closures: a main loop of events on the main actor, which gives way behind an event where somebody
/// waits for the main actor, so that what closures await there gets its turn.
///
/// What counts as what follows from the same books that both engines keep.
@MainActor
final class AppLoop {
  /// The one that runs.
  static private(set) var current: AppLoop?

  private let settings: MeasurementSettings
  private let app: FrameApp
  private let plan: RunPlan
  private let pacer: Pacer
  private let progress: LoopProgress
  private var frames: FrameLedger?
  private var items: ItemLedger?
  private var schedule: ArrivalSchedule
  private var clock = MainThreadClock()
  /// No frame waits before; to ask the books before each item would take as long as some items.
  private var nextFrame = Instant.zero
  /// When the main thread was last free for others.
  private var gaveWayAt: Int64 = 0
  private let seesMain = MainJobs.areSeen
  private var begun: [MeasuredItem] = []
  private var open = 0
  /// What items did on the main actor, in the order in which it ended.
  private var segments: [WorkSegment] = []
  private var renders: [TimeSpan] = []
  private var mainCPU: Int64 = 0
  private var failure: MeasurementError.Reason?
  private var zero: Int64 = 0

  init(_ app: FrameApp, _ settings: MeasurementSettings, pacer: Pacer, progress: LoopProgress) {
    self.app = app
    self.settings = settings
    self.pacer = pacer
    self.progress = progress
    let outline = Outline(app, settings)
    plan = RunPlan(outline.scenario, under: outline.strategy)
    schedule = ArrivalSchedule(plan)
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
    // Behind this the loop itself is on the executor that shows its jobs.
    await giveWay()
    zero = ThreadUse.clock
    await takeUpEvents()
    let log = cut()
    await settle()
    ObservedJobs.end()
    let others = await ObservedWork.end(patience: .seconds(1))
    let segments = (segments + others).sorted { $0.ended < $1.ended }
    Self.current = nil
    if let failure { throw settings.error(failure) }
    return Measured(
      log: log, workloads: plan.scenario.workloads.map(MeasuredWorkload.init), items: begun,
      segments: segments, renders: renders, probes: [], seesMain: seesMain, zero: zero)
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

  private func takeUpEvents() async {
    while failure == nil {
      let now = now
      guard now < end else { return }
      if Task.isCancelled || pacer.isOver { return failure = .cancelled }
      if !takeUpNext(at: now) {
        await sleep()
      } else if isWaitedFor {
        await giveWay()
      }
    }
  }

  /// Takes up what comes first; false if there is nothing to do.
  private func takeUpNext(at now: Instant) -> Bool {
    if now >= nextFrame, let event = frames?.nextEvent(at: now) {
      nextFrame = event.posted
      if event.posted <= now {
        draw(event)
        return true
      }
    }
    guard let item = schedule.next(atOrBefore: now) else { return false }
    start(item)
    return true
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

  private func giveWay() async {
    await Task.yield()
    isBack()
  }

  private func sleep() async {
    let now = now
    frames?.isIdle(at: now)
    let instants = [end, frames?.nextEvent(at: now)?.posted, schedule.upcoming].compactMap { $0 }
    let next = instants.min() ?? end
    await pacer.sleep(until: next.nanoseconds + zero)
    isBack()
  }

  private func isBack() {
    clock.mayHaveSlept = true
    gaveWayAt = ThreadUse.clock
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
    frames?.ran(.logic, from: from, to: to)
    frames?.eventEnded(from: from, to: to)
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
    while let item = schedule.next(atOrBefore: end - .nanoseconds(1)) {
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
  private func settle() async {
    let latest = now + settings.patience
    while open > 0, failure == nil, !pacer.isOver, now < latest {
      await pacer.sleep(until: ThreadUse.clock + 2_000_000)
    }
    guard open > 0, failure == nil, let first = begun.first(where: { $0.ended == nil }) else {
      return
    }
    failure = .neverEnded(
      workload: app.workloads[first.workload].name, item: first.number,
      count: begun.count { $0.workload == first.workload && $0.ended == nil },
      seconds: settings.patience.inSeconds)
  }
}

extension MeasuredWorkload {
  fileprivate init(_ workload: Workload) {
    self.init(name: workload.name, respondWithin: workload.respondWithin)
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
        mainLoop: .events(MainLoop.Events())),
      duration: settings.duration, warmup: .zero, seed: settings.seed,
      services: [Service(name: "closures")],
      workloads: app.workloads.map { declared in
        Workload(
          name: declared.name, arrival: declared.arrival.arrival,
          steps: [Step(name: "closure", service: 0, load: .cpu(.none))],
          respondWithin: declared.respondWithin.map(TimeSpan.init))
      })
    var arrangement = Arrangement.onMain(scenario)
    // Closures go where they like, so nobody promises an order.
    arrangement.lanes.append(Lane(name: "elsewhere", carrier: .dispatch, width: 2))
    strategy = Strategy(name: "measured", arrangement: arrangement)
  }
}
