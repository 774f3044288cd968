/// A stage or action that can be stopped. Disposing of it again has no effect.
///
/// Called on a serial scheduler, `dispose` is final: no stopped action begins on that scheduler afterwards. Called from
/// elsewhere, it does not stop an action that has begun or begins at that moment.
public protocol Disposable: Sendable {
  /// Stops it, and releases waiting elements and actions.
  func dispose()
  /// Whether `dispose` was called.
  var isDisposed: Bool { get }
}
