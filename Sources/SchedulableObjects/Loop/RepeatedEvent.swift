internal import Concurrency

/// An event that comes again and again, until it is cancelled or its scheduler ends.
///
/// ```swift
/// let blinking = scheduler.schedule(every: .milliseconds(500)) { cursor.blink() }
/// blinking.cancel()
/// ```
///
/// It is due at whole periods from when it was scheduled: one that runs late does not make the next ones late. Those whose
/// time passes meanwhile are left out, so at most one waits. Nobody has to keep it.
public final class RepeatedEvent: Sendable {
  private struct State {
    var isCancelled = false
    var waiting: ScheduledEvent?
  }

  private let loop: SchedulerLoop
  private let period: Int64
  private let priority: EventPriority
  private let state = Locked(State())

  init(
    every period: Int64, on loop: SchedulerLoop, priority: EventPriority,
    _ body: sending @escaping () -> Void
  ) {
    self.loop = loop
    self.period = period
    self.priority = priority
    wait(until: loop.clock.now().addingWithoutWrap(period), body)
  }

  /// Ends it; what it captured is released once it does not run any more.
  public func cancel() {
    let event = state.withLock { state -> ScheduledEvent? in
      state.isCancelled = true
      return state.waiting.take()
    }
    event?.cancel()
  }

  private func wait(until due: Int64, _ body: sending @escaping () -> Void) {
    // Proof: one event at a time has it, which hands it on to the next when it has run.
    nonisolated(unsafe) let body = body
    let event = ScheduledEvent(due: due, in: loop) { [self] in
      unsafe body()
      let next = Self.due(after: due, every: period, at: loop.clock.now())
      unsafe wait(until: next, body)
    }
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.waiting = event }
      return state.isCancelled
    }
    if isCancelled { return }
    loop.post(EventNode(.ticket(event), priority: priority, traits: .delayed))
  }

  /// The first turn after `due` whose time has not come by `now`.
  static func due(after due: Int64, every period: Int64, at now: Int64) -> Int64 {
    let passed = max(0, now - due) / period
    return due.addingWithoutWrap(period).addingWithoutWrap(passed * period)
  }
}

extension Scheduler {
  /// Sends an event again and again, for the first time when `period` has passed.
  ///
  /// Each turn is an event like any other: a full queue may refuse one, as a shutdown does. That is reported, and ends it.
  ///
  /// - Parameters:
  ///   - period: from one turn to the next; above zero.
  ///   - priority: of each turn.
  ///   - file: the call site.
  ///   - line: the call site.
  ///   - event: what is done.
  /// - Returns: what it is cancelled by.
  @discardableResult
  public func schedule(
    every period: Duration, priority: EventPriority = .normal, file: StaticString = #fileID,
    line: UInt = #line, _ event: sending @escaping () -> Void
  ) -> RepeatedEvent {
    require(period > .zero, "nothing comes every \(period)", file: file, line: line)
    return RepeatedEvent(
      every: max(1, period.wholeNanoseconds), on: loop, priority: priority, event)
  }
}
