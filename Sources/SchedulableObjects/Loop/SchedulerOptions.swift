/// The options of a scheduler.
public struct SchedulerOptions: Sendable {
  /// The queue for events from other threads.
  public var queue: QueueKind = .stack
  /// The number of events that may wait, and what happens beyond it.
  public var capacity: Capacity = .unbounded()
  /// What happens if an object is used on a wrong thread.
  public var wrongThread: WrongThreadCheck = .trap
  /// Whether the counters include the waiting time of events, which costs two clock readings per event.
  public var measuresWaiting = false
  /// Receives reports of otherwise silent problems; called on any thread, with no lock held.
  public var report: @Sendable (Report) -> Void = Report.toStandardError

  /// The defaults: an unbounded stack that stops the process on a wrong thread.
  public init() {}

  /// A copy with some options changed.
  public func with(_ change: (inout SchedulerOptions) -> Void) -> SchedulerOptions {
    var copy = self
    change(&copy)
    return copy
  }
}
