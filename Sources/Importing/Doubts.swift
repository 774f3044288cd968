import Parsing

/// What makes a log less than it seems: counted while reading, said at the end.
struct Doubts: Sendable {
  private(set) var rows = 0
  private(set) var missing = 0
  private(set) var impossible = 0
  private(set) var firstImpossible: (line: Int, value: String)?
  /// Rows that say they were shown, for 0 ms.
  private(set) var zeros = 0
  private(set) var first: Int64?
  private(set) var last: Int64?
  private(set) var steppedBack = 0
  /// Rests of more than a minute that are in no frame's time.
  private(set) var gaps = LongGaps()

  /// Tools write rows of several threads a little out of order, never by this much.
  static let mostBackwards: Int64 = 1_000_000_000
  /// Frame times that cover less of the elapsed time are samples of it.
  static let leastCovered = 0.95

  mutating func row() { rows += 1 }
  mutating func missed() { missing += 1 }
  mutating func shownForNoTime() { zeros += 1 }

  /// Notes a value that cannot be, such as a frame of -1.8e15 ms.
  mutating func noteImpossible(_ value: String, line: Int) {
    impossible += 1
    if firstImpossible == nil { firstImpossible = (line, value) }
  }

  /// Notes a span in which no frame was wanted.
  mutating func rested(_ span: Int64) { gaps.add(span) }

  /// Notes when a row happened; false if that is long before the row above it.
  mutating func at(_ instant: Int64) -> Bool {
    defer { last = max(last ?? instant, instant) }
    if first == nil { first = instant }
    guard let last, instant < last else { return true }
    steppedBack += 1
    let (back, overflow) = last.subtractingReportingOverflow(instant)
    return !overflow && back <= Self.mostBackwards
  }

  /// Whether so many rows are older than one above them that they cannot be in the order of time.
  var areShuffled: Bool { steppedBack > 3 && steppedBack * 4 > rows }

  /// From the first row's instant to the last's, in nanoseconds.
  var elapsed: Int64? {
    guard let first, let last else { return nil }
    let (elapsed, overflow) = last.subtractingReportingOverflow(first)
    return overflow ? nil : elapsed
  }

  /// Whether spans of `sum` nanoseconds in all leave much of the elapsed time uncovered.
  func areSamples(sum: Int64) -> Bool {
    guard let elapsed, elapsed > 100_000_000 else { return false }
    return Double(sum) < Self.leastCovered * Double(elapsed)
  }

  /// Whether spans of `sum` nanoseconds in all, the longest of them `longest`, do not fit into the elapsed time.
  func isTooShort(for sum: Int64, longest: Int64) -> Bool {
    guard let elapsed else { return false }
    return Double(sum) > Double(elapsed) / Self.leastCovered + Double(longest)
  }
}
