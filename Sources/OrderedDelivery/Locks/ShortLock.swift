/// A lock that is held for a few instructions.
protocol ShortLock: Sendable {
  func lock()
  /// Only from the thread that holds the lock.
  func unlock()
}
