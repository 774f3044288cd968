internal import CFrameBudgetLinux
internal import FrameBudget

/// Records the phases of the main thread's frames, for the log, the trace and the watcher.
struct FrameJournal: ~Copyable {
  var ledger: FrameLedger
  /// Phases only; other code adds spans such as lock waits.
  var trace: ThreadTrace
  private var account = FrameAccount(.post, at: .zero)
  /// Whether events run between frames.
  private let isLoopOfEvents: Bool
  private let clock: RunClock
  private let contention: ProcessorContention
  private let watch: RunWatch?

  init(
    _ plan: RunPlan, clock: RunClock, contention: ProcessorContention, watch: RunWatch?,
    detail: FrameLedger.Detail
  ) {
    isLoopOfEvents = plan.scenario.display.mainLoop.events != nil
    ledger = FrameLedger(
      plan.display, duration: plan.scenario.duration, detail: detail, hasRealClock: true)
    trace = ThreadTrace(room: detail.traceRoom(for: plan))
    self.clock = clock
    self.contention = contention
    self.watch = watch
  }

  /// Time since the frame began in which the thread was blocked or slept.
  var blocked: TimeSpan { account.blocked }

  /// Begins a frame of the warm-up, which is not recorded.
  mutating func beginWarmUpFrame() { account = FrameAccount(.reads, at: clock.now) }

  mutating func begin() {
    let woke = clock.now
    account = FrameAccount(.post, at: woke, used: contention.use)
    ledger.begin(vsync: ledger.vsync, wokeAt: woke)
    notifyWatch()
  }

  mutating func begin(_ event: FrameEvents.Event) {
    let woke = clock.now
    account = FrameAccount(.drain, at: woke, used: contention.use)
    ledger.begin(event, at: woke)
    notifyWatch()
  }

  /// Discards the warm-up of a loop of events: the clock restarted since, so its times would fall into the run.
  mutating func forgetWarmUp() {
    ledger.noteIdle(at: .zero)
    beginEvent(.post)
  }

  /// Begins an event that is not a frame.
  mutating func beginEvent(_ phase: Phase) { account = FrameAccount(phase, at: clock.now) }

  /// Ends the event, and the turn if it was the last event of it.
  mutating func endEvent(in turns: LoopTurns) {
    enter(.post)
    if !turns.isUnderWay { ledger.eventEnded(from: turns.began, to: account.since) }
  }

  /// Ends `unit`, a piece of a later frame that ran between frames.
  mutating func endDrawingAhead(_ unit: DrawingParts.Unit) {
    let began = account.since
    enter(.post)
    trace.append(.earlyPart(unit.part), from: began, to: account.since)
    ledger.drewAhead(from: began, to: account.since)
  }

  /// Enters the phase `next` and charges the previous phase with its time, without the time that the thread was blocked.
  mutating func enter(_ next: Phase) {
    let now = clock.now
    let (phase, since) = (account.phase, account.since)
    ledger.spend(account.enter(next, at: now), on: phase)
    if isLoopOfEvents { ledger.ran(phase, from: since, to: now) }
    trace.append(.phase(phase), from: since, to: now)
    notifyWatch()
  }

  /// Records the time that a lock blocked the thread.
  mutating func waited(_ span: TimeSpan) {
    guard span > .zero else { return }
    ledger.spend(span, on: .lockWait)
    account.waited(span)
    if isLoopOfEvents { split(behind: span) }
    notifyWatch()
  }

  /// Records that the thread has waited for a part of drawing since it entered the phase, which begins anew. Returns now.
  mutating func waited(forPart part: Int) -> Instant {
    let (phase, since, now) = (account.phase, account.since, clock.now)
    ledger.spend(now - since, on: .lockWait)
    account.waited(now - since)
    _ = account.enter(phase, at: now)
    if isLoopOfEvents { ledger.ran(.lockWait, from: since, to: now) }
    trace.append(.partWait(part), from: since, to: now)
    notifyWatch()
    return now
  }

  /// Separates the lock wait that just ended from its phase, for frames that waited for this event.
  private mutating func split(behind wait: TimeSpan) {
    let now = clock.now
    let (phase, since) = (account.phase, account.since)
    let from = max(since, now - wait)
    ledger.spend(account.enter(phase, at: now), on: phase)
    ledger.ran(phase, from: since, to: from)
    ledger.ran(.lockWait, from: from, to: now)
    trace.append(.phase(phase), from: since, to: from)
  }

  /// Records that a step slept: that is part of its phase, but the thread could not run.
  mutating func slept(_ span: TimeSpan) { account.slept(span) }

  /// Charges the finished frame with the time in which the thread was ready and did not run: elapsed time that is neither
  /// processor time nor blocked.
  mutating func noteTimeNotRunning(until ended: Instant) {
    let idle = account.notRunning(until: ended, used: contention.use, contention: contention)
    ledger.spend(idle.preempted, on: .preempted)
    ledger.spend(idle.machine, on: .machine)
  }

  private func notifyWatch() {
    if let watch, let frame = ledger.underWay {
      watch.notePhase(account, of: frame, unready: ledger.unreadyCount)
    }
  }
}

