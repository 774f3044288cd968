import SchedulableThreads

/// A value that becomes known only after its users have been created.
final class Late<Value: Sendable>: Sendable {
  private let content = Locked<Value?>(nil)

  var value: Value? {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
