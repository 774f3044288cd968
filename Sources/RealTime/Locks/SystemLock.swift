internal import CLinux
internal import FrameBudget
internal import Glibc

/// A POSIX mutex. Without priority inheritance glibc's is a barging lock; with it the kernel hands the lock to
/// the waiter of the highest priority, the longest one first.
@safe
final class SystemLock: EngineLock {
  // Proof: allocated and initialised here, destroyed in `deinit`, and in between only passed to the
  // pthread functions, which are made to be called from any thread.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init(inheritsPriority: Bool) {
    unsafe mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    if inheritsPriority {
      unsafe pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT))
    }
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  func tryLock() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }
  func lock() { unsafe pthread_mutex_lock(mutex) }

  func lock(_ patience: Patience) -> Bool {
    while let span = patience() {
      if unsafe clinux_lock_within(mutex, span.nanoseconds) == 0 { return true }
    }
    return false
  }

  func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
