internal import Concurrency
public import Foundation

infix operator --> : AdditionPrecedence

/// Lets `next` begin only once `first` is over; returns `next`, so that chains read from left to right.
@discardableResult
public func --> <Next: Operation>(
  first: Operation, next: Next
) throws(DependencyCycle) -> Next {
  try next.wait(for: first)
  return next
}

extension Operation {
  /// One at a time, so that two threads cannot close a cycle together.
  private static let connecting = Locked(())

  /// As `addDependency`, but refuses at once what could never end. The operations may be on different queues.
  ///
  /// It looks through all that `other` still waits for, directly or not.
  public func wait(for other: Operation) throws(DependencyCycle) {
    if let cycle = connect(to: other) { throw cycle }
  }

  /// As `wait`, but returns what is wrong.
  func connect(to other: Operation) -> DependencyCycle? {
    Self.connecting.withLock { _ in
      if let path = other.path(to: self) {
        return DependencyCycle(names: ([self] + path).map { $0.name ?? "unnamed" })
      }
      addDependency(other)
      return nil
    }
  }

  /// The chain of dependencies from here to `target`, both included. No recursion: chains may be long, stacks are not.
  private func path(to target: Operation) -> [Operation]? {
    // Who of those found waits for each; nobody for the first.
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
