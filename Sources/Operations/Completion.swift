internal import Foundation

/// How work says that it is done; only the first time counts.
public struct Completion<Output: Sendable>: Sendable {
  let work: Work<Output>

  /// Whether the work has been cancelled meanwhile.
  public var isCancelled: Bool { work.isCancelled }
  /// Ends the work with its output.
  public func succeed(_ output: Output) { end(with: .success(output)) }
  /// Ends the work with an error.
  public func fail(_ error: any Error) { end(with: .failure(error)) }
  /// Ends the work. The first end counts; later ones do nothing.
  public func end(with result: Result<Output, any Error>) { work.end(with: result) }
  /// Lets `body` stop what is under way when the work is cancelled; at once if it has been.
  public func onCancel(_ body: @escaping @Sendable () -> Void) { work.onCancel(body) }
}
