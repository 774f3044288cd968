/// A value that one thread at a time may access, under a lock of a chosen kind.
final class Guarded<Value: Sendable>: Sendable {
  private let lock: any ShortLock
  // Proof: accessed only in `withLock`, so by the one thread that holds the lock.
  private nonisolated(unsafe) var value: Value

  init(_ value: Value, by kind: LockKind) {
    unsafe self.value = value
    lock = kind.makeLock()
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return unsafe body(&value)
  }
}
