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

  /// One after the other, without looking for the group of each.
  public struct Iterator: IteratorProtocol {
    private let times: ArrivalTimes
    private var item = 0
    private var group = 0
    /// The first item that is not in the group.
    private var end = 0
    private var instant: Int64 = 0

    fileprivate init(_ times: ArrivalTimes) { self.times = times }

    public mutating func next() -> Int64? {
      if item == end {
        guard group < times.firsts.count else { return nil }
        instant = times.instants[group]
        group += 1
        end = group < times.firsts.count ? Int(times.firsts[group]) : times.endIndex
      }
      item += 1
      return instant
    }
  }

  public func makeIterator() -> Iterator { Iterator(self) }

  mutating func append(_ instant: Int64) {
    if instants.last != instant {
      firsts.append(Int32(endIndex))
      instants.append(instant)
    }
    endIndex += 1
  }
}
