#if os(Linux)
  internal import CLinux
  internal import Synchronization

  /// Parks on a Linux futex; a wake-up costs a system call only if the thread sleeps.
  @safe
  package final class FutexParker: Parker {
    private static let empty: UInt32 = 0
    private static let woken: UInt32 = 1
    private static let asleep: UInt32 = 2

    // Proof: allocated here, freed in `deinit`; in between it is only read and written atomically.
    private nonisolated(unsafe) let word: UnsafeMutablePointer<Atomic<UInt32>>

    package init() {
      unsafe word = .allocate(capacity: 1)
      unsafe word.initialize(to: Atomic(Self.empty))
    }

    deinit {
      unsafe word.deinitialize(count: 1)
      unsafe word.deallocate()
    }

    package func park(forNanoseconds nanoseconds: Int64?) {
      let claim = unsafe word.pointee.compareExchange(
        expected: Self.empty, desired: Self.asleep, ordering: .acquiring)
      if claim.exchanged { sleep(nanoseconds) }
      _ = unsafe word.pointee.exchange(Self.empty, ordering: .acquiringAndReleasing)
    }

    package func unpark() {
      let before = unsafe word.pointee.exchange(Self.woken, ordering: .acquiringAndReleasing)
      if before == Self.asleep { unsafe clinux_futex_wake(raw) }
    }

    private func sleep(_ nanoseconds: Int64?) {
      guard let nanoseconds else {
        while unsafe word.pointee.load(ordering: .acquiring) == Self.asleep {
          unsafe clinux_futex_wait(raw, Self.asleep)
        }
        return
      }
      guard nanoseconds > 0 else { return }
      unsafe clinux_futex_wait_for(raw, Self.asleep, nanoseconds)
    }

    /// The same four bytes as the kernel sees them: an `Atomic<UInt32>` is laid out like a `UInt32`.
    private var raw: UnsafeMutablePointer<UInt32> {
      unsafe UnsafeMutableRawPointer(word).assumingMemoryBound(to: UInt32.self)
    }
  }
#endif
