/// A job that a queue has accepted, with its state.
public struct JobRecord: Hashable, Codable, Sendable {
  /// The job that was added.
  public let job: Job
  /// The job's place in the order in which jobs were added.
  public let sequence: Int64
  /// The earliest time for the next start.
  public internal(set) var due: JobTime
  /// The number of successes.
  public internal(set) var runs = 0
  /// The number of failures since the last success.
  public internal(set) var failures = 0

  /// The record of a new job: never run, and due at once or after its delay.
  public init(_ job: Job, sequence: Int64, addedAt now: JobTime) {
    self.job = job
    self.sequence = sequence
    due = now + job.delay
  }

  func isExpired(at now: JobTime) -> Bool {
    if let deadline = job.deadline { now >= deadline } else { false }
  }

  /// The record after a success; nil if the job is over.
  func afterSuccess(at now: JobTime) -> JobRecord? {
    var next = self
    next.runs += 1
    next.failures = 0
    guard let repetition = job.repetition, next.runs < repetition.maximumRuns ?? .max else {
      return nil
    }
    next.due = now + repetition.every
    return next
  }

  /// The record after a failure; nil if the job is not retried.
  func afterFailure(at now: JobTime) -> JobRecord? {
    guard failures < job.retry.limit else { return nil }
    var next = self
    next.failures += 1
    next.due = now + job.retry.wait(afterFailures: next.failures)
    return next
  }
}
