/// The locks that a thread holds while an item goes from step to step: the policy of `Lock.Hold`, the same in both
/// engines.
///
/// It decides and records; the engine takes the locks and waits for them. Inlined there, because the virtual engine asks
/// before and after each step.
public struct HeldLocks: Sendable {
  /// The action that a thread must take about locks before a step can begin.
  public enum Move: Hashable, Sendable {
    /// Nothing: the step can begin.
    case begin
    /// Release this one, which the step does not need.
    case release(LockIndex)
    /// Take this one, and begin the step once it is taken.
    case take(LockIndex)
  }

  /// Held for one step, or from step to step; taken after those in `kept`.
  @usableFromInline var passing: LockIndex?
  /// Kept until the item ends or leaves its lane, in the order in which they were taken.
  @usableFromInline var kept: [LockIndex] = []

  /// Creates an empty set of locks.
  @inlinable
  public init() {}

  /// All held locks, in the order in which they were taken.
  public var all: [LockIndex] { passing.map { kept + [$0] } ?? kept }

  /// The next move before a step with the lock `wanted`, or without one if it is nil. A lock to be released counts as released
  /// after this call.
  @inlinable @inline(__always)
  public mutating func move(toward wanted: LockIndex?) -> Move {
    if let held = passing, held != wanted {
      passing = nil
      return .release(held)
    }
    guard let wanted, passing != wanted, !kept.contains(wanted) else { return .begin }
    return .take(wanted)
  }

  /// Records that `lock` was taken, and for how long it is held.
  @inlinable @inline(__always)
  public mutating func took(_ lock: LockIndex, for hold: Lock.Hold) {
    if hold == .nested { kept.append(lock) } else { passing = lock }
  }

  /// The lock to release after a step, given how long its lock is held; nil if none.
  @inlinable @inline(__always)
  public mutating func endStep(_ hold: Lock.Hold) -> LockIndex? {
    hold == .step ? passing.take() : nil
  }

  /// The next lock to release for an item that leaves: the last one taken. Nil if none is left.
  @inlinable @inline(__always)
  public mutating func popLast() -> LockIndex? { passing.take() ?? kept.popLast() }
}

/// Threads that wait for one another's locks in a cycle: a deadlock.
public struct Deadlock: Hashable, Sendable {
  /// The names of the threads. Each waits for the next one, and the last for the first.
  public let threads: [String]
  /// By thread: the lock that it waits for. The next thread holds it; the first thread holds the last one's lock.
  public let locks: [String]
  /// When the cycle closed.
  public let since: Instant

  /// - Parameters:
  ///   - threads: their names, in the order of the cycle.
  ///   - locks: by thread, the lock that it waits for.
  ///   - since: when the cycle closed.
  public init(threads: [String], locks: [String], since: Instant) {
    self.threads = threads
    self.locks = locks
    self.since = since
  }
}

/// A thread that waits for a lock, and the locks that it holds meanwhile.
public struct LockWait: Sendable {
  /// Its index among the names that `Deadlock.found` is given.
  public let thread: Int
  /// The lock that it waits for.
  public let lock: LockIndex
  /// The locks that it holds, in the order in which it took them.
  public let held: [LockIndex]
  /// When it began to wait.
  public let since: Instant

  /// - Parameters:
  ///   - thread: its index among the names that `Deadlock.found` is given.
  ///   - lock: the lock that it waits for.
  ///   - held: the locks that it holds, in the order in which it took them.
  ///   - since: when it began to wait.
  public init(thread: Int, lock: LockIndex, held: [LockIndex], since: Instant) {
    self.thread = thread
    self.lock = lock
    self.held = held
    self.since = since
  }
}

extension Deadlock {
  /// The cycles among all waits of one moment, each starting at its first thread in `waits`.
  public static func found(
    among waits: [LockWait], threads: [String], locks: PerLock<Lock>
  ) -> [Deadlock] {
    let holders = waits.map { wait in waits.firstIndex { $0.held.contains(wait.lock) } }
    return waits.indices.compactMap { first in
      var circle = [first]
      while let last = circle.last, let next = holders[last], next != first {
        // A path that leads into a cycle, or a cycle with a thread before this one.
        if next < first || circle.contains(next) { return nil }
        circle.append(next)
      }
      guard let last = circle.last, holders[last] == first else { return nil }
      return Deadlock(
        threads: circle.map { threads[waits[$0].thread] },
        locks: circle.map { locks[waits[$0].lock].name },
        since: circle.map { waits[$0].since }.max() ?? .zero)
    }
  }
}
