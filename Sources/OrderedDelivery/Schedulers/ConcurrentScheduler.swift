internal import DequeModule
public import Dispatch

/// Runs up to `width` actions at a time, on Dispatch's threads.
///
/// Actions begin in the order scheduled, but which of them ends first is anybody's guess: that is what `OrderedStage`
/// puts right for the elements of one source.
public final class ConcurrentScheduler: DeliveryScheduler {
  private struct State {
    var waiting: Deque<@Sendable () -> Void> = []
    var workers = 0
  }

  /// How many actions run at once, at most.
  public let width: Int
  private let queue: DispatchQueue
  private let state: Locked<State>
  private let working = DispatchGroup()

  public init(
    name: String, width: Int, qos: DispatchQoS = .default, lock: LockKind = .mutex
  ) {
    precondition(width > 0, "scheduler '\(name)' needs a width of at least 1, not \(width)")
    self.width = width
    queue = DispatchQueue(label: name, qos: qos, attributes: .concurrent)
    state = Locked(State(), by: lock)
  }

  public func perform(_ action: @escaping @Sendable () -> Void) {
    let needsWorker = state.withLock { state in
      state.waiting.append(action)
      guard state.workers < width else { return false }
      state.workers += 1
      // Entered under the lock, so that nobody who waits for the end can slip in between.
      working.enter()
      return true
    }
    if needsWorker { queue.async { self.work() } }
  }

  public func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .after(delay)) { self.perform(action) }
  }

  /// Blocks until nothing runs or waits any more; not for what is delayed. Not from one of its own actions.
  public func waitUntilIdle() { working.wait() }

  private func work() {
    while let action = next() { action() }
    working.leave()
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let action = state.waiting.popFirst()
      if action == nil { state.workers -= 1 }
      return action
    }
  }
}
