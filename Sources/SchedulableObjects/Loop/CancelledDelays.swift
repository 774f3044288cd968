internal import Synchronization

/// Decides when enough delayed events have been withdrawn to sweep them out.
///
/// A withdrawn event stays in its place, because only the consumer may access that place. A sweep visits all waiting
/// events. It starts when half of them, and at least a thousand, are withdrawn, so it costs a few visits per withdrawal.
struct CancelledDelays: ~Copyable {
  private static let fewest = 1024
  private let cancelled = Atomic(0)
  private let waiting = Atomic(0)
  private let isAsked = Atomic(false)

  /// From any thread. Returns whether the consumer must be asked to sweep.
  func noteCancelled() -> Bool {
    let count = cancelled.add(1, ordering: .relaxed).newValue
    guard count >= max(Self.fewest, waiting.load(ordering: .relaxed) / 2) else { return false }
    return !isAsked.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Consumer only: sets the number of waiting events.
  func note(waiting count: Int) { waiting.store(count, ordering: .relaxed) }

  /// Consumer only. Returns whether to sweep out the events withdrawn so far.
  func begin() -> Bool {
    if !isAsked.load(ordering: .relaxed) { return false }
    cancelled.store(0, ordering: .relaxed)
    isAsked.store(false, ordering: .releasing)
    return true
  }
}
