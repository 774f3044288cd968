internal import Concurrency

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
