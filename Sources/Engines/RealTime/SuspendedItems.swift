internal import SchedulableThreads
internal import FrameBudget

/// The suspended items of a run, and the thread that posts them when their waits have ended.
///
/// One thread serves all of them: it sleeps until the next end.
final class SuspendedItems: Sendable {
  private struct State {
    var waits: Suspensions<LiveItem>
    var isStopping = false
    var trace: ThreadTrace

    mutating func note(_ suspended: Suspensions<LiveItem>.Suspended, until end: Instant) {
      trace.append(.suspended(suspended.item.traceStep), from: suspended.since, to: end)
    }
  }

  private let state: Locked<State>
  private let clock: RunClock
  /// Wakes the thread.
  private let parker = makeParker()
  private let thread = Locked<PlatformThread?>(nil)

  /// Nil if no step suspends its item. `room` is the number of trace spans kept.
  init?(_ plan: RunPlan, clock: RunClock, tracing room: Int) {
    guard plan.suspends else { return nil }
    state = Locked(State(waits: Suspensions(plan), trace: ThreadTrace(room: room)))
    self.clock = clock
  }

  /// Starts the thread, which calls `post` with each item whose wait has ended.
  func start(post: @escaping @Sendable (LiveItem) -> Void) throws(ThreadError) {
    let started = try PlatformThread(name: "suspended") { self.run(post) }
    thread.withLock { $0 = started }
  }

  /// Suspends `item`. Returns false after the stop.
  func begin(_ item: LiveItem, for span: TimeSpan, on resource: ResourceIndex?) -> Bool {
    let begins = state.withLock { state in
      guard !state.isStopping else { return false }
      state.waits.begin(item, for: span, on: resource, at: clock.now)
      return true
    }
    if begins { parker.unpark() }
    return begins
  }

  /// Stops the thread. Returns the items that are still suspended.
  func stop() -> [LiveItem] {
    let left = state.withLock { state in
      state.isStopping = true
      let left = state.waits.removeAll()
      for suspended in left { state.note(suspended, until: clock.now) }
      return left.map(\.item)
    }
    parker.unpark()
    thread.withLock { $0.take() }?.join()
    return left
  }

  /// The number of items that are suspended now, by step.
  func waiting(of plan: RunPlan) -> [Int] {
    state.withLock { plan.waiting(in: $0.waits) { ($0.workload, $0.step) } }
  }

  /// The suspended items so far.
  var trace: ThreadTrace { state.withLock { $0.trace } }

  private func run(_ post: (LiveItem) -> Void) {
    while let (ended, next) = takeEnded() {
      for item in ended { post(item) }
      parker.park(forNanoseconds: next.map { max(0, ($0 - clock.now).nanoseconds) })
    }
  }

  /// The items whose waits have ended, and the next end; nil when stopping.
  private func takeEnded() -> ([LiveItem], Instant?)? {
    state.withLock { state in
      guard !state.isStopping else { return nil }
      let now = clock.now
      var ended: [LiveItem] = []
      while let suspended = state.waits.popEnded(by: now) {
        state.note(suspended, until: now)
        ended.append(suspended.item)
      }
      return (ended, state.waits.nextEnd)
    }
  }
}

// Items that are suspended at the end of a step.
extension LiveApp {
  /// Suspends `item`, which no thread runs; after the run, counts it as pending.
  func suspend(_ item: LiveItem) {
    let step = plan.workloads[item.workload].steps[item.step]
    let span = step.suspension(item: item.number, run: item.run)
    if suspended?.begin(item, for: span, on: step.suspension?.resource) != true { abandon(item) }
  }

  /// Suspends a part of `item`, which does not await its step and continues.
  func suspendPart(of item: LiveItem) {
    parts.withLock { $0.forks(item.workload, item.number) }
    enter(item)
    suspend(item.part.suspended)
  }

  /// Counts all items that are still suspended as pending, at the end of the run.
  func stopSuspended() {
    for item in suspended?.stop() ?? [] { abandon(item) }
  }
}
