import Foundation

/// Runs its action the first time that it is asked to.
final class Once: @unchecked Sendable {
  // Sendable: `action` is touched under `lock` alone.
  private let lock = NSLock()
  private var action: (@Sendable () -> Void)?

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  func run() { lock.withLock { action.take() }?() }
}
