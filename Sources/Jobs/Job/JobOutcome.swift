/// How a run of a job ended.
public enum JobOutcome: Hashable, Sendable {
  /// It did what it should.
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
  /// For people: what went wrong.
  public let reason: String

  /// - Parameter reason: for people: what went wrong.
  public init(_ reason: String) { self.reason = reason }
}
