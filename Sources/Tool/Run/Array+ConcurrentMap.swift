internal import Concurrency
internal import Dispatch
internal import RealTime

extension Array where Element: Sendable {
  /// What `transform` makes of each element, in their order; works on all of this machine's cores at once,
  /// where there can be threads for that.
  func concurrentMap<Output: Sendable>(
    _ transform: @Sendable (Element) -> Output
  ) -> [Output] {
    // As many threads as cores, and one of Dispatch's own.
    guard count > 1, (try? ThreadSupply.require(HostFacts.usableCores + 1)) != nil else {
      return map(transform)
    }
    let outputs = Locked<[Output?]>(.init(repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let output = transform(self[index])
      outputs.withLock { $0[index] = output }
    }
    return outputs.withLock { $0.compactMap(\.self) }
  }
}
