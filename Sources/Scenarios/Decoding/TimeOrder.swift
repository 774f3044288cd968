import FrameBudget

/// Reads instants of which none may be before the one that was read before it.
struct TimeOrder {
  private let faults: Faults
  private var last = TimeSpan.zero

  init(_ faults: Faults) { self.faults = faults }

  mutating func instant(_ node: SourceNode?) -> TimeSpan? {
    guard let node, let span = ScalarReader.duration.value(of: node, faults) else { return nil }
    if span < last {
      faults.record("\(span) is before \(last); allowed are instants in order", at: node.origin)
    }
    last = max(last, span)
    return span
  }
}
