#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif
internal import Synchronization

/// Turns until the lock is free, and gives the processor away once that takes longer than a holder should.
final class SpinLock: ShortLock {
  private static let turnsBeforeYield = 100
  private let isHeld = Atomic(false)

  func lock() {
    var turns = 0
    while isHeld.exchange(true, ordering: .acquiring) {
      // Only read while it is held: writing would move its cache line from core to core.
      while isHeld.load(ordering: .relaxed) {
        turns += 1
        // The holder may have lost its processor to whoever waits here.
        if turns % Self.turnsBeforeYield == 0 { sched_yield() }
      }
    }
  }

  func unlock() { isHeld.store(false, ordering: .releasing) }
}
