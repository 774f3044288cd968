public import Dispatch

/// Runs up to `width` actions at a time, on Dispatch's threads.
///
/// Actions begin in the order scheduled, but may end in any order. `OrderedStage` keeps the order for the elements of one
/// source.
public final class ConcurrentScheduler: DeliveryScheduler {
  /// The maximum number of actions that run at once.
  public let width: Int
  private let queue: DispatchQueue
  private let actions: ActionPool

  /// Creates a scheduler with its own dispatch queue.
  ///
  /// - Parameters:
  ///   - name: the name of the dispatch queue, for debuggers.
  ///   - width: the maximum number of actions that run at once; less than 1 stops the process.
  ///   - qos: the quality of service of the dispatch queue.
  ///   - lock: the kind of the lock of the waiting actions.
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

  /// Blocks until no action runs or waits; does not wait for delayed actions. Stops the process if an action of this
  /// scheduler calls it, because it would wait for ever.
  public func waitUntilIdle(file: StaticString = #fileID, line: UInt = #line) {
    actions.idle.wait(file, line)
  }

  /// Waits, without blocking a thread, until no action runs or waits; does not wait for delayed actions.
  public func untilIdle() async { await actions.idle.wait() }
}

extension ConcurrentScheduler: PooledScheduler {
  var pool: ActionPool? { actions }
}
