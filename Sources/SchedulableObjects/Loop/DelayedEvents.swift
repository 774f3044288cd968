internal import Concurrency
internal import Synchronization

/// The events that are not due yet: a binary heap by time, and in the order sent if times are equal.
struct DelayedEvents {
  private struct Entry {
    let due: Int64
    let order: Int
    let node: EventNode

    func isBefore(_ other: Entry) -> Bool {
      due != other.due ? due < other.due : order < other.order
    }
  }

  private var heap: [Entry] = []
  private var inserted = 0

  var isEmpty: Bool { heap.isEmpty }
  var count: Int { heap.count }

  /// When the next event is due.
  var nextDue: Int64? { heap.first?.due }

  /// The number of events whose loss must be reported.
  var missedCount: Int { heap.count { $0.node.isMissed } }

  mutating func insert(_ node: EventNode, due: Int64) {
    heap.append(Entry(due: due, order: inserted, node: node))
    inserted += 1
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns the earliest event if it is due at `now`.
  mutating func popDue(at now: Int64) -> EventNode? {
    guard let earliest = heap.first, earliest.due <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sink(0)
    return earliest.node
  }

  /// Frees the withdrawn events.
  mutating func removeCancelled() {
    var kept: [Entry] = []
    for entry in heap {
      if entry.node.isOver { _ = entry.node.takePayload() } else { kept.append(entry) }
    }
    heap = kept
    for parent in (0..<heap.count / 2).reversed() { sink(parent) }
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].isBefore(heap[least]) { least = child }
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

/// Decides when enough delayed events have been withdrawn to sweep them out.
///
/// A withdrawn event stays in its place, because only the consumer may access that place. A sweep visits all waiting
/// events. It starts when half of them, and at least a thousand, are withdrawn, so it costs a few visits per withdrawal.
struct CancelledDelays: ~Copyable {
  private static let fewest = 1024
  private let cancelled = Atomic(0)
  private let waiting = Atomic(0)
  private let isAsked = Atomic(false)

  /// From any thread. Returns whether the consumer must be asked to sweep.
  func noteCancelled() -> Bool {
    let count = cancelled.add(1, ordering: .relaxed).newValue
    guard count >= max(Self.fewest, waiting.load(ordering: .relaxed) / 2) else { return false }
    return !isAsked.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Consumer only: sets the number of waiting events.
  func note(waiting count: Int) { waiting.store(count, ordering: .relaxed) }

  /// Consumer only. Returns whether to sweep out the events withdrawn so far.
  func begin() -> Bool {
    if !isAsked.load(ordering: .relaxed) { return false }
    cancelled.store(0, ordering: .relaxed)
    isAsked.store(false, ordering: .releasing)
    return true
  }
}

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

/// An event that can be withdrawn until it begins.
///
/// ```swift
/// let reminder = scheduler.schedule(after: .seconds(5)) { print("still waiting") }
/// reminder.cancel()
/// ```
public final class ScheduledEvent: Sendable {
  /// When it may run, in nanoseconds on its loop's clock; nil for as soon as possible.
  let due: Int64?
  /// The loop in which it waits until it is due, and which sweeps it out if it is withdrawn.
  private let loop: SchedulerLoop?
  private let hasEnded = Atomic(false)
  // Proof: only the one call that sets `hasEnded` to true accesses these two, and it empties them.
  private nonisolated(unsafe) var body: (() -> Void)?
  private nonisolated(unsafe) var answer: ((Refusal.Reason) -> Void)?

  init(
    due: Int64? = nil, in loop: SchedulerLoop? = nil, body: sending @escaping () -> Void,
    onRefusal answer: (@Sendable (Refusal.Reason) -> Void)? = nil
  ) {
    self.due = due
    self.loop = loop
    unsafe self.body = body
    unsafe self.answer = answer
  }

  /// Withdraws the event and releases its closure at once.
  ///
  /// - Returns: false if it has begun, has run, or was refused or cancelled before.
  @discardableResult
  public func cancel() -> Bool {
    guard finish(.cancelled) != nil else { return false }
    loop?.delayedEventCancelled()
    return true
  }

  /// Whether it has begun, or will never run.
  var isOver: Bool { hasEnded.load(ordering: .relaxed) }

  /// Runs the event, unless it is over. Only on its scheduler.
  func run() -> Bool {
    guard begin() else { return false }
    unsafe answer = nil
    let body = unsafe body.take()
    body?()
    return true
  }

  /// Ends the event without running it.
  ///
  /// - Returns: whether a caller was informed; nil if the event was over before.
  func finish(_ reason: Refusal.Reason) -> Bool? {
    guard begin() else { return nil }
    unsafe body = nil
    let answer = unsafe answer.take()
    answer?(reason)
    return answer != nil
  }

  private func begin() -> Bool {
    hasEnded.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
      .exchanged
  }
}
