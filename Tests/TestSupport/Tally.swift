internal import Synchronization

/// Counts from any thread.
package final class Tally: Sendable {
  private let number = Atomic(0)

  package init() {}

  package var count: Int { number.load(ordering: .acquiring) }

  package func add() { number.add(1, ordering: .acquiringAndReleasing) }
}
