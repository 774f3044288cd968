#if canImport(Darwin)
  package import Darwin
#else
  package import Glibc
#endif
#if canImport(CFrameBudgetLinux)
  internal import CFrameBudgetLinux
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

extension Locked where Value: RangeReplaceableCollection & Sendable {
  /// Removes and returns all elements; keeps their memory for the next ones.
  @inlinable
  package func takeAll() -> Value {
    withLock { elements in
      defer { elements.removeAll(keepingCapacity: true) }
      return elements
    }
  }
}

/// The system's mutex, for callers that choose among kinds of locks; `Locked` holds a value as well.
///
/// The thread sanitizer knows it. Without priority inheritance glibc's mutex is a barging lock; with it the kernel hands the
/// lock to the waiter of the highest priority, and among equals to the longest waiter.
@safe
package final class SystemMutex: Sendable {
  package enum Kind {
    case plain
    /// Its holder may lock it again, and must unlock it as often.
    case recursive
    /// Its holder runs at least at the priority of its waiters.
    case inheriting
  }

  // Proof: allocated and initialised here, destroyed in `deinit`, and in between only passed to pthread functions,
  // which any thread may call.
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

  /// Locks it if it is free, and returns whether it did.
  package func tryLock() -> Bool { unsafe pthread_mutex_trylock(mutex) == 0 }

  #if os(Linux)
    /// Like `lock`, but waits at most `nanoseconds`. Returns whether it locked the mutex.
    package func lock(forNanoseconds nanoseconds: Int64) -> Bool {
      unsafe clinux_lock_within(mutex, nanoseconds) == 0
    }
  #endif

  /// Only from the thread that holds the lock.
  package func unlock() { unsafe pthread_mutex_unlock(mutex) }
}
