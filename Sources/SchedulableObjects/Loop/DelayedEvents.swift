/// The events that are not due yet: a binary heap by time, and in the order sent if times are equal.
struct DelayedEvents {
  private struct Entry {
    let due: Int64
    let order: Int
    let node: EventNode

    func isBefore(_ other: Entry) -> Bool {
      due != other.due ? due < other.due : order < other.order
    }
  }

  private var heap: [Entry] = []
  private var inserted = 0

  var isEmpty: Bool { heap.isEmpty }
  var count: Int { heap.count }

  /// When the next event is due.
  var nextDue: Int64? { heap.first?.due }

  /// The number of events whose loss must be reported.
  var missedCount: Int { heap.count { $0.node.isMissed } }

  mutating func insert(_ node: EventNode, due: Int64) {
    heap.append(Entry(due: due, order: inserted, node: node))
    inserted += 1
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Removes and returns the earliest event if it is due at `now`.
  mutating func popDue(at now: Int64) -> EventNode? {
    guard let earliest = heap.first, earliest.due <= now else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sink(0)
    return earliest.node
  }

  /// Frees the withdrawn events.
  mutating func removeCancelled() {
    var kept: [Entry] = []
    for entry in heap {
      if entry.node.isOver { _ = entry.node.takePayload() } else { kept.append(entry) }
    }
    heap = kept
    for parent in (0..<heap.count / 2).reversed() { sink(parent) }
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].isBefore(heap[least]) { least = child }
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
