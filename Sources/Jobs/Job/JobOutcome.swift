/// The outcome of a run of a job.
public enum JobOutcome: Hashable, Sendable {
  /// The run succeeded.
  case success
  /// The run failed. A final failure is not retried.
  case failure(reason: String, isFinal: Bool = false)

  init(_ error: any Error) {
    if let final = error as? FinalJobFailure {
      self = .failure(reason: final.reason, isFinal: true)
    } else {
      self = .failure(reason: "\(error)")
    }
  }
}

/// An error for a job's code to throw if a retry would not help.
public struct FinalJobFailure: Error, Hashable, Sendable {
  /// The reason, for people.
  public let reason: String

  /// - Parameter reason: the reason, for people.
  public init(_ reason: String) { self.reason = reason }
}
