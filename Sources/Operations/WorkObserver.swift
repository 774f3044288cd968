/// Closures that are called when an operation begins and ends, on the thread where that happens.
public struct WorkObserver: Sendable {
  let began: @Sendable (WorkOperation) -> Void
  let ended: @Sendable (WorkOperation, (any Error)?) -> Void

  /// Creates an observer.
  ///
  /// - Parameters:
  ///   - began: called when the work begins to execute.
  ///   - ended: called when the work has ended, with its error unless it succeeded.
  public init(
    began: @escaping @Sendable (WorkOperation) -> Void = { _ in },
    ended: @escaping @Sendable (WorkOperation, (any Error)?) -> Void = { _, _ in }
  ) {
    self.began = began
    self.ended = ended
  }
}
