internal import Synchronization

/// A value that is computed at the first request, by whichever thread comes first.
final class OnDemand<Value: Sendable>: Sendable {
  private let compute: @Sendable () -> Value
  private let found = Mutex<Value?>(nil)

  init(_ compute: @escaping @Sendable () -> Value) { self.compute = compute }

  var value: Value {
    found.withLock { found in
      if let found { return found }
      let value = compute()
      found = value
      return value
    }
  }
}
