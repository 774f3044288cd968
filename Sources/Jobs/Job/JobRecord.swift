/// A job that a queue has accepted, with what has become of it so far.
public struct JobRecord: Hashable, Codable, Sendable {
  /// What was added.
  public let job: Job
  /// Its place in the order in which jobs were added.
  public let sequence: Int64
  /// It does not start before.
  public internal(set) var due: JobTime
  /// How often it has succeeded.
  public internal(set) var runs = 0
  /// How often it has failed since it succeeded last.
  public internal(set) var failures = 0

  /// A job as it is when it is added: never tried, and due at once or after its delay.
  public init(_ job: Job, sequence: Int64, addedAt now: JobTime) {
    self.job = job
    self.sequence = sequence
    due = now + job.delay
  }

  func isExpired(at now: JobTime) -> Bool {
    if let deadline = job.deadline { now >= deadline } else { false }
  }

  /// As it goes on after it has succeeded; nil if it is over.
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

  /// As it is tried again after it has failed; nil if it has failed for good.
  func afterFailure(at now: JobTime) -> JobRecord? {
    guard failures < job.retry.limit else { return nil }
    var next = self
    next.failures += 1
    next.due = now + job.retry.wait(afterFailures: next.failures)
    return next
  }
}
