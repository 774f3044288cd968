/// The kind of a scheduler's queue. Kinds differ in speed, never in their guarantees.
public enum QueueKind: Sendable, CaseIterable {
  /// A lock-free stack with events and sleeping state in one word; the default.
  case stack
  /// A list under a mutex that the consumer swaps for an empty one.
  case swap
}
