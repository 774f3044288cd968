/// Spans of time, in nanoseconds, of which only is kept how often each came. A span from a deadline may be below zero.
///
/// What a run measures is kept exactly (`Tally`), a log of gigabytes in bounded memory (`Distribution`).
public protocol SpanSample: Sendable {
  /// An empty sample.
  init()
  /// How many there are.
  var count: Int { get }
  /// All of them together.
  var sum: Int64 { get }
  /// Adds a span, in nanoseconds.
  mutating func add(_ span: Int64)
  /// Adds a span as often as it came.
  mutating func add(_ span: Int64, times: Int)
  /// Calls `body` with each span and how often it occurs, from the longest down, until it returns false.
  func fromLongest(_ body: (Int64, Int) -> Bool)
  /// To ask for percentiles.
  var percentiles: Percentiles { get }
}

extension SpanSample {
  public mutating func add(_ span: Int64, times: Int) {
    for _ in 0..<times { add(span) }
  }

  /// The span at which the longest ones make up 1 % of the whole time; nil for an empty sample.
  public var longestHundredth: Int64? { longest(partOf: 100) }

  /// The span at which the longest ones make up one of `parts` parts of the whole time; nil for an empty sample.
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
