/// Who is told that an operation begins or has ended; called on the thread on which that happens.
public struct WorkObserver: Sendable {
  let began: @Sendable (WorkOperation) -> Void
  let ended: @Sendable (WorkOperation, (any Error)?) -> Void

  /// - Parameters:
  ///   - began: called when the work begins to execute, on its thread.
  ///   - ended: called when it has ended, with its error unless it succeeded.
  public init(
    began: @escaping @Sendable (WorkOperation) -> Void = { _ in },
    ended: @escaping @Sendable (WorkOperation, (any Error)?) -> Void = { _, _ in }
  ) {
    self.began = began
    self.ended = ended
  }
}
