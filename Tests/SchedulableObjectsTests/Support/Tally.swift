import Synchronization

/// Counts from any thread.
final class Tally: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .acquiring) }

  func add() { number.add(1, ordering: .acquiringAndReleasing) }
}
