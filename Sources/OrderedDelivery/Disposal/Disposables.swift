internal import Concurrency

/// Disposes of several things at once, such as the stages of a chain.
///
/// What is added after the end is disposed of at once, so that nobody has to look who was first.
public final class Disposables: Disposable {
  /// Nil once disposed of.
  private let members: Locked<[any Disposable]?>

  /// - Parameter members: what is disposed of together.
  public init(_ members: any Disposable...) { self.members = Locked(members) }

  /// Adds one more; it is disposed of at once if the others have been.
  public func add(_ member: any Disposable) {
    let isKept = members.withLock { members in
      members?.append(member)
      return members != nil
    }
    if !isKept { member.dispose() }
  }

  public func dispose() {
    // Outside the lock: what a member does then is not ours.
    for member in members.withLock({ $0.take() }) ?? [] { member.dispose() }
  }

  public var isDisposed: Bool { members.withLock { $0 == nil } }
}
