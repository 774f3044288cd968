internal import Concurrency

/// A waiting action, which can be withdrawn until it begins. Disposing of it releases its closure at once.
public final class ScheduledAction: Disposable {
  private enum State {
    case waiting(@Sendable () -> Void, letGo: @Sendable () -> Void)
    case begun
    case disposed
  }

  private let state: Locked<State>

  init(_ body: @escaping @Sendable () -> Void) { state = Locked(.waiting(body, letGo: {})) }

  public func dispose() { leave(for: .disposed)?.letGo() }

  public var isDisposed: Bool {
    state.withLock { if case .disposed = $0 { true } else { false } }
  }

  func run() { leave(for: .begun)?.body() }

  /// Sets the closure that removes the action from its place if it is disposed of before its time.
  func letGo(by letGo: @escaping @Sendable () -> Void) {
    let isWaiting = state.withLock { state in
      guard case .waiting(let body, _) = state else { return false }
      state = .waiting(body, letGo: letGo)
      return true
    }
    if !isWaiting { letGo() }
  }

  /// Removes the body, so that one thread runs or releases it, outside the lock.
  private func leave(
    for next: State
  ) -> (body: @Sendable () -> Void, letGo: @Sendable () -> Void)? {
    state.withLock { state in
      guard case .waiting(let body, let letGo) = state else { return nil }
      state = next
      return (body, letGo)
    }
  }
}
