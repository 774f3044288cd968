/// The number of events that may wait, and what happens beyond it. The sender is never blocked.
///
/// Tasks can limit themselves: ``SchedulableObject/call(priority:_:)`` returns once its event has run, so a task that awaits
/// each call has one event in flight, and a task group one for each of its tasks.
public enum Capacity: Sendable, Equatable {
  /// No limit. Above the high-water mark the scheduler reports a backlog.
  case unbounded(highWater: Int? = nil)
  /// At most this many events; `whenFull` decides which event is refused. Such a queue takes a lock for each event.
  case bounded(Int, whenFull: Overflow)

  /// Which event a full queue refuses.
  public enum Overflow: Sendable, Equatable {
    /// The new event.
    case dropNewest
    /// The oldest waiting event of the lowest priority, unless the new event has a still lower priority.
    case dropOldest
  }
}
