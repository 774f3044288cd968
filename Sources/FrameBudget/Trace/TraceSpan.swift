/// What a thread did from one instant to another.
public struct TraceSpan: Hashable, Sendable {
  /// What it did.
  public let activity: TraceActivity
  /// When that began.
  public let begin: Instant
  /// When that ended.
  public let end: Instant

  /// - Parameters:
  ///   - activity: what it did.
  ///   - begin: when that began.
  ///   - end: when that ended.
  public init(_ activity: TraceActivity, from begin: Instant, to end: Instant) {
    self.activity = activity
    self.begin = begin
    self.end = end
  }
}

/// What a thread can be seen to do beside the frames, which tell the rest.
public enum TraceActivity: Hashable, Sendable {
  /// A phase of a frame, on the main thread.
  case phase(Phase)
  /// Running a step of an item.
  case step(TracePlace)
  /// Handing an item to the lane of its next step, the wake-up included.
  case post(TracePlace)
  /// Waiting for a lock.
  case lockWait(LockIndex)
  /// Ready to run, but without a core: known in virtual time only. Other activities go on around it.
  case preempted
  /// Between taking a lock and releasing it; other activities lie within, before and after it.
  case lockHold(LockIndex)
}

/// A step of an item: no two events of a run are about the same one.
public struct TracePlace: Hashable, Sendable {
  /// Whose item it is.
  public let workload: WorkloadIndex
  /// Which of the workload's items, from 0.
  public let item: Int32
  /// Which of the item's steps, from 0.
  public let step: Int32

  /// - Parameters:
  ///   - workload: whose item it is.
  ///   - item: which of its items, from 0.
  ///   - step: which of the item's steps, from 0.
  public init(workload: WorkloadIndex, item: Int, step: Int) {
    self.workload = workload
    self.item = Int32(item)
    self.step = Int32(step)
  }
}
