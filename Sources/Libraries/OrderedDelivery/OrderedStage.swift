internal import DequeModule

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
  private let line: TwoLockQueue<Element>
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
    line = TwoLockQueue(maxConsumers: 1, lock: lock)
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
    return line.retainConsumer()
  }
}

/// A first-in, first-out queue that counts the threads that take from it.
///
/// Elements are taken from the front and added to the back, each under its own lock. A taker locks the back only to move all
/// its elements to the front, as when the front is empty, or to add an element. Lock order: the front's lock before the back's.
final class TwoLockQueue<Element: Sendable>: Sendable {
  private struct Back {
    /// Nil after the line was closed.
    var waiting: Deque<Element>? = []
    /// The number of takers, including those that were started and have not begun.
    var takers = 0
  }

  private let maxConsumers: Int
  private let front: Guarded<Deque<Element>>
  private let back: Guarded<Back>

  /// Creates an empty line with at most `maxConsumers` takers at once.
  init(maxConsumers: Int, lock: LockKind) {
    self.maxConsumers = maxConsumers
    front = Guarded([], by: lock)
    back = Guarded(Back(), by: lock)
  }

  /// Adds an element behind all others, unless the line is closed. Returns whether the caller must start another taker;
  /// `expect` was then called under the same lock.
  func add(_ element: Element, expecting expect: () -> Void = {}) -> Bool {
    back.withLock { back in
      if back.waiting == nil { return false }
      back.waiting?.append(element)
      guard back.takers < maxConsumers else { return false }
      back.takers += 1
      expect()
      return true
    }
  }

  /// Removes and returns the first element. If there is none, decrements the takers under the same lock, so that the next
  /// `add` does not rely on a taker that has stopped.
  func next() -> Element? {
    front.withLock { front in
      if front.isEmpty, !refill(&front) { return nil }
      return front.popFirst()
    }
  }

  /// Adds `element` behind all others, and removes and returns the first element.
  func next(leaving element: Element) -> Element? {
    front.withLock { front in
      back.withLock { back in
        back.waiting?.append(element)
        if front.isEmpty { Self.move(&back, to: &front) }
      }
      return front.popFirst()
    }
  }

  /// Removes and returns the first element of the front. Does not change the number of takers.
  func nextOfBatch() -> Element? { front.withLock { $0.popFirst() } }

  /// Whether elements wait. If none does, decrements the takers, like `next`.
  func retainConsumer() -> Bool { front.withLock { !$0.isEmpty || refill(&$0) } }

  /// Moves all elements to the front and returns their number.
  func gather() -> Int {
    front.withLock { front in
      back.withLock { Self.move(&$0, to: &front) }
      return front.count
    }
  }

  /// Empties and closes the line. Returns the elements, so that the caller releases them outside the locks: a `deinit` may run
  /// any code.
  func close() -> [Deque<Element>] {
    front.withLock { front in
      let first = front
      front = []
      return [first] + back.withLock { back in back.waiting.take().map { [$0] } ?? [] }
    }
  }

  var isClosed: Bool { back.withLock { $0.waiting == nil } }

  /// Moves the back to the empty front. Returns whether there was an element; if not, decrements the takers.
  private func refill(_ front: inout Deque<Element>) -> Bool {
    back.withLock { back in
      Self.move(&back, to: &front)
      if front.isEmpty { back.takers -= 1 }
      return !front.isEmpty
    }
  }

  /// Moves all elements of the back to the front. Swaps the two if the front is empty, so that both keep their memory.
  private static func move(_ back: inout Back, to front: inout Deque<Element>) {
    guard let waiting = back.waiting, !waiting.isEmpty else { return }
    if front.isEmpty {
      (front, back.waiting) = (waiting, front)
    } else {
      front.append(contentsOf: waiting)
      back.waiting = []
    }
  }
}

/// The number of elements that a runner delivers before it yields its thread.
public enum Drain: String, CaseIterable, Sendable {
  /// One element; then the runner schedules itself again. Sources take turns, and each element costs a hop.
  case item
  /// All elements that wait at the start of its turn. Each batch costs a hop, and the other sources wait for the whole batch.
  case batch
}
