internal import FrameBudget

/// Accounts for the time of the current frame, by phase, and tracks what the main thread does.
struct FrameAccounts: ~Copyable {
  var ledger: FrameLedger
  private var phase = Phase.post
  private(set) var since = Instant.zero
  /// Whether the main thread has been waiting for a lock since `since`.
  private(set) var isLocking = false
  /// The time spent waiting for locks since this was last set to zero.
  var blocked = TimeSpan.zero
  /// The total time for which other processes kept the main thread from running.
  var lostToOthers = TimeSpan.zero
  private var readyAtBegin = TimeSpan.zero
  private var lostAtBegin = TimeSpan.zero
  private let refresh: RefreshRate
  /// Whether the main loop is one of events, which also runs work between frames.
  private let isLoopOfEvents: Bool

  init(_ plan: RunPlan, detail: FrameLedger.Detail) {
    refresh = plan.scenario.display.refresh
    isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    ledger = FrameLedger(
      plan.display, duration: plan.scenario.duration, detail: detail, hasRealClock: false)
  }

  /// Begins the frame that is due. `ready` is the total time up to now for which the main thread was ready and had no core.
  mutating func begin(at now: Instant, ready: TimeSpan) {
    ledger.begin(vsync: ledger.vsync, wokeAt: now)
    phase = .post
    since = now
    readyAtBegin = ready
    lostAtBegin = lostToOthers
  }

  /// Begins the frame of `event`.
  mutating func begin(_ event: FrameEvents.Event, at now: Instant, ready: TimeSpan) {
    ledger.begin(event, at: now)
    phase = .drain
    since = now
    readyAtBegin = ready
    lostAtBegin = lostToOthers
  }

  /// Starts phase `next` without charging the time since the last change: the thread was idle, or something has just ended.
  mutating func resume(_ next: Phase, at now: Instant) {
    phase = next
    since = now
  }

  /// Charges the time up to now to the current phase and starts phase `next`.
  mutating func enter(_ next: Phase, at now: Instant, _ trace: inout AppTrace?) {
    if now > since {
      ledger.spend(now - since, on: phase)
      if isLoopOfEvents { ledger.ran(phase, from: since, to: now) }
      if trace != nil { note(in: &trace, until: now) }
    }
    phase = next
    since = now
  }

  @inline(never)
  private func note(in trace: inout AppTrace?, until now: Instant) {
    trace?.append(.phase(phase), by: .main, from: since, to: now)
  }

  /// Charges the time up to now to `unit`, a piece of a later frame that ran between frames.
  mutating func drewAhead(_ unit: DrawingParts.Unit, at now: Instant, _ trace: inout AppTrace?) {
    let began = since
    enter(.post, at: now, &trace)
    trace?.append(.earlyPart(unit.part), by: .main, from: began, to: now)
    ledger.drewAhead(from: began, to: now)
  }

  mutating func lockWanted(at now: Instant, _ trace: inout AppTrace?) {
    enter(phase, at: now, &trace)
    isLocking = true
  }

  mutating func lockTaken(at now: Instant) {
    isLocking = false
    let span = now - since
    if span > .zero { ledger.spend(span, on: .lockWait) }
    if isLoopOfEvents { ledger.ran(.lockWait, from: since, to: now) }
    blocked += span
    since = now
  }

  /// Charges all time of the current frame, also of one that the end of the run cuts off.
  mutating func close(at now: Instant, ready: TimeSpan, _ trace: inout AppTrace?) {
    guard ledger.isUnderWay || isLoopOfEvents else { return }
    if isLocking { lockTaken(at: now) }
    enter(phase, at: now, &trace)
    guard ledger.isUnderWay else { return }
    let (preempted, machine) = waited(ready: ready)
    if preempted > .zero { ledger.spend(preempted, on: .preempted) }
    if machine > .zero { ledger.spend(machine, on: .machine) }
  }

  /// How long the main thread was ready within the frame and had no core, by cause: the app's own threads had the core, or
  /// other processes did.
  private func waited(ready: TimeSpan) -> (preempted: TimeSpan, machine: TimeSpan) {
    let all = ready - readyAtBegin
    let machine = min(all, lostToOthers - lostAtBegin)
    return (all - machine, machine)
  }

  /// The current frame as if it ended now; nil between frames.
  func openFrame(at now: Instant, ready: TimeSpan) -> FrameRecord? {
    let hangs = ledger.hangsBeforeOpenFrame(at: now, doing: phase, since: since)
    guard var open = ledger.underWay else {
      let waiting = ledger.waiting(at: now, doing: phase, since: since)
      return waiting?.record(asOf: now, refresh, hangsBefore: hangs)
    }
    open.spend(now - since, on: isLocking ? .lockWait : phase)
    let (preempted, machine) = waited(ready: ready)
    open.spend(preempted, on: .preempted)
    open.spend(machine, on: .machine)
    return open.record(asOf: now, refresh, hangsBefore: hangs)
  }
}

/// The second stage: a thread that takes frames from the main thread one at a time and makes them ready to show.
struct Compositor {
  /// The queue to which the main thread posts frames.
  let inbox: QueueIndex
  /// The vsyncs of the frames that wait.
  private var frames: [Int] = []
  private var stage = Stage.idle
  private var began = Instant.zero

  private enum Stage { case idle, takingFrame, working }

  /// Its queue follows those of the lanes.
  init(lanes: Int) { inbox = QueueIndex(lanes) }

  /// Enqueues a frame.
  mutating func post(frame vsync: Int) -> Operation {
    frames.append(vsync)
    return .post(inbox)
  }

  /// The next operation of its thread.
  mutating func next(
    at now: Instant, _ main: inout MainThread, _ workers: inout LaneWorkers, thread: ThreadIndex
  ) -> Operation {
    switch stage {
    case .idle:
      stage = .takingFrame
      return .wait(inbox)
    case .takingFrame:
      stage = .working
      began = now
      return .compute(main.plan.compositorCost(vsync: frames.removeFirst()))
    case .working:
      workers.trace?.append(.phase(.compositor), by: thread, from: began, to: now)
      main.frameIsReady(at: now, &workers)
      stage = .idle
      return next(at: now, &main, &workers, thread: thread)
    }
  }
}

/// The second stage as a device: it takes no core, and frames pass through it one after the other.
struct GraphicsDevice {
  private var frames: [(begin: Instant, ready: Instant)] = []

  /// When the oldest frame in it is ready.
  var nextReady: Instant? { frames.first?.ready }

  /// Begins with a frame, once it is free; returns the request to be called when a frame is ready.
  mutating func post(_ cost: TimeSpan, at now: Instant) -> Operation {
    let begin = max(now, frames.last?.ready ?? now)
    frames.append((begin, begin + cost))
    return .callBack(at: nextReady ?? begin)
  }

  /// Removes and returns the oldest frame if it is ready by `now`.
  mutating func popReady(by now: Instant) -> (begin: Instant, ready: Instant)? {
    guard let first = frames.first, first.ready <= now else { return nil }
    return frames.removeFirst()
  }
}
