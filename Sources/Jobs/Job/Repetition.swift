/// How a job is repeated that has succeeded.
public struct Repetition: Hashable, Codable, Sendable {
  /// From the end of a run to the earliest begin of the next one.
  public var every: Duration
  /// How often it runs in all; nil for as long as nobody cancels it.
  public var maximumRuns: Int?

  /// - Parameters:
  ///   - every: from the end of a run to the earliest begin of the next one; not negative.
  ///   - maximumRuns: how often it runs in all, at least 1; nil for as long as nobody cancels it.
  public init(every: Duration, maximumRuns: Int? = nil) {
    precondition(every >= .zero && maximumRuns ?? 1 > 0, "at least one run")
    self.every = every
    self.maximumRuns = maximumRuns
  }
}
