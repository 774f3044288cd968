/// The locks that a thread holds while an item goes from step to step: the policy of `Lock.Hold`, the same in both
/// engines.
///
/// It says what is to be done and keeps account of it; to take a lock, and to wait for it, is the engine's. Inlined
/// there, because the virtual one asks before and behind each step.
public struct HeldLocks: Sendable {
  /// What a thread has to do about locks before a step can begin.
  public enum Move: Hashable, Sendable {
    /// Nothing: the step can begin.
    case begin
    /// Release this one, which the step does not need.
    case release(LockIndex)
    /// Take this one, and begin the step once it is taken.
    case take(LockIndex)
  }

  /// Held for one step, or from step to step; taken behind those that are kept.
  @usableFromInline var passing: LockIndex?
  /// Kept until the item ends or leaves its lane, in the order in which they were taken.
  @usableFromInline var kept: [LockIndex] = []

  /// None.
  @inlinable
  public init() {}

  /// In the order in which they were taken.
  public var all: [LockIndex] { passing.map { kept + [$0] } ?? kept }

  /// What is to be done next for a step that `wanted` guards, or that no lock does; what is to be released counts as
  /// that from now on.
  @inlinable @inline(__always)
  public mutating func move(toward wanted: LockIndex?) -> Move {
    if let held = passing, held != wanted {
      passing = nil
      return .release(held)
    }
    guard let wanted, passing != wanted, !kept.contains(wanted) else { return .begin }
    return .take(wanted)
  }

  /// Notes that `lock` was taken, to be held for so long.
  @inlinable @inline(__always)
  public mutating func took(_ lock: LockIndex, for hold: Lock.Hold) {
    if hold == .nested { kept.append(lock) } else { passing = lock }
  }

  /// The lock that is to be released behind a step, whose lock is held for so long; nil if none is.
  @inlinable @inline(__always)
  public mutating func endStep(_ hold: Lock.Hold) -> LockIndex? {
    hold == .step ? passing.take() : nil
  }

  /// The lock that is to be released next of those that an item holds which leaves: the last one taken.
  @inlinable @inline(__always)
  public mutating func popLast() -> LockIndex? { passing.take() ?? kept.popLast() }
}
