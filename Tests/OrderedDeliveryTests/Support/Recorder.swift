import Concurrency

/// Collects values from any thread, in the order they came.
final class Recorder<Value: Sendable>: Sendable {
  private let values = Locked<[Value]>([])

  var all: [Value] { values.withLock { $0 } }
  var count: Int { values.withLock { $0.count } }

  func add(_ value: Value) { values.withLock { $0.append(value) } }
}
