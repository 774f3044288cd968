internal import Synchronization

/// A value that is computed at the first request. If several threads come first, each computes it, and all get the same.
final class OnDemand<Value: Sendable>: Sendable {
  private final class Found: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private let compute: @Sendable () -> Value
  private let found = AtomicLazyReference<Found>()

  init(_ compute: @escaping @Sendable () -> Value) { self.compute = compute }

  var value: Value { (found.load() ?? found.storeIfNil(Found(compute()))).value }
}
