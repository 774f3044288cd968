/// Puts one thread to sleep until another wakes it.
///
/// A wake-up that comes first is kept: the next `park` then returns at once. `park` may also return for no reason, so
/// its caller looks at its own state again.
package protocol Parker: AnyObject, Sendable {
  /// Sleeps until woken, or until `nanoseconds` have passed. Only one thread may park.
  func park(forNanoseconds: Int64?)
  /// Wakes the thread that is parked, or that parks next. From any thread.
  func unpark()
}

/// The parker that fits the system.
package func makeParker() -> any Parker {
  #if os(Linux)
    FutexParker()
  #else
    SemaphoreParker()
  #endif
}
