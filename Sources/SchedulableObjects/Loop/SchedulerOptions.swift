/// How a scheduler behaves beyond its name.
public struct SchedulerOptions: Sendable {
  public var queue: QueueKind = .stack
  public var capacity: Capacity = .unbounded()
  public var wrongThread: WrongThreadCheck = .trap
  /// Whether the counters include how long events waited, for the price of two clock readings per event.
  public var measuresWaiting = false
  /// Receives what would otherwise go unnoticed; on any thread, with no lock held.
  public var report: @Sendable (Report) -> Void = Report.toStandardError

  public init() {}

  /// A copy with some options changed.
  public func with(_ change: (inout SchedulerOptions) -> Void) -> SchedulerOptions {
    var copy = self
    change(&copy)
    return copy
  }
}
