import SchedulableThreads
import OrderedDelivery

/// Runs actions on request of a test, on a clock that only the test advances, and counts them.
final class HandScheduler: DeliveryScheduler {
  private struct State {
    var waiting: [(due: Duration, action: @Sendable () -> Void)] = []
    var now = Duration.zero
    var scheduled = 0
  }

  private let state = Locked(State())

  /// The number of actions scheduled so far.
  var scheduled: Int { state.withLock { $0.scheduled } }

  func perform(_ action: @escaping @Sendable () -> Void) { perform(after: .zero, action) }

  func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.scheduled += 1
      state.waiting.append((state.now + delay, action))
    }
  }

  /// Runs the next due action; returns false if there is none.
  @discardableResult
  func runNext() -> Bool {
    let action = state.withLock { state -> (@Sendable () -> Void)? in
      let due = state.waiting.indices.filter { state.waiting[$0].due <= state.now }
      guard let next = due.min(by: { state.waiting[$0].due < state.waiting[$1].due }) else {
        return nil
      }
      return state.waiting.remove(at: next).action
    }
    action?()
    return action != nil
  }

  /// Runs all due actions, including those that they schedule. Returns the number of actions that ran.
  @discardableResult
  func run() -> Int {
    var count = 0
    while runNext() { count += 1 }
    return count
  }

  func advance(by span: Duration) { state.withLock { $0.now += span } }
}
