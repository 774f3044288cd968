public import Foundation
internal import SchedulableObjects

infix operator --> : AdditionPrecedence

/// Lets `next` begin only once `first` is over; returns `next`, so that chains read from left to right.
@discardableResult
public func --> <Next: Operation>(
  first: Operation, next: Next
) throws(DependencyCycle) -> Next {
  try next.wait(for: first)
  return next
}

/// Operations that would wait for one another for ever.
public struct DependencyCycle: Error, CustomStringConvertible {
  /// From an operation back to itself.
  public let names: [String]
  public var description: String { "a cycle of dependencies: \(names.joined(separator: " → "))" }
}

extension Operation {
  /// One at a time, so that two threads cannot close a cycle together.
  private static let connecting = Locked(())

  /// As `addDependency`, but refuses at once what could never end. The operations may be on different queues.
  public func wait(for other: Operation) throws(DependencyCycle) {
    let cycle = Self.connecting.withLock { _ -> [String]? in
      if let path = other.path(to: self) { return path.map { $0.name ?? "unnamed" } }
      addDependency(other)
      return nil
    }
    if let cycle { throw DependencyCycle(names: [name ?? "unnamed"] + cycle) }
  }

  /// The chain of dependencies from here to `target`, both included.
  private func path(to target: Operation) -> [Operation]? {
    var seen: Set<ObjectIdentifier> = []
    return path(to: target, past: &seen)
  }

  private func path(to target: Operation, past seen: inout Set<ObjectIdentifier>) -> [Operation]? {
    if self === target { return [self] }
    guard seen.insert(ObjectIdentifier(self)).inserted else { return nil }
    for dependency in dependencies {
      if let path = dependency.path(to: target, past: &seen) { return [self] + path }
    }
    return nil
  }
}
