public import Dispatch

/// Runs one action at a time, on a serial dispatch queue: its own, or an existing one such as `DispatchQueue.main`.
public final class SerialScheduler: DeliveryScheduler {
  private let queue: DispatchQueue
  private let idle: IdleWait
  /// On its own queue a worker runs one action after another, so only the first of several waiting actions costs a Dispatch
  /// hop. On an existing queue each action hops separately, to keep its place among those of other users; then this is nil.
  let pool: ActionPool?

  /// Creates a scheduler with its own dispatch queue.
  ///
  /// - Parameters:
  ///   - name: the name of the dispatch queue, for debuggers.
  ///   - qos: the quality of service of the dispatch queue.
  public init(name: String, qos: DispatchQoS = .default) {
    queue = DispatchQueue(label: name, qos: qos)
    let pool = ActionPool(on: queue, width: 1, lock: .mutex)
    idle = pool.idle
    self.pool = pool
  }

  /// Creates a scheduler on an existing dispatch queue.
  ///
  /// - Parameter queue: a serial queue. The library cannot check that it is serial.
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

  /// Blocks until no action runs or waits; does not wait for delayed actions. Stops the process if an action of this
  /// scheduler calls it, because it would wait for ever.
  public func waitUntilIdle(file: StaticString = #fileID, line: UInt = #line) {
    idle.wait(file, line)
  }

  /// Waits, without blocking a thread, until no action runs or waits; does not wait for delayed actions.
  public func untilIdle() async { await idle.wait() }
}

extension SerialScheduler: PooledScheduler {}

/// Waits until a scheduler's actions have ended. The actions themselves must not wait, because they would wait for ever.
final class IdleWait: Sendable {
  let working = DispatchGroup()
  private let mark = DispatchSpecificKey<Bool>()

  init(for queue: DispatchQueue) { queue.setSpecific(key: mark, value: true) }

  /// Blocks until no action runs or waits. Called from an action it stops the process, and prints the place of the call.
  func wait(_ file: StaticString, _ line: UInt) {
    if DispatchQueue.getSpecific(key: mark) != nil, working.wait(timeout: .now()) == .timedOut {
      fatalError("an action cannot wait until its own scheduler is idle", file: file, line: line)
    }
    working.wait()
  }

  /// The same without blocking a thread.
  func wait() async {
    await withCheckedContinuation { continuation in
      working.notify(queue: .global()) { continuation.resume() }
    }
  }
}
