public import Foundation
internal import SchedulableObjects

/// Lets no two operations of one category run at once, on whichever queues they are.
public final class Exclusion: Sendable {
  private let newest = Locked<[String: WorkOperation]>([:])

  public init() {}

  /// Adds `operation` to `queue`, behind all that were added before it with one of the same `categories`.
  public func add(_ operation: WorkOperation, to queue: OperationQueue, categories: Set<String>) {
    newest.withLock { newest in
      for category in categories {
        if let previous = newest[category] { operation.addDependency(previous) }
        newest[category] = operation
      }
    }
    operation.add(
      WorkObserver(ended: { [self] operation, _ in forget(operation, in: categories) }))
    queue.addOperation(operation)
  }

  /// Operations that are over need not be kept.
  private func forget(_ operation: WorkOperation, in categories: Set<String>) {
    newest.withLock { newest in
      for category in categories where newest[category] === operation { newest[category] = nil }
    }
  }
}
