import Synchronization

/// Counts the concurrent calls.
final class Overlaps: Sendable {
  private let inside = Atomic(0)
  private let most = Atomic(0)

  /// The maximum number of concurrent calls so far.
  var maximum: Int { most.load(ordering: .acquiring) }

  func enter<Result>(_ body: () -> Result) -> Result {
    let count = inside.add(1, ordering: .acquiringAndReleasing).newValue
    most.max(count, ordering: .acquiringAndReleasing)
    defer { inside.subtract(1, ordering: .acquiringAndReleasing) }
    return body()
  }
}
