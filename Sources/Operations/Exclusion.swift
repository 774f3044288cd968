internal import Concurrency
public import Foundation

/// Mutual exclusion: no two operations of one category run at once, even on different queues.
public final class Exclusion: Sendable {
  private let newest = Locked<[String: Turn]>([:])
  private let turns = OperationQueue()

  /// Creates an exclusion without operations.
  public init() {}

  /// Adds `operation` to `queue`, behind all operations that were added before with one of the same `categories`.
  ///
  /// - Throws: `DependencyCycle` if one of those waits for `operation`; then nothing is added.
  public func add(
    _ operation: Operation, to queue: OperationQueue, categories: Set<String>
  ) throws(DependencyCycle) {
    let turn = Turn(of: operation, in: self, categories)
    let cycle = newest.withLock { newest -> DependencyCycle? in
      for previous in categories.compactMap({ newest[$0] }) {
        if let cycle = operation.connect(to: previous) { return cycle }
        turn.addDependency(previous)
      }
      for category in categories { newest[category] = turn }
      return nil
    }
    if let cycle { throw cycle }
    turns.enqueue(turn)
    queue.enqueue(operation)
  }

  func end(_ turn: Turn, _ categories: Set<String>) {
    newest.withLock { newest in
      for category in categories where newest[category] === turn { newest[category] = nil }
    }
  }
}
