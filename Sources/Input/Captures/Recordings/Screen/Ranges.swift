internal import FrameBudget

extension Range<Int64> {
  /// The parts of the range outside of `others`, which are in order.
  package func without(_ others: [Range<Int64>]) -> [Range<Int64>] {
    var left: [Range<Int64>] = []
    var from = lowerBound
    for other in others[others.partitioningIndex(where: { $0.upperBound > lowerBound })...] {
      guard other.lowerBound < upperBound else { break }
      if other.lowerBound > from { left.append(from..<other.lowerBound) }
      from = Swift.max(from, other.upperBound)
    }
    if from < upperBound { left.append(from..<upperBound) }
    return left
  }
}

extension [Range<Int64>] {
  /// The same instants in ranges that are in order and do not overlap.
  package var joined: Self {
    sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
  }
}
