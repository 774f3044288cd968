internal import Synchronization

/// Knows when so many delayed events have been withdrawn that they are worth sweeping out.
///
/// A withdrawn event stays where it waits, because only the consumer may touch that place; a sweep looks at all that
/// wait. At half of them, and a thousand, it costs a few looks for each event withdrawn.
struct CancelledDelays: ~Copyable {
  private static let fewest = 1024
  private let cancelled = Atomic(0)
  private let waiting = Atomic(0)
  private let isAsked = Atomic(false)

  /// From any thread; whether the consumer must be asked to sweep.
  func noteCancelled() -> Bool {
    let count = cancelled.add(1, ordering: .relaxed).newValue
    guard count >= max(Self.fewest, waiting.load(ordering: .relaxed) / 2) else { return false }
    return !isAsked.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Consumer only: so many wait now.
  func note(waiting count: Int) { waiting.store(count, ordering: .relaxed) }

  /// Consumer only: whether those that were noted up to here are to be swept out now.
  func begin() -> Bool {
    if !isAsked.load(ordering: .relaxed) { return false }
    cancelled.store(0, ordering: .relaxed)
    isAsked.store(false, ordering: .releasing)
    return true
  }
}
