internal import Foundation

/// Ends when an operation and all before it in its categories have ended.
///
/// The next operations wait for this instead of for the operation. A cancelled operation ends before its turn, and would let
/// the next one overtake an operation that still runs. A failed operation must not stop the next one.
final class Turn: Operation, @unchecked Sendable {
  // Sendable: all properties are constants.
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
    // Foundation keeps dependencies, and would so keep all earlier turns.
    for dependency in dependencies { removeDependency(dependency) }
  }
}
