/// The reason why an event did not run.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  /// Why an event was refused.
  public enum Reason: Sendable, Equatable {
    /// It was sent after the scheduler was shut down, or the shutdown dropped it.
    case shutDown
    /// The queue was full and drops the newest.
    case full
    /// It was the oldest in a full queue that drops the oldest.
    case evicted
    /// It was withdrawn before it began.
    case cancelled
  }

  /// The scheduler's name.
  public let scheduler: String
  /// Why the event was refused.
  public let reason: Reason

  public var description: String {
    switch reason {
    case .shutDown: "scheduler '\(scheduler)' is shut down"
    case .full: "the queue of scheduler '\(scheduler)' is full"
    case .evicted: "an event of scheduler '\(scheduler)' made room for a newer one"
    case .cancelled: "an event of scheduler '\(scheduler)' was cancelled"
    }
  }
}
