internal import DequeModule

/// Delivers the elements of one source on a scheduler, one at a time, in the order in which they were sent.
///
/// ```swift
/// let pool = ConcurrentScheduler(name: "pool", width: 4)
/// let thumbnails = OrderedStage(on: pool) { photo in shown.send(thumbnail(of: photo)) }
/// thumbnails.send(photo)          // from any thread; returns at once
/// ```
///
/// Sending queues the element under a short lock. Whoever finds no runner schedules one, which delivers
/// and schedules itself anew as long as elements wait. So no thread ever waits for
/// another's delivery, no lock is held while `deliver` runs, and as many stages as the scheduler is wide run at once.
///
/// A chain is a stage that sends to another one; each has a scheduler of its own, concurrent or serial. Elements that
/// wait are delivered even if nobody holds the stage any more.
public final class OrderedStage<Element: Sendable>: Disposable {
  private struct State {
    /// Nil once disposed of.
    var waiting: Deque<Element>? = []
    /// Whether a runner is scheduled or running: there is never a second one.
    var hasRunner = false
  }

  private let scheduler: any DeliveryScheduler
  private let drain: Drain
  private let deliver: @Sendable (Element) -> Void
  private let state: Guarded<State>

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
    state = Guarded(State(), by: lock)
  }

  /// Queues an element; from any thread, also from within `deliver`. After the disposal it is dropped.
  public func send(_ element: Element) {
    let needsRunner = state.withLock { state in
      if state.waiting == nil { return false }
      state.waiting?.append(element)
      defer { state.hasRunner = true }
      return !state.hasRunner
    }
    if needsRunner { scheduler.perform(run) }
  }

  /// Drops what waits, and everything that is sent from now on.
  public func dispose() {
    // Taken out of the lock before it dies: what dies with an element may do anything.
    let dropped = state.withLock { $0.waiting.take() }
    withExtendedLifetime(dropped) {}
  }

  public var isDisposed: Bool { state.withLock { $0.waiting == nil } }

  /// The runner: an action on the scheduler, and the only place from which elements are delivered.
  private func run() {
    // A batch is what waits now. What comes meanwhile is the next one, or a busy source would keep the thread.
    let count = drain == .item ? 1 : state.withLock { $0.waiting?.count ?? 0 }
    for _ in 0..<count {
      guard let element = state.withLock({ $0.waiting?.popFirst() }) else { break }
      deliver(element)
    }
    if goesOn() { scheduler.perform(run) }
  }

  /// Whether elements wait. Where none does, the runner has ended within the same hold of the lock, so that the next
  /// sender cannot take it for one that will still look.
  private func goesOn() -> Bool {
    state.withLock { state in
      state.hasRunner = state.waiting?.isEmpty == false
      return state.hasRunner
    }
  }
}
