/// How a run of a job ended.
public enum JobOutcome: Hashable, Sendable {
  case success
  /// One that is final is not tried again.
  case failure(reason: String, isFinal: Bool = false)

  init(_ error: any Error) {
    if let final = error as? FinalJobFailure {
      self = .failure(reason: final.reason, isFinal: true)
    } else {
      self = .failure(reason: "\(error)")
    }
  }
}

/// Thrown by the code of a job that is not worth another try.
public struct FinalJobFailure: Error, Hashable, Sendable {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }
}
