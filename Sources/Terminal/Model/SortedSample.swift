internal import FrameBudget

/// Values in order of size, to be asked for percentiles several times a second while they become more.
struct SortedSample: Sendable {
  private var sorted: [Int64] = []

  mutating func insert(_ value: Int64) {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] <= value { low = middle + 1 } else { high = middle }
    }
    sorted.insert(value, at: low)
  }

  var percentiles: Percentiles { Percentiles(sorted: sorted) }

  /// As how long it took what has ended, beside what is still open.
  func waits(open: [TimeSpan]) -> Waits { Waits(ended: sorted, open: open) }
}
