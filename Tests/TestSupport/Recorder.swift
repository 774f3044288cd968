internal import SchedulableThreads

/// Collects values from any thread, in the order they came.
package final class Recorder<Value: Sendable>: Sendable {
  private let values = Locked<[Value]>([])

  package init() {}

  package var all: [Value] { values.withLock { $0 } }
  package var count: Int { values.withLock { $0.count } }

  package func add(_ value: Value) { values.withLock { $0.append(value) } }
}

extension Recorder where Value: Equatable {
  package func count(of value: Value) -> Int { all.count { $0 == value } }
}
