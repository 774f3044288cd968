public import Dispatch

/// Runs up to `width` actions at a time, on Dispatch's threads.
///
/// Actions begin in the order scheduled, but which of them ends first is anybody's guess: that is what `OrderedStage`
/// puts right for the elements of one source.
public final class ConcurrentScheduler: DeliveryScheduler {
  /// How many actions run at once, at most.
  public let width: Int
  private let queue: DispatchQueue
  private let actions: ActionPool

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
    actions = ActionPool(on: queue, width: width, lock: lock)
  }

  public func perform(_ action: @escaping @Sendable () -> Void) { actions.perform(.once(action)) }

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
    actions.idle.wait(file, line)
  }

  /// Waits in a task, without keeping a thread, until nothing runs or waits any more; not for what is delayed.
  public func untilIdle() async { await actions.idle.wait() }
}

extension ConcurrentScheduler: PooledScheduler {
  var pool: ActionPool? { actions }
}