extension FrameLedger.Detail {
  /// How many spans are kept of each thread; 0 without a trace.
  func traceRoom(for plan: RunPlan) -> Int { self == .trace ? TraceLog.room(for: plan) : 0 }
}

/// The current phase of the main thread within a frame, and its times so far.
struct FrameAccount {
  /// The current phase, which began at `since`.
  private(set) var phase: Phase
  private(set) var since: Instant
  private let began: Instant
  private let usedBefore: ProcessorUse
  /// Time in which the thread could not run, within the frame and within the phase. Sleep counts as time of its phase.
  private(set) var blocked = TimeSpan.zero
  private var blockedInPhase = TimeSpan.zero
  /// The start of the current lock wait.
  private var waitsSince: Instant?

  init(_ phase: Phase, at now: Instant, used: ProcessorUse = ProcessorUse()) {
    (self.phase, since, began, usedBefore) = (phase, now, now, used)
  }

  /// Enters `next` and returns the time of the phase that ends.
  mutating func enter(_ next: Phase, at now: Instant) -> TimeSpan {
    let span = now - since - blockedInPhase
    (phase, since, blockedInPhase) = (next, now, .zero)
    return span
  }

  mutating func noteWait(since instant: Instant) { waitsSince = instant }

  mutating func waited(_ span: TimeSpan) {
    waitsSince = nil
    blocked += span
    blockedInPhase += span
  }

  mutating func slept(_ span: TimeSpan) { blocked += span }

  /// The time up to `now` in which the thread was ready and did not run, by cause.
  func notRunning(
    until now: Instant, used: ProcessorUse, contention: ProcessorContention
  ) -> (preempted: TimeSpan, machine: TimeSpan) {
    let missing = max(.zero, now - began - blocked - (used.main - usedBefore.main))
    let own = contention.taken(of: missing, using: used.others - usedBefore.others)
    return (own, missing - own)
  }

  /// The record of `frame` as if it ended at `now`.
  func record(
    of frame: OpenFrame, asOf now: Instant, used: ProcessorUse, contention: ProcessorContention,
    _ refresh: RefreshRate
  ) -> FrameRecord {
    var (account, frame) = (self, frame)
    // The run may have ended before the phase began.
    let now = max(now, since, waitsSince ?? since)
    if let waitsSince {
      let span = now - waitsSince
      frame.spend(span, on: .lockWait)
      account.waited(span)
    }
    frame.spend(account.enter(phase, at: now), on: phase)
    let idle = account.notRunning(until: now, used: used, contention: contention)
    frame.spend(idle.preempted, on: .preempted)
    frame.spend(idle.machine, on: .machine)
    return frame.record(asOf: now, refresh)
  }
}

/// Processor time of the main thread, and of all other threads of the process together.
struct ProcessorUse {
  var main = TimeSpan.zero
  var others = TimeSpan.zero
}

/// Attributes time in which the main thread was ready and did not run: to the app's other threads, or to the machine.
///
/// The kernel does not tell unprivileged processes which thread had the main thread's processor. But the app's threads can only
/// keep the main thread waiting while they occupy all processors: fewer threads than processors never do, and together they
/// must use each processor for as long as the main thread waits. Any other wait is due to another process or the hypervisor.
struct ProcessorContention: Sendable {
  /// The number of processors that the app's threads must occupy; nil if there are too few threads.
  private let processors: Int?

  /// `threads` does not include the main thread.
  init(threads: Int, processors: Int) {
    self.processors = threads >= processors ? max(1, processors) : nil
  }

  /// No threads of the app compete with the main thread.
  static let none = ProcessorContention(threads: 0, processors: 1)

  /// The use so far. Called by the main thread.
  var use: ProcessorUse {
    let main = TimeSpan.usedByThisThread
    return ProcessorUse(main: main, others: others(beside: main))
  }

  /// The same, called by another thread.
  func use(ofMain thread: Int32) -> ProcessorUse {
    let main = TimeSpan(nanoseconds: clinux_cpu_of_thread(thread))
    return ProcessorUse(main: main, others: others(beside: main))
  }

  /// Zero if it would not matter: reading it doubles the cost of recording a frame.
  private func others(beside main: TimeSpan) -> TimeSpan {
    processors == nil ? .zero : TimeSpan(nanoseconds: clinux_process_cpu()) - main
  }

  /// The part of `missing` that is due to the app's other threads, which used `others` of processor time meanwhile.
  func taken(of missing: TimeSpan, using others: TimeSpan) -> TimeSpan {
    guard let processors else { return .zero }
    return min(missing, max(.zero, TimeSpan(nanoseconds: others.nanoseconds / Int64(processors))))
  }
}

/// Measures how long a step with real work slept, for example until a disk answered.
struct RealWorkClock {
  private let began = clinux_monotonic()
  private let used = clinux_thread_cpu()
  private let delay = clinux_run_delay()

  /// The time since the creation in which the thread neither ran, nor was ready, nor was `blocked` by a lock.
  ///
  /// If the kernel does not report ready time, all of it counts as sleep.
  func slept(blocked: TimeSpan) -> TimeSpan {
    let ran = clinux_thread_cpu() - used
    let waited = delay < 0 ? 0 : clinux_run_delay() - delay
    return max(.zero, TimeSpan(nanoseconds: clinux_monotonic() - began - ran - waited) - blocked)
  }
}
