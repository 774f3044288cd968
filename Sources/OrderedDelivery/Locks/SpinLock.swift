#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif
internal import Synchronization

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
