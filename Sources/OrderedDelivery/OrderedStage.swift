/// Delivers the elements of one source on a scheduler, one at a time, in the order in which they were sent.
///
/// ```swift
/// let pool = ConcurrentScheduler(name: "pool", width: 4)
/// let thumbnails = OrderedStage(on: pool) { photo in shown.send(thumbnail(of: photo)) }
/// thumbnails.send(photo)          // from any thread; returns at once
/// ```
///
/// Sending queues the element under a short lock. Whoever finds no runner schedules one, which delivers and, as long as
/// elements wait, has another turn behind the scheduler's other actions. So no thread ever waits for
/// another's delivery, no lock is held while `deliver` runs, and as many stages as the scheduler is wide run at once.
///
/// A chain is a stage that sends to another one; each has a scheduler of its own, concurrent or serial. Elements that
/// wait are delivered even if nobody holds the stage any more.
public final class OrderedStage<Element: Sendable>: Disposable {
  private let scheduler: any DeliveryScheduler
  private let drain: Drain
  private let deliver: @Sendable (Element) -> Void
  /// Elements, and at most one who takes them: there is never a second runner.
  private let line: WaitingLine<Element>
  /// The scheduler's workers, where they give a runner its next turn by themselves.
  private let pool: ActionPool?

  /// - Parameters:
  ///   - scheduler: where elements are delivered.
  ///   - lock: what guards the queue.
  ///   - drain: how much is delivered at a time.
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

  /// Queues an element; from any thread, also from within `deliver`. After the disposal it is dropped.
  public func send(_ element: Element) {
    guard line.add(element) else { return }
    if let pool { pool.perform(.repeated(run)) } else { schedule() }
  }

  /// Drops what waits, and everything that is sent from now on.
  public func dispose() { withExtendedLifetime(line.close()) {} }

  public var isDisposed: Bool { line.isClosed }

  private func schedule() {
    scheduler.perform { [self] in if run() { schedule() } }
  }

  /// The runner's turn: an action on the scheduler, and the only place from which elements are delivered. Whether more
  /// of them wait.
  private func run() -> Bool {
    switch drain {
    case .item:
      guard let element = line.next() else { return false }
      deliver(element)
    case .batch:
      // A batch is what waits now. What comes meanwhile is the next one, or a busy source would keep the thread.
      for _ in 0..<line.gather() {
        guard let element = line.nextOfBatch() else { break }
        deliver(element)
      }
    }
    return line.keepsTaker()
  }
}
