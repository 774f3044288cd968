/// A cycle of operations that would wait for one another for ever.
public struct DependencyCycle: Error, CustomStringConvertible {
  /// The names along the cycle, from an operation back to itself.
  public let names: [String]
  public var description: String { "a cycle of dependencies: \(names.joined(separator: " → "))" }
}
