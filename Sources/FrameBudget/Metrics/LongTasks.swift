/// Tasks of the main thread that keep it from all else for longer than `FrameThresholds.longTask`.
public struct LongTasks: Hashable, Sendable {
  /// How many there were.
  public private(set) var count = 0
  /// What they took together beyond that, at most 292 years.
  public private(set) var blocking = TimeSpan.zero

  /// None yet.
  public init() {}

  /// Counts a task that took `span`, if it is a long one.
  public mutating func ran(_ span: TimeSpan) {
    guard span > FrameThresholds.longTask else { return }
    count += 1
    blocking.nanoseconds = blocking.nanoseconds.addingClamped(
      (span - FrameThresholds.longTask).nanoseconds)
  }
}
