/// How far an operation has come.
public enum WorkState: Sendable {
  case waiting, executing, succeeded
  case failed(any Error)

  public var isOver: Bool {
    switch self {
    case .waiting, .executing: false
    case .succeeded, .failed: true
    }
  }
}
