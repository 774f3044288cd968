internal import Synchronization

/// The default queue: one atomic word is both the queue and the consumer's sleeping state.
///
/// The word holds the newest node's address (each node holds the next older one's) and three marks in the low bits. A
/// producer replaces the whole word by compare-and-swap; if that cleared `parked`, it wakes the consumer. The consumer
/// takes all events by one exchange, and parks by compare-and-swap, which fails if anything arrived. With a second variable
/// for the sleeping state, a wake-up could be lost between the two accesses.
final class StackQueue: EventQueue {
  private static let parked: UInt = 1
  private static let closed: UInt = 2
  private static let ended: UInt = 4
  private static let marks: UInt = 7

  private let word = Atomic<UInt>(0)

  var isClosed: Bool { word.load(ordering: .relaxed) & Self.closed != 0 }

  func push(_ node: EventNode) -> PushOutcome {
    var old = word.load(ordering: .relaxed)
    while true {
      if old & (Self.closed | Self.ended) != 0,
        old & Self.ended != 0 || !node.traits.contains(.mustRun)
      {
        return .refused(node, .shutDown)
      }
      node.next = old & ~Self.marks
      // Sequentially consistent, because the pusher then reads `PreemptionFlags`, which the consumer clears first.
      let outcome = word.weakCompareExchange(
        expected: old, desired: node.bits | (old & Self.closed),
        ordering: .sequentiallyConsistent)
      if outcome.exchanged {
        return old & Self.parked != 0 ? .queuedForSleeper : .queued
      }
      old = outcome.original
    }
  }

  func close() -> Bool {
    var old = word.load(ordering: .relaxed)
    while true {
      let outcome = word.weakCompareExchange(
        expected: old, desired: (old | Self.closed) & ~Self.parked,
        ordering: .acquiringAndReleasing)
      if outcome.exchanged { return old & Self.parked != 0 }
      old = outcome.original
    }
  }

  func take() -> EventBatch {
    if word.load(ordering: .relaxed) & ~Self.marks == 0 { return EventBatch() }
    let old = word.bitwiseAnd(Self.marks, ordering: .sequentiallyConsistent).oldValue
    var batch = EventBatch()
    var newest = old & ~Self.marks
    while let node = EventNode(bits: newest) {
      newest = node.next
      batch.prepend(node)
    }
    return batch
  }

  func park() -> Bool {
    word.compareExchange(expected: 0, desired: Self.parked, ordering: .acquiringAndReleasing)
      .exchanged
  }

  func unpark() { word.bitwiseAnd(~Self.parked, ordering: .acquiringAndReleasing) }

  func end() -> Bool {
    let over = Self.closed | Self.ended
    let outcome = word.compareExchange(
      expected: Self.closed, desired: over, ordering: .acquiringAndReleasing)
    return outcome.exchanged || outcome.original == over
  }
}
