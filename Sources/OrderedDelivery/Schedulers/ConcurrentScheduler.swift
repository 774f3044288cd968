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
  private let state: Guarded<State>
  private let idle: IdleWait

  /// - Parameters:
  ///   - name: of the dispatch queue, for debuggers.
  ///   - width: how many actions run at once, at most; less than 1 stops the process.
  ///   - qos: of the dispatch queue.
  ///   - lock: what guards the actions that wait.
  public init(
    name: String, width: Int, qos: DispatchQoS = .default, lock: LockKind = .mutex
  ) {
    guard width > 0 else {
      fatalError("scheduler '\(name)' needs a width of at least 1, not \(width)")
    }
    self.width = width
    queue = DispatchQueue(label: name, qos: qos, attributes: .concurrent)
    state = Guarded(State(), by: lock)
    idle = IdleWait(for: queue)
  }

  public func perform(_ action: @escaping @Sendable () -> Void) {
    let needsWorker = state.withLock { state in
      state.waiting.append(action)
      guard state.workers < width else { return false }
      state.workers += 1
      // Entered under the lock, so that nobody who waits for the end can slip in between.
      idle.working.enter()
      return true
    }
    if needsWorker { startWorker() }
  }

  /// A worker lets go of the scheduler before it says that it has ended: whoever waited for that may be the last to hold
  /// it, and then frees what no other thread still uses.
  private func startWorker() {
    let hold = Hold(scheduler: self)
    queue.async { [working = idle.working] in
      hold.take()?.work()
      working.leave()
    }
  }

  // Sendable: made by one thread, and emptied by the one worker that it is handed to.
  private final class Hold: @unchecked Sendable {
    private var scheduler: ConcurrentScheduler?

    init(scheduler: ConcurrentScheduler) { self.scheduler = scheduler }

    func take() -> ConcurrentScheduler? { scheduler.take() }
  }

  public func perform(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .after(delay)) { self.perform(action) }
  }

  public func delay(
    _ delay: Duration, _ action: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let delay = Delay(delay) { self.perform(action) }
    return { delay.cancel() }
  }

  /// Blocks until nothing runs or waits any more; not for what is delayed. Not from one of its own actions.
  /// For these it stops the process, because it would wait for ever.
  public func waitUntilIdle(file: StaticString = #fileID, line: UInt = #line) {
    idle.wait(file, line)
  }

  /// Waits in a task, without keeping a thread, until nothing runs or waits any more; not for what is delayed.
  public func untilIdle() async { await idle.wait() }

  private func work() {
    while let action = next() { action() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      let action = state.waiting.popFirst()
      if action == nil { state.workers -= 1 }
      return action
    }
  }
}
