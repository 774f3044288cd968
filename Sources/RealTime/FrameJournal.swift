internal import FrameBudget

/// Records what the main thread spends its frames on: for the log, for the trace, and for whoever watches.
struct FrameJournal: ~Copyable {
  var ledger: FrameLedger
  /// What the main thread does besides, such as waiting for locks, is recorded by whoever does it.
  var trace: ThreadTrace
  private var account = FrameAccount(.post, at: .zero)
  /// Whether the thread does things between two frames.
  private let isLoopOfEvents: Bool
  private let clock: RunClock
  private let crowd: Crowd
  private let watch: RunWatch?

  init(
    _ plan: RunPlan, clock: RunClock, crowd: Crowd, watch: RunWatch?, detail: FrameLedger.Detail
  ) {
    isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    ledger = FrameLedger(
      plan.scenario.display, duration: plan.scenario.duration, detail: detail, hasRealClock: true)
    trace = ThreadTrace(room: detail == .trace ? TraceLog.room(for: plan) : 0)
    self.clock = clock
    self.crowd = crowd
    self.watch = watch
  }

  /// How long the thread could not have run since the frame began.
  var blocked: TimeSpan { account.blocked }

  /// Begins a frame of the warm-up, which counts for nothing.
  mutating func beginWarmUpFrame() { account = FrameAccount(.reads, at: clock.now) }

  /// Begins the frame that is due.
  mutating func begin() {
    let woke = clock.now
    account = FrameAccount(.post, at: woke, used: crowd.use)
    ledger.begin(vsync: ledger.vsync, wokeAt: woke)
    notifyWatch()
  }

  /// Begins the frame of `event`.
  mutating func begin(_ event: FrameEvents.Event) {
    let woke = clock.now
    account = FrameAccount(.drain, at: woke, used: crowd.use)
    ledger.begin(event, at: woke)
    notifyWatch()
  }

  /// Forgets what the warm-up did, in a loop of events: by a clock that has begun anew since, it would lie in the run.
  mutating func forgetWarmUp() {
    ledger.isIdle(at: .zero)
    beginEvent(.post)
  }

  /// Takes up something other than a frame, in a loop of events.
  mutating func beginEvent(_ phase: Phase) { account = FrameAccount(phase, at: clock.now) }

  /// Notes that it has ended, and with it the turn, if it was the last one in that.
  mutating func endEvent(in turns: LoopTurns) {
    enter(.post)
    if !turns.isUnderWay { ledger.eventEnded(from: turns.began, to: account.since) }
  }

  /// Goes on to the phase `next`: charges the one that ends with its time, less what the thread spent blocked.
  mutating func enter(_ next: Phase) {
    let now = clock.now
    let (phase, since) = (account.phase, account.since)
    ledger.spend(account.enter(next, at: now), on: phase)
    if isLoopOfEvents { ledger.ran(phase, from: since, to: now) }
    trace.append(.phase(phase), from: since, to: now)
    notifyWatch()
  }

  /// Notes for how long a lock kept the thread waiting.
  mutating func waited(_ span: TimeSpan) {
    guard span > .zero else { return }
    ledger.spend(span, on: .lockWait)
    account.waited(span)
    if isLoopOfEvents { split(behind: span) }
    notifyWatch()
  }

  /// The wait that has just ended is a part of its own of what a later frame waits for.
  private mutating func split(behind wait: TimeSpan) {
    let now = clock.now
    let (phase, since) = (account.phase, account.since)
    let from = max(since, now - wait)
    ledger.spend(account.enter(phase, at: now), on: phase)
    ledger.ran(phase, from: since, to: from)
    ledger.ran(.lockWait, from: from, to: now)
    trace.append(.phase(phase), from: since, to: from)
  }

  /// Notes that a step let the thread sleep: part of its phase, but not time in which it could have run.
  mutating func slept(_ span: TimeSpan) { account.slept(span) }

  /// Charges the frame, whose work has ended, with the time in which the thread was kept from running: it used less
  /// processor time than passed although it waited for nothing.
  mutating func noteTimeNotRunning(until ended: Instant) {
    let idle = account.notRunning(until: ended, used: crowd.use, crowd: crowd)
    ledger.spend(idle.preempted, on: .preempted)
    ledger.spend(idle.machine, on: .machine)
  }

  private func notifyWatch() {
    if let watch, let frame = ledger.underWay {
      watch.isAt(account, of: frame, unready: ledger.unreadyCount)
    }
  }
}
