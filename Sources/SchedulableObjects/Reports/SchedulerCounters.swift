/// What a scheduler has done so far. Read at any time, from any thread.
public struct SchedulerCounters: Sendable, Equatable {
  /// Events that ran.
  public var events = 0
  /// Times the consumer found events after it had none: the number of batches.
  public var batches = 0
  /// Times a sleeping thread was woken.
  public var wakeUps = 0
  /// The most events that waited at once, counted whenever a batch is taken.
  public var deepest = 0
  /// Events that will never run.
  public var refused = 0
  /// Events that replaced a queued one with the same key.
  public var coalesced = 0
  /// The time that events waited, in all; zero unless the scheduler measures it.
  public var waitingTotal = Duration.zero
  /// The longest that an event waited; zero unless the scheduler measures it.
  public var waitingLongest = Duration.zero
}
