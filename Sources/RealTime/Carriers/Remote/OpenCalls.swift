internal import Concurrency
internal import Synchronization

/// The events that wait for a process's answers, by the number under which it calls back.
final class OpenCalls: Sendable {
  private struct State {
    var events: [Int: PostedEvent] = [:]
    /// Set once the process is no more.
    var end: String?
    var lost = 0
  }

  private let state = Locked(State())
  private let callbacks = Atomic(0)

  func nextCallback() -> Int { callbacks.add(1, ordering: .relaxed).newValue }

  /// Lets the event wait for its answer; false, and it is lost, if the process is no more.
  func add(_ event: PostedEvent, _ callback: Int) -> Bool {
    state.withLock { state in
      if state.end == nil { state.events[callback] = event } else { state.lost += 1 }
      return state.end == nil
    }
  }

  /// The event whose answer has come.
  func take(_ callback: Int) -> PostedEvent? {
    state.withLock { $0.events.removeValue(forKey: callback) }
  }

  /// The process is no more: what it has not answered is lost.
  func end(because reason: String) {
    let unanswered = state.withLock { state in
      defer { state.events = [:] }
      state.end = reason
      state.lost += state.events.count
      return state.events
    }
    // Freed here, because no lock is held while something ends that an event holds.
    _ = consume unanswered
  }

  /// What was not answered because the process ended first, as a sentence; nil if everything was.
  var loss: String? {
    state.withLock { state in
      guard state.lost > 0, let end = state.end else { return nil }
      return "its process \(end), and \(state.lost) events that it had not answered are lost"
    }
  }
}
