/// What a thread did from one instant to another.
public struct TraceSpan: Hashable, Sendable {
  public let activity: TraceActivity
  public let begin: Instant
  public let end: Instant

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
  case step(TracePlace)
  /// Handing an item to the lane of its next step, the wake-up included.
  case post(TracePlace)
  case lockWait(LockIndex)
  /// Ready to run, but without a core: known in virtual time only. Other activities go on around it.
  case preempted
  /// Between taking a lock and releasing it; other activities lie within, before and after it.
  case lockHold(LockIndex)
}

/// A step of an item: no two events of a run are about the same one.
public struct TracePlace: Hashable, Sendable {
  public let workload: Int32
  public let item: Int32
  public let step: Int32

  public init(workload: WorkloadIndex, item: Int, step: Int) {
    self.workload = Int32(workload)
    self.item = Int32(item)
    self.step = Int32(step)
  }
}
