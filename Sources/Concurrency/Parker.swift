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
