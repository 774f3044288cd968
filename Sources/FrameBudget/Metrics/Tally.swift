/// How often each value occurs, for samples with few different ones: the times of frames that all take as long.
package struct Tally: SpanSample {
  package private(set) var count = 0
  private(set) var values: [Int64] = []
  private(set) var counts: [Int] = []
  /// The place of the value that was added last: mostly it comes again.
  private var newest = 0

  package init() {}

  package var percentiles: Percentiles { Percentiles(self) }

  package var sum: Int64 { zip(values, counts).reduce(0) { $0 + $1.0 * Int64($1.1) } }

  package mutating func add(_ span: Int64) { add(span, times: 1) }

  package mutating func add(_ value: Int64, times: Int) {
    guard times > 0 else { return }
    count += times
    if newest < values.count && values[newest] == value {
      counts[newest] += times
      return
    }
    let place = values.partitioningIndex { $0 >= value }
    newest = place
    if place < values.count && values[place] == value {
      counts[place] += times
    } else {
      values.insert(value, at: place)
      counts.insert(times, at: place)
    }
  }

  /// The value at `rank`, from 0, in the order of size.
  func value(at rank: Int) -> Int64 {
    var above = 0
    for place in values.indices {
      above += counts[place]
      if rank < above { return values[place] }
    }
    preconditionFailure("a rank below the count")
  }

  package func fromLongest(_ body: (Int64, Int) -> Bool) {
    for (value, count) in zip(values, counts).reversed() where !body(value, count) { return }
  }
}
