#if os(Linux)
  package import Glibc
#else
  package import Darwin
#endif

/// A value that one thread at a time may touch.
///
/// Like `Synchronization.Mutex`, on the system's own mutex: the thread sanitizer knows that one, whereas it does not
/// see the slow path of `Mutex` on Linux and reports races that are none.
@safe
package final class Locked<Value>: @unchecked Sendable {
  // Sendable: the value is touched in `withLock` only, by one thread at a time, and what goes in or out is sent.
  // Behind a pointer, because each use of a class's variable is checked at run time for overlapping others.
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

  /// As `withLock`, or nil at once where another thread is inside.
  @inlinable
  package func withLockIfAvailable<Result>(
    _ body: (inout sending Value) -> sending Result
  ) -> sending Result? {
    guard unsafe pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { unsafe pthread_mutex_unlock(mutex) }
    return unsafe body(&value.pointee)
  }
}
