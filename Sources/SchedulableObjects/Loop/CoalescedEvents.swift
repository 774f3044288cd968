/// Events with keys: of those with one key only the newest runs, in the place of the first that still waits.
final class CoalescedEvents: Sendable {
  private struct Waiting: @unchecked Sendable {
    // Sendable: the closure was sent to this table, which hands it to one thread: that which removes it.
    let body: () -> Void
  }

  // Keys are sent in with the event that they name.
  private let waiting = Locked<[Key: Waiting]>([:])

  struct Key: Hashable, @unchecked Sendable {
    // Sendable: made from a Sendable value only, see `init`.
    private let value: AnyHashable

    init(_ value: some Hashable & Sendable) { self.value = AnyHashable(value) }
  }

  /// Keeps the event under its key.
  ///
  /// - Returns: whether there was none, so that the key must be queued.
  func insert(_ body: sending @escaping () -> Void, key: Key) -> Bool {
    let new = Waiting(body: body)
    let old = waiting.withLock { waiting in
      waiting.updateValue(new, forKey: key)
    }
    // The old closure dies here, after the lock is free: what it captured may have a `deinit` that schedules.
    return old == nil
  }

  /// Takes the event that waits under this key.
  func remove(_ key: Key) -> (() -> Void)? {
    waiting.withLock { $0.removeValue(forKey: key) }?.body
  }
}
