#if os(Linux)
  package import Glibc
#else
  package import Darwin
#endif

/// A value that one thread at a time may access.
///
/// Like `Synchronization.Mutex`, but on the system's mutex, which the thread sanitizer knows. The sanitizer does not see
/// the slow path of `Mutex` on Linux, and reports false races.
@safe
package final class Locked<Value>: @unchecked Sendable {
  // Sendable: the value is accessed only in `withLock`, by one thread at a time; parameters and results are `sending`.
  // Behind a pointer, because Swift checks each access to a class's variable for exclusivity at run time.
  @usableFromInline package let value: UnsafeMutablePointer<Value>
  @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>

  @inlinable
  package init(_ value: consuming sending Value) {
    unsafe self.value = .allocate(capacity: 1)
    unsafe self.value.initialize(to: value)
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  @inlinable
  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deinitialize(count: 1)
    unsafe mutex.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  @inlinable
  package func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe body(&value.pointee)
  }

  /// Like `withLock`, but returns nil at once if another thread holds the lock.
  @inlinable
  package func withLockIfAvailable<Result>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result? {
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe body(&value.pointee)
  }
}
