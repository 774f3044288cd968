internal import Concurrency
internal import FrameBudget

/// What lanes hand back to the main thread: finished items, and those they still held when the run stopped.
final class ReturnQueue: Sendable {
  enum Outcome: Sendable {
    case done(at: Instant)
    case abandoned
  }

  struct Entry: Sendable {
    let item: LiveItem
    let outcome: Outcome
  }

  private let entries = Locked<[Entry]>([])

  func append(_ item: LiveItem, _ outcome: Outcome) {
    entries.withLock { $0.append(Entry(item: item, outcome: outcome)) }
  }

  /// Takes everything that is there, in the order in which it was handed back.
  ///
  /// `spare` becomes the new, empty store, so that two arrays take turns and neither is allocated anew.
  func take(into spare: inout [Entry]) {
    spare.removeAll(keepingCapacity: true)
    entries.withLock { swap(&$0, &spare) }
  }
}
