/// How many events may wait, and what happens beyond. The sender is never blocked.
///
/// A task that may wait paces itself: ``SchedulableObject/call(priority:_:)`` returns once its event has run, so whoever
/// awaits each call has one event under way, and a task group as many as it has tasks.
public enum Capacity: Sendable, Equatable {
  /// Any number; above the high-water mark the scheduler reports that it is behind.
  case unbounded(highWater: Int? = nil)
  /// At most so many; `whenFull` says which event has to go. Such a queue takes a lock for each event.
  case bounded(Int, whenFull: Overflow)

  /// Which event a full queue refuses.
  public enum Overflow: Sendable, Equatable {
    /// The one that comes.
    case dropNewest
    /// The oldest one of the lowest priority that waits, unless the one that comes is of a lower priority still.
    case dropOldest
  }
}
