internal import Concurrency

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

    init(_ value: some Hashable & Sendable) { self.value = AnyHashable(value) }
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
