/// Says why a `call` gave no result: it never ran, or it threw.
public enum CallError<Failure: Error>: Error {
  /// It was never called: its scheduler did not take the event.
  case refused(Refusal)
  /// It was called, and threw this.
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
