// What lanes can choose, by carrier, and how it changes what a hand-off costs.

extension LaneOption {
  /// Of `operation-queue`.
  public static let operations = LaneOption(
    "operations", default: OperationUnit.item,
    "what becomes an operation: all steps of an item on the lane, or each, after the one before")

  /// Of `ordered`.
  public static let drain = LaneOption(
    "drain", default: DrainUnit.item,
    "how much of a workload runs before others have their turn: an item, or all that wait")

  /// Of `ordered`.
  public static let lock = LaneOption(
    "lock", default: QueueLock.mutex, "what guards a workload's queue, never while an item runs")

  /// Of `bridge`.
  public static let flush = LaneOption(
    "flush", default: .milliseconds(5), "how often the other side takes over the calls")
}

/// What becomes an operation of an operation queue.
public enum OperationUnit: String, CaseIterable, Sendable { case item, step }

/// How much of a workload an ordered lane runs before others have their turn.
public enum DrainUnit: String, CaseIterable, Sendable { case item, batch }

/// What guards the queue of a workload on an ordered lane.
public enum QueueLock: String, CaseIterable, Sendable { case spin, mutex, recursive }

extension Lane {
  /// Whether each step is an event of its own, which waits for the one before.
  public var splitsSteps: Bool {
    guard carrier == .operationQueue else { return false }
    let unit: OperationUnit = choice(.operations)
    return unit == .step
  }

  /// What its options make of `costs`, those of its carrier.
  func changed(_ costs: HandOffCosts) -> HandOffCosts {
    var costs = costs
    if carrier == .bridge { costs.lookEvery = timeSpan(.flush) }
    return costs
  }
}
