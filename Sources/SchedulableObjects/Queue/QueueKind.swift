/// Which queue a scheduler has. They differ in speed, never in what they promise.
public enum QueueKind: Sendable, CaseIterable {
  /// The lock-free stack that takes events and sleeping state in one word; the default.
  case stack
  /// A list under a mutex that the consumer swaps for an empty one.
  case swap
}
