internal import Dispatch
internal import SchedulableObjects

extension Array where Element: Sendable {
  /// What `transform` makes of each element, in their order; works on all of this machine's cores at once.
  func concurrentMap<Output: Sendable>(
    _ transform: @Sendable (Element) -> Output
  ) -> [Output] {
    let outputs = Locked<[Output?]>(.init(repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let output = transform(self[index])
      outputs.withLock { $0[index] = output }
    }
    return outputs.withLock { $0.compactMap(\.self) }
  }
}
