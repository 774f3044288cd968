internal import Concurrency

/// Events with keys: of those with one key only the newest runs, at its own priority.
///
/// A key that waits has a turn in the queue for each priority that its events have had meanwhile. The newest event has
/// one of them; at the others nothing runs.
final class CoalescedEvents: Sendable {
  private struct Waiting {
    var event: PostedBody
    var turn: KeyedTurn
    /// All that are queued, `turn` among them: at most one for each priority.
    var turns: [KeyedTurn]
  }

  // Sendable: the closure was sent to this table, which hands it to one thread: that which removes it.
  private struct PostedBody: @unchecked Sendable {
    let run: () -> Void
  }

  // Keys are sent in with the event that they name.
  private let waiting = Locked<[Key: Waiting]>([:])

  struct Key: Hashable, @unchecked Sendable {
    // Sendable: made from a Sendable value only, see `init`.
    private let value: AnyHashable

    init(_ value: some Hashable & Sendable) { self.value = AnyHashable(value) }
  }

  /// Keeps the event under its key. It takes the turn that the key has at this priority, if it has one.
  ///
  /// - Returns: whether it replaced another, and the turn that must be queued if it needs a new one.
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
    // The old closure dies here, after the lock is free: what it captured may have a `deinit` that schedules.
    return (old != nil, turn)
  }

  /// Takes the event whose turn this is; nil if it has another turn, or none any more.
  func take(_ turn: KeyedTurn) -> (() -> Void)? {
    waiting.withLock { waiting -> PostedBody? in
      guard waiting[turn.key]?.turn === turn else {
        waiting[turn.key]?.turns.removeAll { $0 === turn }
        return nil
      }
      return waiting.removeValue(forKey: turn.key)?.event
    }?.run
  }

  /// Gives up a turn that was refused. An event whose turn it was takes another one of its key.
  ///
  /// - Returns: whether there was none, so that the event is lost.
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
