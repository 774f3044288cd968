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

/// Why an operation of this library failed by itself.
public enum WorkError: Error, Equatable {
  case cancelled
  /// What it depends on failed, so it never began.
  case dependencyFailed(String)
  /// As many members of a group failed.
  case membersFailed(Int)
  /// Its input is missing: what it was to come from has not succeeded.
  case noInput
}

/// Who is told that an operation begins or has ended; called on the thread on which that happens.
public struct WorkObserver: Sendable {
  let began: @Sendable (WorkOperation) -> Void
  let ended: @Sendable (WorkOperation, (any Error)?) -> Void

  public init(
    began: @escaping @Sendable (WorkOperation) -> Void = { _ in },
    ended: @escaping @Sendable (WorkOperation, (any Error)?) -> Void = { _, _ in }
  ) {
    self.began = began
    self.ended = ended
  }
}
