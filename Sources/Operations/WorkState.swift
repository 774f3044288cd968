/// The state of an operation.
public enum WorkState: Sendable {
  /// Not begun.
  case waiting
  /// Begun, and not ended.
  case executing
  /// Ended with its output.
  case succeeded
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
