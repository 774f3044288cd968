/// An action that waits for its turn and can be withdrawn until then; what it captured is released at once.
public final class ScheduledAction: Disposable {
  private enum State {
    case waiting(@Sendable () -> Void)
    case begun
    case disposed
  }

  private let state: Locked<State>

  init(_ body: @escaping @Sendable () -> Void) { state = Locked(.waiting(body)) }

  public func dispose() { _ = leave(for: .disposed) }

  public var isDisposed: Bool {
    state.withLock { if case .disposed = $0 { true } else { false } }
  }

  func run() { leave(for: .begun)?() }

  /// Takes the body out, so that it is run, or released, by one thread and outside the lock.
  private func leave(for next: State) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard case .waiting(let body) = state else { return nil }
      state = next
      return body
    }
  }
}
