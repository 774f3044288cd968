internal import Dispatch

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
  private let line: WaitingLine<Action>
  let idle: IdleWait

  init(on queue: DispatchQueue, width: Int, lock: LockKind) {
    self.queue = queue
    line = WaitingLine(mostTakers: width, lock: lock)
    idle = IdleWait(for: queue)
  }

  func perform(_ action: Action) {
    // Entered under the lock, so that a thread waiting for the end cannot see an idle pool in between.
    if line.add(action, expecting: { idle.working.enter() }) { startWorker() }
  }

  /// A worker releases the pool before it leaves the group: a thread that waits for the group may hold the last reference,
  /// and then frees a pool that no other thread still uses.
  private func startWorker() {
    let hold = Hold(pool: self)
    queue.async { [working = idle.working] in
      hold.take()?.work()
      working.leave()
    }
  }

  // Sendable: created by one thread, and emptied by the one worker that receives it.
  private final class Hold: @unchecked Sendable {
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
