internal import Foundation

/// How work says that it is done; only the first time counts.
public struct Completion<Output: Sendable>: Sendable {
  let work: Work<Output>

  public var isCancelled: Bool { work.isCancelled }
  public func succeed(_ output: Output) { end(with: .success(output)) }
  public func fail(_ error: any Error) { end(with: .failure(error)) }
  public func end(with result: Result<Output, any Error>) { work.end(with: result) }
  /// Lets `body` stop what is under way when the work is cancelled; at once if it has been.
  public func onCancel(_ body: @escaping @Sendable () -> Void) { work.onCancel(body) }
}
