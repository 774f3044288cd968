public import Dispatch

/// Runs one action at a time, on a serial dispatch queue: one of its own, or one that is handed in, such as
/// `DispatchQueue.main`.
public final class SerialScheduler: DeliveryScheduler {
  private let queue: DispatchQueue
  private let idle: IdleWait
  /// On a queue of its own: a worker runs one action after the other, so that only the first of those that wait costs a hop
  /// of Dispatch's. A queue that others have too gets each action by itself, in its place among theirs.
  let pool: ActionPool?

  /// - Parameters:
  ///   - name: of the dispatch queue, for debuggers.
  ///   - qos: of the dispatch queue.
  public init(name: String, qos: DispatchQoS = .default) {
    queue = DispatchQueue(label: name, qos: qos)
    let pool = ActionPool(on: queue, width: 1, lock: .mutex)
    idle = pool.idle
    self.pool = pool
  }

  /// - Parameter queue: a serial one; nobody can see that it is, so the caller vouches for it.
  public init(_ queue: DispatchQueue) {
    self.queue = queue
    idle = IdleWait(for: queue)
    pool = nil
  }

  public func perform(_ action: @escaping @Sendable () -> Void) {
    if let pool {
      pool.perform(.once(action))
    } else {
      queue.async(group: idle.working, execute: action)
    }
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
}

extension SerialScheduler: PooledScheduler {}
