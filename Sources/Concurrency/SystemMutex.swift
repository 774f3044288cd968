#if os(Linux)
  internal import CLinux
  internal import Glibc
#else
  internal import Darwin
#endif

/// The system's mutex by itself, for who chooses among kinds of locks; `Locked` holds a value as well.
///
/// The thread sanitizer knows it. Without priority inheritance glibc's is a barging lock; with it the kernel hands the
/// lock to the waiter of the highest priority, the longest one first.
@safe
package final class SystemMutex: Sendable {
  package enum Kind {
    case plain
    /// Its holder may take it again, and releases it as often.
    case recursive
    /// Its holder runs at the priority of whoever waits for it.
    case inheriting
  }

  // Proof: allocated and initialised here, destroyed in `deinit`, and in between only passed to the pthread functions,
  // which are made to be called from any thread.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ kind: Kind) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    switch kind {
    case .plain: break
    case .recursive:
      unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    case .inheriting:
      unsafe pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT))
    }
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deinitialize(count: 1)
    unsafe mutex.deallocate()
  }

  package func lock() { unsafe pthread_mutex_lock(mutex) }

  /// Takes it if it is free; whether it was.
  package func tryLock() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }

  #if os(Linux)
    /// As `lock`, for at most so long; whether it was taken.
    package func lock(forNanoseconds nanoseconds: Int64) -> Bool {
      unsafe clinux_lock_within(mutex, nanoseconds) == 0
    }
  #endif

  /// Only from the thread that holds it.
  package func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
