/// The error of a `call` without a result: the closure never ran, or it threw.
public enum CallError<Failure: Error>: Error {
  /// The closure never ran, because the scheduler refused the event.
  case refused(Refusal)
  /// The closure ran and threw this error.
  case failed(Failure)
}

extension CallError: Equatable where Failure: Equatable {}

extension CallError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .refused(let refusal): "\(refusal)"
    case .failed(let error): "\(error)"
    }
  }
}
