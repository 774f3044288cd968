internal import Foundation

/// Ends work; only the first call counts.
public struct Completion<Output: Sendable>: Sendable {
  let work: Work<Output>

  /// Whether the work was cancelled.
  public var isCancelled: Bool { work.isCancelled }
  /// Ends the work with its output.
  public func succeed(_ output: Output) { end(with: .success(output)) }
  /// Ends the work with an error.
  public func fail(_ error: any Error) { end(with: .failure(error)) }
  /// Ends the work. Only the first end counts; later ones do nothing.
  public func end(with result: Result<Output, any Error>) { work.end(with: result) }
  /// Runs `body` when the work is cancelled, so that it can stop; runs it at once if the work is cancelled already.
  public func onCancel(_ body: @escaping @Sendable () -> Void) { work.onCancel(body) }
}
