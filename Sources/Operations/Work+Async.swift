public import Foundation

extension Work {
  /// Waits until it is over, without keeping a thread; at once if it is.
  ///
  /// As with a `Task`, whoever waits may be many, and a waiting task that is cancelled cancels nothing: the work goes on, and
  /// so does the wait. Work that is never enqueued is never over.
  ///
  /// - Throws: why it failed; `WorkError.cancelled` where it was cancelled.
  public var value: Output {
    get async throws {
      await withCheckedContinuation { continuation in whenOver { continuation.resume() } }
      if let output { return output }
      throw error ?? WorkError.cancelled
    }
  }

  /// Enqueues it and waits for its output; a waiting task that is cancelled cancels the work.
  ///
  /// - Parameter queue: where it begins. Work is enqueued once.
  /// - Returns: its output.
  /// - Throws: why it failed; `WorkError.cancelled` where it, or the task, was cancelled before it ended.
  public func run(on queue: OperationQueue) async throws -> Output {
    queue.enqueue(self)
    return try await withTaskCancellationHandler {
      try await value
    } onCancel: {
      cancel()
    }
  }
}
