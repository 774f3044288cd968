/// The repetition of a job after a success.
public struct Repetition: Hashable, Codable, Sendable {
  /// The time from the end of a run to the earliest begin of the next one.
  public var every: Duration
  /// The total number of runs; nil until the job is cancelled.
  public var maximumRuns: Int?

  /// - Parameters:
  ///   - every: the time from the end of a run to the earliest begin of the next one; not negative.
  ///   - maximumRuns: the total number of runs, at least 1; nil until the job is cancelled.
  public init(every: Duration, maximumRuns: Int? = nil) {
    precondition(every >= .zero && maximumRuns ?? 1 > 0, "at least one run")
    self.every = every
    self.maximumRuns = maximumRuns
  }
}
