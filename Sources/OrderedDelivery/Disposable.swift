internal import Concurrency

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

/// Disposes of several members together, such as the stages of a chain.
///
/// A member that is added after the disposal is disposed of at once, so callers need no check.
public final class Disposables: Disposable {
  /// Nil after the disposal.
  private let members: Locked<[any Disposable]?>

  /// - Parameter members: the members to dispose of together.
  public init(_ members: any Disposable...) { self.members = Locked(members) }

  /// Adds a member, which is disposed of at once if the others have been.
  public func add(_ member: any Disposable) {
    let isKept = members.withLock { members in
      members?.append(member)
      return members != nil
    }
    if !isKept { member.dispose() }
  }

  public func dispose() {
    // Outside the lock, because a member may run any code.
    for member in members.withLock({ $0.take() }) ?? [] { member.dispose() }
  }

  public var isDisposed: Bool { members.withLock { $0 == nil } }
}

/// A waiting action, which can be withdrawn until it begins. Disposing of it releases its closure at once.
public final class ScheduledAction: Disposable {
  private enum State {
    case waiting(@Sendable () -> Void, remove: @Sendable () -> Void)
    case begun
    case disposed
  }

  private let state: Locked<State>

  init(_ body: @escaping @Sendable () -> Void) { state = Locked(.waiting(body, remove: {})) }

  public func dispose() { leave(for: .disposed)?.remove() }

  public var isDisposed: Bool {
    state.withLock { if case .disposed = $0 { true } else { false } }
  }

  func run() { leave(for: .begun)?.body() }

  /// Sets the closure that removes the action from its place if it is disposed of before its time.
  func onDisposal(_ remove: @escaping @Sendable () -> Void) {
    let isWaiting = state.withLock { state in
      guard case .waiting(let body, _) = state else { return false }
      state = .waiting(body, remove: remove)
      return true
    }
    if !isWaiting { remove() }
  }

  /// Removes the body, so that one thread runs or releases it, outside the lock.
  private func leave(
    for next: State
  ) -> (body: @Sendable () -> Void, remove: @Sendable () -> Void)? {
    state.withLock { state in
      guard case .waiting(let body, let remove) = state else { return nil }
      state = next
      return (body, remove)
    }
  }
}
