internal import Concurrency

/// An item whose steps are events of their own, each of which starts once the one before is through.
///
/// An item that one of them gives away, because the run stops, is gone for those behind it.
final class StepChain: Sendable {
  private let item: Locked<LiveItem?>

  init(_ item: LiveItem) { self.item = Locked(item) }

  /// Lets `step` run the next step of the item and keeps what that returns.
  func runNext(_ step: (LiveItem) -> LiveItem?) {
    guard let current = item.withLock({ $0.take() }) else { return }
    let left = step(current)
    item.withLock { $0 = left }
  }
}
