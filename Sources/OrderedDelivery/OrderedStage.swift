/// Delivers the elements of one source on a scheduler, one at a time, in the order in which they were sent.
///
/// ```swift
/// let pool = ConcurrentScheduler(name: "pool", width: 4)
/// let thumbnails = OrderedStage(on: pool) { photo in shown.send(thumbnail(of: photo)) }
/// thumbnails.send(photo)          // from any thread; returns at once
/// ```
///
/// Sending queues the element under a short lock. A sender that finds no runner schedules one. The runner delivers and,
/// while elements wait, takes another turn behind the scheduler's other actions. So no thread ever waits for another's
/// delivery, no lock is held while `deliver` runs, and as many stages run at once as the scheduler is wide.
///
/// To build a chain, let a stage send to another one; each has its own scheduler, concurrent or serial. Waiting elements
/// are delivered even after the stage is released.
public final class OrderedStage<Element: Sendable>: Disposable {
  private let scheduler: any DeliveryScheduler
  private let drain: Drain
  private let deliver: @Sendable (Element) -> Void
  /// The elements, with at most one taker, so there is never a second runner.
  private let line: WaitingLine<Element>
  /// The scheduler's workers, if they repeat a runner without a hop.
  private let pool: ActionPool?

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - scheduler: the scheduler that delivers elements.
  ///   - lock: the kind of the lock of the queue.
  ///   - drain: the number of elements to deliver in a turn.
  ///   - deliver: called for one element at a time, in the order in which they were sent.
  public init(
    on scheduler: any DeliveryScheduler, lock: LockKind = .mutex, drain: Drain = .item,
    deliver: @escaping @Sendable (Element) -> Void
  ) {
    self.scheduler = scheduler
    self.drain = drain
    self.deliver = deliver
    line = WaitingLine(mostTakers: 1, lock: lock)
    pool = (scheduler as? any PooledScheduler)?.pool
  }

  /// Queues an element; from any thread, also from `deliver`. A disposed stage drops it.
  public func send(_ element: Element) {
    guard line.add(element) else { return }
    if let pool { pool.perform(.repeated(run)) } else { schedule() }
  }

  /// Drops the waiting elements, and all that are sent later.
  public func dispose() { withExtendedLifetime(line.close()) {} }

  public var isDisposed: Bool { line.isClosed }

  private func schedule() {
    scheduler.perform { [self] in if run() { schedule() } }
  }

  /// The runner's turn: an action on the scheduler, and the only place that delivers elements. Returns whether more wait.
  private func run() -> Bool {
    switch drain {
    case .item:
      guard let element = line.next() else { return false }
      deliver(element)
    case .batch:
      // A batch has the elements that wait now. Later ones are the next batch, so a busy source does not keep the thread.
      for _ in 0..<line.gather() {
        guard let element = line.nextOfBatch() else { break }
        deliver(element)
      }
    }
    return line.keepsTaker()
  }
}
