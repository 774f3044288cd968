internal import Dispatch

/// A scheduler whose workers take a repeated action up again by themselves, without a hop for each time.
protocol PooledScheduler: DeliveryScheduler {
  /// Nil where every action takes its place among those of others.
  var pool: ActionPool? { get }
}

/// Runs up to so many actions at once on the threads of a dispatch queue. They begin in the order in which they were added.
final class ActionPool: Sendable {
  enum Action: Sendable {
    case once(@Sendable () -> Void)
    /// Run again and again, in turn with others, for as long as it says that it has more to do.
    case repeated(@Sendable () -> Bool)

    /// Runs it; whether it wants another turn.
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
    // Entered under the lock, so that nobody who waits for the end can slip in between.
    if line.add(action, expecting: { idle.working.enter() }) { startWorker() }
  }

  /// A worker lets go of the pool before it says that it has ended: whoever waited for that may be the last to hold
  /// it, and then frees what no other thread still uses.
  private func startWorker() {
    let hold = Hold(pool: self)
    queue.async { [working = idle.working] in
      hold.take()?.work()
      working.leave()
    }
  }

  // Sendable: made by one thread, and emptied by the one worker that it is handed to.
  private final class Hold: @unchecked Sendable {
    private var pool: ActionPool?

    init(pool: ActionPool) { self.pool = pool }

    func take() -> ActionPool? { pool.take() }
  }

  /// An action that wants another turn waits behind those that wait already.
  private func work() {
    var next = line.next()
    while let action = next {
      next = action.run() ? line.next(leaving: action) : line.next()
    }
  }
}
