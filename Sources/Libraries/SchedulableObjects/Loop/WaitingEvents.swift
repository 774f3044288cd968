internal import SchedulableThreads
internal import Synchronization

/// The events that may run now: the highest priority first, and within a priority the oldest first.
struct ReadyEvents {
  private var user = EventChain()
  private var normal = EventChain()
  private var background = EventChain()

  /// The number of events whose loss must be reported.
  var missedCount: Int {
    [user, normal, background].reduce(0) { $0 + $1.count(where: \.isMissed) }
  }

  var count: Int { user.count + normal.count + background.count }

  /// The highest priority that has an event.
  var highest: EventPriority? {
    if !user.isEmpty { return .user }
    if !normal.isEmpty { return .normal }
    return background.isEmpty ? nil : .background
  }

  /// Removes and returns the next event: the oldest of the highest priority that may still overtake lower ones.
  mutating func popFirst(_ overtaking: inout Overtaking) -> EventNode? {
    if !user.isEmpty, normal.isEmpty && background.isEmpty || overtaking.userMay() {
      return user.popFirst()
    }
    if !normal.isEmpty, background.isEmpty || overtaking.normalMay() {
      return normal.popFirst()
    }
    return background.popFirst()
  }

  /// Removes and returns the oldest event of the lowest priority that is not above `priority`.
  mutating func removeOldest(upTo priority: EventPriority) -> EventNode? {
    if let node = background.removeFirstRefusable() { return node }
    if priority >= .normal, let node = normal.removeFirstRefusable() { return node }
    return priority >= .user ? user.removeFirstRefusable() : nil
  }

  mutating func append(_ node: EventNode) {
    var one = EventChain()
    one.append(node)
    append(one, priority: node.priority)
  }

  /// Appends events that all have this priority.
  mutating func append(_ events: EventChain, priority: EventPriority) {
    switch priority {
    case .user: user.append(events)
    case .normal: normal.append(events)
    case .background: background.append(events)
    }
  }
}

/// Events with keys: of the events with one key only the newest runs, at its own priority.
///
/// A waiting key has a turn in the queue for each priority that its events have had. The newest event owns one of these
/// turns; nothing runs at the others.
final class CoalescedEvents: Sendable {
  private struct Waiting {
    var event: PostedBody
    var turn: KeyedTurn
    /// All queued turns, including `turn`: at most one for each priority.
    var turns: [KeyedTurn]
  }

  // Sendable: the closure was sent to this table, which hands it to the one thread that removes it.
  private struct PostedBody: @unchecked Sendable {
    let run: () -> Void
  }

  // Keys are sent together with their events.
  private let waiting = Locked<[Key: Waiting]>([:])

  struct Key: Hashable, @unchecked Sendable {
    // Sendable: made only from a Sendable value, see `init`.
    private let value: AnyHashable
    /// The address of the object that the event is for; 0 for the scheduler's own events.
    private let object: UInt

    init(_ value: some Hashable & Sendable, of object: UInt = 0) {
      self.value = AnyHashable(value)
      self.object = object
    }
  }

  /// Stores the event under its key. It takes over the key's turn at this priority, if there is one.
  ///
  /// - Returns: whether it replaced another event, and the turn to queue if it needs a new one.
  func insert(
    _ body: sending @escaping () -> Void, key: Key, priority: EventPriority
  ) -> (replaced: Bool, turn: KeyedTurn?) {
    let event = PostedBody(run: body)
    let (old, turn) = waiting.withLock { waiting -> (PostedBody?, KeyedTurn?) in
      let old = waiting[key]
      if let turn = old?.turns.first(where: { $0.priority == priority }) {
        waiting[key]?.event = event
        waiting[key]?.turn = turn
        return (old?.event, nil)
      }
      let turn = KeyedTurn(key: key, priority: priority)
      waiting[key] = Waiting(event: event, turn: turn, turns: (old?.turns ?? []) + [turn])
      return (old?.event, turn)
    }
    // The old closure is released here, outside the lock: a captured object may schedule in its `deinit`.
    return (old != nil, turn)
  }

  /// Removes and returns the event that owns this turn; nil if it owns another turn or is gone.
  func take(_ turn: KeyedTurn) -> (() -> Void)? {
    waiting.withLock { waiting -> PostedBody? in
      guard waiting[turn.key]?.turn === turn else {
        waiting[turn.key]?.turns.removeAll { $0 === turn }
        return nil
      }
      return waiting.removeValue(forKey: turn.key)?.event
    }?.run
  }

  /// Removes a refused turn. The event that owned it takes over another turn of its key.
  ///
  /// - Returns: whether the event is lost because there was no other turn.
  func refuse(_ turn: KeyedTurn) -> Bool {
    let lost = waiting.withLock { waiting -> PostedBody? in
      waiting[turn.key]?.turns.removeAll { $0 === turn }
      guard let event = waiting[turn.key], event.turn === turn else { return nil }
      guard let other = event.turns.max(by: { $0.priority < $1.priority }) else {
        return waiting.removeValue(forKey: turn.key)?.event
      }
      waiting[turn.key]?.turn = other
      return nil
    }
    return lost != nil
  }
}

/// The place of a key in the queue.
final class KeyedTurn: Sendable {
  let key: CoalescedEvents.Key
  let priority: EventPriority

  init(key: CoalescedEvents.Key, priority: EventPriority) {
    self.key = key
    self.priority = priority
  }
}

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
    _ body: sending @escaping () -> Bool
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

  /// Waits for the next turn. The body returns whether it is to be repeated.
  private func wait(until due: Int64, _ body: sending @escaping () -> Bool) {
    // Proof: one event at a time holds it, and passes it to the next after it has run.
    nonisolated(unsafe) let body = body
    let event = ScheduledEvent(due: due, in: loop) { [self] in
      guard unsafe body() else { return }
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
  @_disfavoredOverload
  public func schedule(
    every period: Duration, priority: EventPriority = .normal, file: StaticString = #fileID,
    line: UInt = #line, _ event: sending @escaping () -> Void
  ) -> RepeatedEvent {
    repeating(every: period, priority, file, line) {
      event()
      return true
    }
  }

  /// Repeats an event for as long as it returns true.
  func repeating(
    every period: Duration, _ priority: EventPriority, _ file: StaticString, _ line: UInt,
    _ event: sending @escaping () -> Bool
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
