#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The system's mutex, which the thread sanitizer knows.
@safe
final class SystemLock: ShortLock {
  // Proof: made and initialised here, destroyed in `deinit`, and in between only passed to the pthread functions,
  // which are made to be called from any thread.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init(isRecursive: Bool) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    if isRecursive {
      unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    }
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deinitialize(count: 1)
    unsafe mutex.deallocate()
  }

  func lock() { unsafe pthread_mutex_lock(mutex) }
  func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
