internal import Concurrency

/// A queue that holds a limited number of events and refuses one beyond the limit.
///
/// Evicting the oldest event requires access to it, which the lock-free stack does not offer. So this queue has a list for
/// each priority under a mutex, and hands out one event at a time.
final class BoundedQueue: EventQueue {
  private struct State {
    var waiting = ReadyEvents()
    var overtaking = Overtaking()
    var delayed = EventBatch()
    var isParked = false
    var isClosed = false
    var hasEnded = false

    var isEmpty: Bool { waiting.count == 0 && delayed.events.isEmpty }
  }

  private let limit: Int
  private let overflow: Capacity.Overflow
  private let state = Locked(State())

  init(limit: Int, overflow: Capacity.Overflow) {
    require(limit > 0, "a queue needs room for at least one event, not \(limit)")
    self.limit = limit
    self.overflow = overflow
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func push(_ node: EventNode) -> PushOutcome {
    state.withLock { state in
      if state.isClosed, state.hasEnded || !node.traits.contains(.mustRun) {
        return .refused(node, .shutDown)
      }
      if node.traits.contains(.delayed) {
        state.delayed.append(node)
      } else if state.waiting.count < limit || node.traits.contains(.mustRun) {
        state.waiting.append(node)
      } else if overflow == .dropOldest,
        let oldest = state.waiting.removeOldest(upTo: node.priority)
      {
        state.waiting.append(node)
        return .evicted(oldest)
      } else {
        return .refused(node, .full)
      }
      return wakeIfParked(&state)
    }
  }

  func close() -> Bool {
    state.withLock { state in
      state.isClosed = true
      if case .queuedForSleeper = wakeIfParked(&state) { return true }
      return false
    }
  }

  func take() -> EventBatch {
    state.withLock { state in
      var batch = state.delayed
      state.delayed = EventBatch()
      if let node = state.waiting.popFirst(&state.overtaking) { batch.append(node) }
      batch.leftBehind = state.waiting.count
      return batch
    }
  }

  func park() -> Bool {
    state.withLock { state in
      state.isParked = state.isEmpty && !state.isClosed
      return state.isParked
    }
  }

  func unpark() { state.withLock { $0.isParked = false } }

  func end() -> Bool {
    state.withLock { state in
      state.hasEnded = state.isEmpty
      return state.hasEnded
    }
  }

  private func wakeIfParked(_ state: inout State) -> PushOutcome {
    defer { state.isParked = false }
    return state.isParked ? .queuedForSleeper : .queued
  }
}

/// The number of events that may wait, and what happens beyond it. The sender is never blocked.
///
/// Tasks can limit themselves: ``SchedulableObject/call(priority:_:)`` returns once its event has run, so a task that awaits
/// each call has one event in flight, and a task group one for each of its tasks.
public enum Capacity: Sendable, Equatable {
  /// No limit. Above the high-water mark the scheduler reports a backlog.
  case unbounded(highWater: Int? = nil)
  /// At most this many events; `whenFull` decides which event is refused. Such a queue takes a lock for each event.
  case bounded(Int, whenFull: Overflow)

  /// Which event a full queue refuses.
  public enum Overflow: Sendable, Equatable {
    /// The new event.
    case dropNewest
    /// The oldest waiting event of the lowest priority, unless the new event has a still lower priority.
    case dropOldest
  }
}
