import Concurrency

/// A value that is known only after those who will ask for it have been made.
final class Late<Value: Sendable>: Sendable {
  private let content = Locked<Value?>(nil)

  var value: Value? {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
