/// How a lane on carrier `ordered` keeps the order of each workload while its threads work on several at once.
public struct Delivery: Hashable, Sendable {
  public var drain: Drain
  public var lock: QueueLock

  public init(drain: Drain = .item, lock: QueueLock = .mutex) {
    self.drain = drain
    self.lock = lock
  }

  /// How much of a workload is run before others have their turn.
  public enum Drain: String, CaseIterable, Sendable {
    /// One item, then the next is posted: a hop for each.
    case item
    /// All that wait when the turn comes.
    case batch
  }

  /// The lock of a workload's queue, held for a few instructions and never while an item runs.
  public enum QueueLock: String, CaseIterable, Sendable { case spin, mutex, recursive }
}
