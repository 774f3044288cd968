internal import Dispatch

/// Puts one thread to sleep until another wakes it.
///
/// A wake-up before `park` is kept: the next `park` then returns at once. `park` may also return spuriously, so its
/// caller must check its state again.
package protocol Parker: AnyObject, Sendable {
  /// Sleeps until woken, or until `nanoseconds` have passed. Only one thread may park.
  func park(forNanoseconds: Int64?)
  /// Wakes the parked thread, or makes the next `park` return at once. From any thread.
  func unpark()
}

/// The fastest parker of the system.
package func makeParker() -> any Parker {
  #if os(Linux)
    FutexParker()
  #else
    SemaphoreParker()
  #endif
}

#if os(Linux)
  internal import CFrameBudgetLinux
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

/// Parks on a Dispatch semaphore, which every system with Dispatch has.
package final class SemaphoreParker: Parker {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func park(forNanoseconds nanoseconds: Int64?) {
    guard let nanoseconds else { return semaphore.wait() }
    let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: max(0, nanoseconds)))
    _ = semaphore.wait(timeout: deadline)
  }

  package func unpark() { semaphore.signal() }
}

/// Opens once, when an object that owns threads has ended; tasks and threads can wait for this.
package final class EndLatch: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())
  private let opened = DispatchSemaphore(value: 0)

  package init() {}

  package var isOpen: Bool { state.withLock { $0.isOpen } }

  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    opened.signal()
    for continuation in waiting { continuation.resume() }
  }

  package func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
    // Shows the thread sanitizer the order also if the continuation is resumed before it is awaited.
    state.withLock { _ in }
  }

  package func waitBlocking() {
    opened.wait()
    opened.signal()  // for the next waiter
  }
}
