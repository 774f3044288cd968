internal import FrameBudget

/// Gaps of more than a minute in a file, between two events or frames: a pause, or a broken number.
public struct LongGaps: Hashable, Sendable {
  public private(set) var count = 0
  /// In nanoseconds.
  public private(set) var longest: Int64 = 0

  public init() {}

  /// Counts a gap of `span` nanoseconds that occurs so many times; shorter ones do not count.
  public mutating func add(_ span: Int64, times: Int = 1) {
    guard span > OutsideTime.longestGap else { return }
    count += times
    longest = max(longest, span)
  }

  public static func += (left: inout Self, right: Self) {
    left.count += right.count
    left.longest = max(left.longest, right.longest)
  }

  /// What is told of them, in a line; nil where there are none.
  public var note: String? {
    guard count > 0 else { return nil }
    let seconds = Decimal.text(Double(longest) / 1e9, places: 1)
    return
      "\(count) \(count == 1 ? "gap" : "gaps") of more than a minute, the longest of \(seconds) s"
  }
}
