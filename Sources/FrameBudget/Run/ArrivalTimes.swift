/// When each item arrived, in nanoseconds. Items that arrive together, as batches do, share an entry.
public struct ArrivalTimes: RandomAccessCollection, Sendable {
  /// By group of items that arrived together: the first of them.
  private var firsts: [Int32] = []
  private var instants: [Int64] = []
  public private(set) var endIndex = 0

  init() {}

  public var startIndex: Int { 0 }

  public subscript(item: Int) -> Int64 {
    precondition(indices.contains(item), "an item that has arrived")
    var (low, high) = (0, firsts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if firsts[middle] <= item { low = middle } else { high = middle }
    }
    return instants[low]
  }

  mutating func append(_ instant: Int64) {
    if instants.last != instant {
      firsts.append(Int32(endIndex))
      instants.append(instant)
    }
    endIndex += 1
  }
}
