/// How far an operation has come.
public enum WorkState: Sendable {
  /// Not begun; begun; ended with an output.
  case waiting, executing, succeeded
  /// Ended with this error.
  case failed(any Error)

  /// Whether it has ended.
  public var isOver: Bool {
    switch self {
    case .waiting, .executing: false
    case .succeeded, .failed: true
    }
  }
}
