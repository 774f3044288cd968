public import Foundation

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

  deinit { leaveDependencies() }

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

extension Work {
  /// The output. Waits until the work is over, without blocking a thread.
  ///
  /// As with a `Task`, several tasks may wait, and cancelling a waiting task cancels neither the work nor the wait. Work that
  /// is never enqueued never ends.
  ///
  /// - Throws: the error of the work; `WorkError.cancelled` if it was cancelled.
  public var value: Output {
    get async throws {
      await withCheckedContinuation { continuation in whenOver { continuation.resume() } }
      if let output { return output }
      throw error ?? WorkError.cancelled
    }
  }

  /// Enqueues the work and waits for its output. Cancelling the waiting task cancels the work.
  ///
  /// - Parameter queue: the queue that begins the work. Enqueue work only once.
  /// - Returns: the output of the work.
  /// - Throws: the error of the work; `WorkError.cancelled` if the work or the task was cancelled before the end.
  public func run(on queue: OperationQueue) async throws -> Output {
    queue.enqueue(self)
    return try await withTaskCancellationHandler {
      try await value
    } onCancel: {
      cancel()
    }
  }
}

/// An error that this library itself gives an operation.
public enum WorkError: Error, Equatable {
  /// The operation was cancelled before it ended.
  case cancelled
  /// A dependency of this name failed, so the operation never began.
  case dependencyFailed(String)
  /// This number of members of a group failed.
  case membersFailed(Int)
  /// The work released its ``Completion`` without ending.
  case forgotten
  /// The input is missing, because the work that should produce it has not succeeded.
  case noInput
}

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
