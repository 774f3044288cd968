internal import Foundation

/// Work with an output that others can be given.
public final class Work<Output: Sendable>: WorkOperation, @unchecked Sendable {
  // Sendable: `body` does not change, and `produced` is behind the lock of all work.
  private let body: @Sendable (Completion<Output>) -> Void
  private var produced: Output?

  /// Work that ends when its completion is told so, on whichever thread.
  public init(
    _ name: String, stopsOnFailure: Bool = true,
    _ body: @escaping @Sendable (Completion<Output>) -> Void
  ) {
    self.body = body
    super.init(name, stopsOnFailure: stopsOnFailure)
  }

  /// Work that is done when `body` returns.
  public convenience init(
    _ name: String, stopsOnFailure: Bool = true,
    returning body: @escaping @Sendable () throws -> Output
  ) {
    self.init(name, stopsOnFailure: stopsOnFailure) { $0.end(with: Result(catching: body)) }
  }

  /// Work that waits for a person's answer and keeps no worker meanwhile: `ask` runs on the main queue.
  public static func question(
    _ name: String, ask: @escaping @MainActor @Sendable (Completion<Output>) -> Void
  ) -> Work<Output> {
    Work(name) { completion in
      OperationQueue.main.addOperation {
        // Withdrawn meanwhile: nobody should be asked.
        guard !completion.isCancelled else { return }
        MainActor.assumeIsolated { ask(completion) }
      }
    }
  }

  /// What it produced; nil unless it has succeeded.
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

  /// Work that begins once this has succeeded, with its output.
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
