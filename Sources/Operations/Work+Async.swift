public import Foundation

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
