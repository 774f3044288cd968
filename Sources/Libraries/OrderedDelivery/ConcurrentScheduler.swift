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
  @available(*, noasync, message: "it blocks the thread; await untilIdle()")
  public func waitUntilIdle(file: StaticString = #fileID, line: UInt = #line) {
    actions.idle.wait(file, line)
  }

  /// Waits, without blocking a thread, until no action runs or waits; does not wait for delayed actions.
  public func untilIdle() async { await actions.idle.wait() }
}

extension ConcurrentScheduler: PooledScheduler {
  var pool: ActionPool? { actions }
}

/// A scheduler whose workers run a repeated action again without a hop for each turn.
protocol PooledScheduler: DeliveryScheduler {
  /// Nil if each action hops separately, to keep its place among those of other users of the queue.
  var pool: ActionPool? { get }
}

/// Runs up to `width` actions at once on the threads of a dispatch queue. They begin in the order in which they were added.
final class ActionPool: Sendable {
  enum Action: Sendable {
    case once(@Sendable () -> Void)
    /// Runs repeatedly, taking turns with others, while it returns true.
    case repeated(@Sendable () -> Bool)

    /// Runs the action, and returns whether it needs another turn.
    fileprivate func run() -> Bool {
      switch self {
      case .once(let body):
        body()
        return false
      case .repeated(let body): return body()
      }
    }
  }

  private let queue: DispatchQueue
  private let line: TwoLockQueue<Action>
  let idle: IdleWait

  init(on queue: DispatchQueue, width: Int, lock: LockKind) {
    self.queue = queue
    line = TwoLockQueue(maxConsumers: width, lock: lock)
    idle = IdleWait(for: queue)
  }

  func perform(_ action: Action) {
    // Entered under the lock, so that a thread waiting for the end cannot see an idle pool in between.
    if line.add(action, expecting: { idle.working.enter() }) { startWorker() }
  }

  /// A worker releases the pool before it leaves the group: a thread that waits for the group may hold the last reference,
  /// and then frees a pool that no other thread still uses.
  private func startWorker() {
    let hold = PoolHandOff(pool: self)
    queue.async { [working = idle.working] in
      hold.take()?.work()
      working.leave()
    }
  }

  // Sendable: created by one thread, and emptied by the one worker that receives it.
  private final class PoolHandOff: @unchecked Sendable {
    private var pool: ActionPool?

    init(pool: ActionPool) { self.pool = pool }

    func take() -> ActionPool? { pool.take() }
  }

  /// Runs actions until none waits. An action that needs another turn queues behind the waiting ones.
  private func work() {
    var next = line.next()
    while let action = next {
      next = action.run() ? line.next(leaving: action) : line.next()
    }
  }
}

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
  @available(*, noasync, message: "it blocks the thread; await untilIdle()")
  public func waitUntilIdle(file: StaticString = #fileID, line: UInt = #line) {
    idle.wait(file, line)
  }

  /// Waits, without blocking a thread, until no action runs or waits; does not wait for delayed actions.
  public func untilIdle() async { await idle.wait() }
}

extension SerialScheduler: PooledScheduler {}

/// Waits until a scheduler's actions have ended. The actions themselves must not wait, because they would never end.
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
