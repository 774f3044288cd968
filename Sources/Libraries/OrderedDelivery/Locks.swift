internal import SchedulableThreads
internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The kind of the short lock for queueing elements. None of your code runs while it is held, so any kind is correct.
public enum LockKind: String, CaseIterable, Sendable {
  /// Spins until it is free. The cheapest lock while it is free, and the most wasteful while its holder is not running.
  case spin
  /// The system's mutex, in which waiting threads sleep.
  case mutex
  /// A mutex that its holder may lock again. Queueing never does, so this kind shows the cost of recursion.
  case recursive

  func makeLock() -> any ShortLock {
    switch self {
    case .spin: SpinLock()
    case .mutex: SystemMutex(.plain)
    case .recursive: SystemMutex(.recursive)
    }
  }
}

extension SystemMutex: ShortLock {}

/// A lock that is held for a few instructions.
protocol ShortLock: Sendable {
  func lock()
  /// Only from the thread that holds the lock.
  func unlock()
}

/// Spins until the lock is free, and yields the processor if that takes longer than a holder should.
final class SpinLock: ShortLock {
  private static let turnsBeforeYield = 100
  private let isHeld = Atomic(false)

  func lock() {
    var turns = 0
    while isHeld.exchange(true, ordering: .acquiring) {
      // Only reads while it is held, because writes would move its cache line between cores.
      while isHeld.load(ordering: .relaxed) {
        turns += 1
        // The waiting thread may occupy the holder's processor.
        if turns % Self.turnsBeforeYield == 0 { sched_yield() }
      }
    }
  }

  func unlock() { isHeld.store(false, ordering: .releasing) }
}

/// A value that one thread at a time may access, under a lock of a chosen kind.
final class Guarded<Value: Sendable>: Sendable {
  private let lock: any ShortLock
  // Proof: accessed only in `withLock`, so by the one thread that holds the lock.
  private nonisolated(unsafe) var value: Value

  init(_ value: Value, by kind: LockKind) {
    unsafe self.value = value
    lock = kind.makeLock()
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return unsafe body(&value)
  }
}
