internal import FrameBudget

/// What the frame under way has been spent on, and what the main thread is at.
struct FrameAccounts: ~Copyable {
  var ledger: FrameLedger
  private var phase = Phase.post
  private(set) var since = Instant.zero
  /// Whether the main thread has asked for a lock since.
  private(set) var isLocking = false
  /// How long it has waited for locks since that was last set to zero.
  var blocked = TimeSpan.zero
  /// For how long other processes had had the main thread's core while it could have run.
  var lostToOthers = TimeSpan.zero
  private var readyAtBegin = TimeSpan.zero
  private var lostAtBegin = TimeSpan.zero
  private let refresh: RefreshRate
  /// Whether the thread does things between two frames.
  private let isLoopOfEvents: Bool

  init(_ plan: RunPlan, detail: FrameLedger.Detail) {
    refresh = plan.scenario.display.refresh
    isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    ledger = FrameLedger(
      plan.scenario.display, duration: plan.scenario.duration, detail: detail, hasRealClock: false)
  }

  /// Begins the frame that is due; `ready` is for how long the main thread has had no core up to now.
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

  /// Goes on with `next` after the thread has had nothing to do, or behind the end of something.
  mutating func resume(_ next: Phase, at now: Instant) {
    phase = next
    since = now
  }

  /// Goes on to `next`: books the time up to now on the phase that ends.
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

  /// Books what has been spent in the frame under way, also if it is to be cut off.
  mutating func close(at now: Instant, ready: TimeSpan, _ trace: inout AppTrace?) {
    guard ledger.isUnderWay || isLoopOfEvents else { return }
    if isLocking { lockTaken(at: now) }
    enter(phase, at: now, &trace)
    guard ledger.isUnderWay else { return }
    let (preempted, machine) = waited(ready: ready)
    if preempted > .zero { ledger.spend(preempted, on: .preempted) }
    if machine > .zero { ledger.spend(machine, on: .machine) }
  }

  /// For how long the main thread could have run within the frame and had no core, by whoever had that: the app's own
  /// threads, or other processes.
  private func waited(ready: TimeSpan) -> (preempted: TimeSpan, machine: TimeSpan) {
    let all = ready - readyAtBegin
    let machine = min(all, lostToOthers - lostAtBegin)
    return (all - machine, machine)
  }

  /// The frame under way as if it ended now; nil between frames.
  func openFrame(at now: Instant, ready: TimeSpan) -> FrameRecord? {
    guard var open = ledger.underWay else {
      return ledger.waiting(at: now, doing: phase, since: since)?.record(asOf: now, refresh)
    }
    open.spend(now - since, on: isLocking ? .lockWait : phase)
    let (preempted, machine) = waited(ready: ready)
    open.spend(preempted, on: .preempted)
    open.spend(machine, on: .machine)
    return open.record(asOf: now, refresh)
  }
}

/// The second stage: a thread of its own that takes one frame after the other from the main thread, and makes it ready.
struct Compositor {
  /// Where the main thread posts frames to it.
  let inbox: QueueIndex
  /// The vsyncs of the frames that it has not begun with.
  private var frames: [Int] = []
  private var stage = Stage.idle
  private var began = Instant.zero

  private enum Stage { case idle, takingFrame, working }

  /// Behind the lanes' own queues.
  init(lanes: Int) { inbox = QueueIndex(lanes) }

  /// Takes a frame in.
  mutating func post(frame vsync: Int) -> Operation {
    frames.append(vsync)
    return .post(inbox)
  }

  /// What its thread does next.
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
