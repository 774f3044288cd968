/// Counters of a scheduler since its creation. Readable at any time, from any thread.
public struct SchedulerCounters: Sendable, Equatable {
  /// Events that ran.
  public var events = 0
  /// Batches: how often the consumer found events after it had none.
  public var batches = 0
  /// How often a sleeping thread was woken.
  public var wakeUps = 0
  /// The largest number of waiting events, counted whenever a batch is taken.
  public var deepest = 0
  /// Events that will never run.
  public var refused = 0
  /// Events that replaced a queued one with the same key.
  public var coalesced = 0
  /// The total waiting time of events; zero unless the scheduler measures it.
  public var waitingTotal = Duration.zero
  /// The longest waiting time of an event; zero unless the scheduler measures it.
  public var waitingLongest = Duration.zero
}
