/// How a scheduler behaves beyond its name.
public struct SchedulerOptions: Sendable {
  /// How events are queued that come from other threads.
  public var queue: QueueKind = .stack
  /// How many events may wait, and what becomes of those beyond.
  public var capacity: Capacity = .unbounded()
  /// What happens where an object is used on a thread that it does not live on.
  public var wrongThread: WrongThreadCheck = .trap
  /// Whether the counters include how long events waited, for the price of two clock readings per event.
  public var measuresWaiting = false
  /// Receives what would otherwise go unnoticed; on any thread, with no lock held.
  public var report: @Sendable (Report) -> Void = Report.toStandardError

  /// An unbounded stack that stops the process on a wrong thread.
  public init() {}

  /// A copy with some options changed.
  public func with(_ change: (inout SchedulerOptions) -> Void) -> SchedulerOptions {
    var copy = self
    change(&copy)
    return copy
  }
}
