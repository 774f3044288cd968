internal import SchedulableThreads
public import Foundation

infix operator --> : AdditionPrecedence

/// Makes `next` begin after `first` is over. Returns `next`, so that chains read from left to right.
@discardableResult
public func --> <Next: Operation>(
  first: Operation, next: Next
) throws(DependencyCycle) -> Next {
  try next.wait(for: first)
  return next
}

extension Operation {
  /// Serialises connections, so that two threads cannot close a cycle together.
  private static let connecting = Locked(())

  /// Like `addDependency`, but throws if the dependency would close a cycle. The operations may be on different queues.
  ///
  /// It searches all operations that `other` still waits for, directly or indirectly.
  public func wait(for other: Operation) throws(DependencyCycle) {
    if let cycle = connect(to: other) { throw cycle }
  }

  /// Like `wait`, but for all of them or none, and returns the error.
  func connect(to others: Operation...) -> DependencyCycle? { connect(to: others) }

  func connect(to others: [Operation]) -> DependencyCycle? {
    Self.connecting.withLock { _ in
      // All before any: on Linux a dependency cannot be taken back, see `WorkOperation.end`.
      for other in others {
        if let path = other.path(to: self) {
          return DependencyCycle(names: ([self] + path).map { $0.name ?? "unnamed" })
        }
      }
      for other in others { addDependency(other) }
      return nil
    }
  }

  /// The chain of dependencies from here to `target`, both included. Not recursive, because long chains would overflow the
  /// stack.
  private func path(to target: Operation) -> [Operation]? {
    // Each found operation, and the one that waits for it; nil for the first.
    var waiter: [ObjectIdentifier: Operation?] = [ObjectIdentifier(self): nil]
    var open: [Operation] = [self]
    while let operation = open.popLast() {
      if operation === target {
        let back = sequence(first: operation) { waiter[ObjectIdentifier($0)] ?? nil }
        return back.reversed()
      }
      for dependency in operation.dependencies where waiter[ObjectIdentifier(dependency)] == nil {
        waiter[ObjectIdentifier(dependency)] = operation
        open.append(dependency)
      }
    }
    return nil
  }
}

/// A cycle of operations that would wait for each other endlessly.
public struct DependencyCycle: Error, CustomStringConvertible {
  /// The names along the cycle, from an operation back to itself.
  public let names: [String]
  public var description: String { "a cycle of dependencies: \(names.joined(separator: " → "))" }
}
