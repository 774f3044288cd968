internal import DequeModule

/// What waits for those who take it, in the order in which it came.
///
/// It has a front, from which is taken, and a back, to which is added, each under a lock of its own: who adds and who takes
/// meet only where the front is empty, and then all of the back comes there. That two locks are taken together, the
/// front's first, is all there is to their order.
final class WaitingLine<Element: Sendable>: Sendable {
  private struct Back {
    /// Nil once closed.
    var waiting: Deque<Element>? = []
    /// Those that take, or are on their way to.
    var takers = 0
  }

  private let mostTakers: Int
  private let front: Guarded<Deque<Element>>
  private let back: Guarded<Back>

  /// At most `mostTakers` take at once.
  init(mostTakers: Int, lock: LockKind) {
    self.mostTakers = mostTakers
    front = Guarded([], by: lock)
    back = Guarded(Back(), by: lock)
  }

  /// Adds an element behind all others, unless the line is closed. Whether one more has to come and take: `expect` has
  /// then been called within the same hold of the lock.
  func add(_ element: Element, expecting expect: () -> Void = {}) -> Bool {
    back.withLock { back in
      if back.waiting == nil { return false }
      back.waiting?.append(element)
      guard back.takers < mostTakers else { return false }
      back.takers += 1
      expect()
      return true
    }
  }

  /// The first that waits. Where none does there is one taker less, by the same hold of the lock, so that whoever adds next
  /// cannot take it for one that will still look.
  func next() -> Element? {
    front.withLock { front in
      if front.isEmpty, !refill(&front) { return nil }
      return front.popFirst()
    }
  }

  /// The first that waits, `element` being behind all others.
  func next(leaving element: Element) -> Element? {
    front.withLock { front in
      back.withLock { back in
        back.waiting?.append(element)
        if front.isEmpty { Self.move(&back, to: &front) }
      }
      return front.popFirst()
    }
  }

  /// The first that waits; where none does, the taker remains one.
  func nextOfBatch() -> Element? { front.withLock { $0.popFirst() } }

  /// Whether elements wait; where none does there is one taker less, as after `next`.
  func keepsTaker() -> Bool { front.withLock { !$0.isEmpty || refill(&$0) } }

  /// How many wait. They are all at the front from now on.
  func gather() -> Int {
    front.withLock { front in
      back.withLock { Self.move(&$0, to: &front) }
      return front.count
    }
  }

  /// Empties the line, and keeps it empty. What waited dies with what is returned: outside the locks, as that may do anything.
  func close() -> [Deque<Element>] {
    front.withLock { front in
      let first = front
      front = []
      return [first] + back.withLock { back in back.waiting.take().map { [$0] } ?? [] }
    }
  }

  var isClosed: Bool { back.withLock { $0.waiting == nil } }

  /// Whether something came to the front, which was empty; if not, there is one taker less.
  private func refill(_ front: inout Deque<Element>) -> Bool {
    back.withLock { back in
      Self.move(&back, to: &front)
      if front.isEmpty { back.takers -= 1 }
      return !front.isEmpty
    }
  }

  /// An empty front changes places with the back, so that neither gives its memory away.
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
