internal import Foundation

/// An operation with an output, which other operations can use.
public final class Work<Output: Sendable>: WorkOperation, @unchecked Sendable {
  // Sendable: `body` does not change, and `produced` is behind the lock of all work.
  private let body: @Sendable (Completion<Output>) -> Void
  private var produced: Output?

  /// Creates work that ends when its completion is called, on any thread.
  public init(
    _ name: String, stopsOnFailure: Bool = true,
    _ body: @escaping @Sendable (Completion<Output>) -> Void
  ) {
    self.body = body
    super.init(name, stopsOnFailure: stopsOnFailure)
  }

  /// Creates work that ends when `body` returns.
  public convenience init(
    _ name: String, stopsOnFailure: Bool = true,
    returning body: @escaping @Sendable () throws -> Output
  ) {
    self.init(name, stopsOnFailure: stopsOnFailure) { $0.end(with: Result(catching: body)) }
  }

  /// Creates work that waits for a user's answer without occupying a worker: `ask` runs on the main queue.
  public static func question(
    _ name: String, ask: @escaping @MainActor @Sendable (Completion<Output>) -> Void
  ) -> Work<Output> {
    Work(name) { completion in
      OperationQueue.main.addOperation {
        // Cancelled meanwhile, so do not ask.
        guard !completion.isCancelled else { return }
        MainActor.assumeIsolated { ask(completion) }
      }
    }
  }

  /// The output; nil unless the work has succeeded.
  public var output: Output? {
    read { state in if case .succeeded = state { produced } else { nil } }
  }

  override func begin() { body(Completion(work: self)) }

  func end(with result: Result<Output, any Error>) {
    switch result {
    case .success(let output): end { produced = output }
    case .failure(let error): end(error)
    }
  }

  /// Creates work that begins after this has succeeded, with its output.
  public func then<Next: Sendable>(
    _ name: String, _ body: @escaping @Sendable (Output, Completion<Next>) -> Void
  ) -> Work<Next> {
    let next = Work<Next>(name) { [self] completion in
      guard let output else { return completion.fail(WorkError.noInput) }
      body(output, completion)
    }
    next.addDependency(self)
    return next
  }
}
