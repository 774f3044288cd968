internal import Foundation

/// Is over once an operation is, and all that stood before it in its categories.
///
/// The next ones wait for this instead of for the operation: one that is cancelled ends before its turn has come and would
/// let the next pass the one that still runs; and one that fails is no reason for the next to stop.
final class Turn: Operation, @unchecked Sendable {
  // Sendable: nothing in it changes.
  private let exclusion: Exclusion
  private let categories: Set<String>

  init(of operation: Operation, in exclusion: Exclusion, _ categories: Set<String>) {
    self.exclusion = exclusion
    self.categories = categories
    super.init()
    name = "turn of \(operation.name ?? "unnamed")"
    addDependency(operation)
  }

  override func main() {
    exclusion.end(self, categories)
    // Foundation keeps them, and through them all turns that ever were.
    for dependency in dependencies { removeDependency(dependency) }
  }
}
