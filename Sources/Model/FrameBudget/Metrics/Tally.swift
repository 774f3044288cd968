/// The number of occurrences of each value, for samples with few different ones, such as the times of similar frames.
package struct Tally: SpanSample {
  package private(set) var count = 0
  private(set) var values: [Int64] = []
  private(set) var counts: [Int] = []
  /// The position of the value that was added last; the next one is often the same.
  private var newest = 0

  package init() {}

  package var percentiles: Percentiles { Percentiles(self) }

  package var sum: Int64 { zip(values, counts).reduce(0) { $0 + $1.0 * Int64($1.1) } }

  package mutating func add(_ span: Int64) { add(span, times: 1) }

  package mutating func add(_ value: Int64, times: Int) {
    guard times > 0 else { return }
    count += times
    if isNewest(value) || isBesideNewest(value) {
      counts[newest] += times
      return
    }
    let index = values.partitioningIndex { $0 >= value }
    newest = index
    if index < values.count && values[index] == value {
      counts[index] += times
    } else {
      values.insert(value, at: index)
      counts.insert(times, at: index)
    }
  }

  private func isNewest(_ value: Int64) -> Bool {
    newest < values.count && values[newest] == value
  }

  /// Whether `value` is next to the newest one, which it then becomes. Vsyncs are rounded to nanoseconds, so periods alternate.
  private mutating func isBesideNewest(_ value: Int64) -> Bool {
    guard newest < values.count else { return false }
    let other = value > values[newest] ? newest + 1 : newest - 1
    guard other >= 0, other < values.count, values[other] == value else { return false }
    newest = other
    return true
  }

  /// The value at `rank`, from 0, in ascending order.
  func value(at rank: Int) -> Int64 {
    var above = 0
    for index in values.indices {
      above += counts[index]
      if rank < above { return values[index] }
    }
    preconditionFailure("a rank below the count")
  }

  package func fromLongest(_ body: (Int64, Int) -> Bool) {
    for (value, count) in zip(values, counts).reversed() where !body(value, count) { return }
  }
}

/// A multiset of time spans in nanoseconds, without their order. A span from a deadline may be negative.
///
/// Measurements of runs are exact (`Tally`); logs of gigabytes need bounded memory (`Distribution`).
public protocol SpanSample: Sendable {
  /// An empty sample.
  init()
  /// The number of spans.
  var count: Int { get }
  /// The sum of all spans.
  var sum: Int64 { get }
  /// Adds a span, in nanoseconds.
  mutating func add(_ span: Int64)
  /// Adds a span `times` times.
  mutating func add(_ span: Int64, times: Int)
  /// Calls `body` with each span and its number of occurrences, from the longest down, until it returns false.
  func fromLongest(_ body: (Int64, Int) -> Bool)
  /// The percentiles of the sample.
  var percentiles: Percentiles { get }
}

extension SpanSample {
  public mutating func add(_ span: Int64, times: Int) {
    for _ in 0..<times { add(span) }
  }

  /// The span at which the longest ones make up 1 % of the total; nil for an empty sample.
  public var longestHundredth: Int64? { longest(partOf: 100) }

  /// The span at which the longest ones make up one of `parts` parts of the total; nil for an empty sample.
  public func longest(partOf parts: Double) -> Int64? {
    let total = Double(sum)
    var longest = 0.0
    var result: Int64?
    fromLongest { span, count in
      longest += Double(span) * Double(count)
      result = span
      return longest * parts < total
    }
    return result
  }
}
