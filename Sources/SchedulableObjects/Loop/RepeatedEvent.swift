internal import Concurrency

/// An event that repeats until it is cancelled or its scheduler ends.
///
/// ```swift
/// let blinking = scheduler.schedule(every: .milliseconds(500)) { cursor.blink() }
/// blinking.cancel()
/// ```
///
/// It is due at whole periods from when it was scheduled, so a late turn does not delay the next ones. Turns that are
/// missed meanwhile are skipped, so at most one waits. You need not keep a reference to it.
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

  /// Ends the repetition. The closure is released when it is not running any more.
  public func cancel() {
    let event = state.withLock { state -> ScheduledEvent? in
      state.isCancelled = true
      return state.waiting.take()
    }
    event?.cancel()
  }

  private func wait(until due: Int64, _ body: sending @escaping () -> Void) {
    // Proof: one event at a time holds it, and passes it to the next after it has run.
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

  /// The first turn after `due` that is later than `now`.
  static func due(after due: Int64, every period: Int64, at now: Int64) -> Int64 {
    let passed = max(0, now - due) / period
    return due.addingWithoutWrap(period).addingWithoutWrap(passed * period)
  }
}

extension Scheduler {
  /// Sends an event repeatedly, for the first time after `period`.
  ///
  /// Each turn is an ordinary event: a full queue or a shutdown may refuse it. A refusal is reported, and ends the repetition.
  ///
  /// - Parameters:
  ///   - period: the time from one turn to the next, above zero.
  ///   - priority: the priority of each turn.
  ///   - file: the file of the call.
  ///   - line: the line of the call.
  ///   - event: the closure to run.
  /// - Returns: a handle that cancels the repetition.
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
