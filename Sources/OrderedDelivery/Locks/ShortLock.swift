/// A lock for a few instructions at a time.
protocol ShortLock: Sendable {
  func lock()
  /// Only from the thread that holds it.
  func unlock()
}
