/// Something that can be told to stop. Disposing of it again does nothing.
///
/// Called on a serial scheduler, `dispose` is final: nothing that it stops begins on that scheduler afterwards. Called
/// from elsewhere it cannot take back what has begun, or is just beginning, at that moment.
public protocol Disposable: Sendable {
  /// Stops it, and lets go of what waits.
  func dispose()
  /// Whether somebody has told it to stop.
  var isDisposed: Bool { get }
}
