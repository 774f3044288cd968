/// Says that an event did not run, and why.
public struct Refusal: Error, Equatable, CustomStringConvertible {
  /// Why an event was not taken.
  public enum Reason: Sendable, Equatable {
    /// It came after the scheduler had been shut down, or the shutdown did not wait for it.
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
  /// Why it was not taken.
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
