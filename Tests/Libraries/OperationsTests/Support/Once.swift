import Foundation

/// Runs its action at the first request only.
final class Once: @unchecked Sendable {
  // Sendable: `action` is only used under `lock`.
  private let lock = NSLock()
  private var action: (@Sendable () -> Void)?

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  func run() { lock.withLock { action.take() }?() }
}
