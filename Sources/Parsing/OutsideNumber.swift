internal import FrameBudget

/// What numbers in files may be that are no times: the one place that reads them from text.
///
/// Only digits with a sign, a point and an exponent are a number: no `nan`, no `inf`, and nothing in base 16.
public enum OutsideNumber {
  /// No number of a run comes near: a day has 8.64e13 nanoseconds. Sums and squares of such numbers are finite.
  public static let greatest = 1e15
  /// What is counted. The sum of as many as a file may have fits into 64 bits.
  public static let counts: ClosedRange<Int> = 0...1 << 40

  /// The finite number that `text` is; nil if it is none.
  public static func decimal(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), let number = Double(text),
      number.isFinite
    else { return nil }
    return number
  }

  /// The same below `greatest`, in either direction.
  public static func real(_ text: some StringProtocol) -> Double? {
    decimal(text).flatMap { $0.magnitude < greatest ? $0 : nil }
  }

  /// The seed of random numbers that `text` is, which may be any number of 64 bits; nil if it is none.
  public static func seed(_ text: some StringProtocol) -> UInt64? { UInt64(text) }

  /// The whole number in `range` that `text` is; nil if it is none.
  public static func whole(
    _ text: some StringProtocol, in range: ClosedRange<Int> = counts
  ) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }
}

/// What times in files may be, in nanoseconds unless said otherwise: the one place that says it.
///
/// Readers ask before anything is sized by a time, so that what is added up behind them fits into 64 bits.
public enum OutsideTime {
  /// Instants on the clock of the file's author: 73 years from 0. Differences of two of them fit into 64 bits.
  public static let instants: ClosedRange<Int64> = -(1 << 61)...1 << 61
  /// Instants of a run, since its begin: its last frame may end long behind it, at most 13 days.
  public static let runInstants: ClosedRange<Int64> = 0...1 << 50
  /// Durations of runs, recordings, and what is within them: a day.
  public static let spans: ClosedRange<Int64> = 0...86_400_000_000_000
  /// How long a frame takes: an hour.
  public static let frames: ClosedRange<Int64> = 0...3_600_000_000_000
  /// Whether a difference of two instants of a frame is no longer than that, in either direction.
  public static func isWithinFrame(_ difference: Int64) -> Bool {
    difference.magnitude <= frames.upperBound.magnitude
  }
  /// What is added up over as many frames as a file may have: two hours of each.
  public static let addends: ClosedRange<Int64> = 0...1 << 43
  /// Numbers of vsyncs of a run: those of a day at 1000 Hz, and the one behind the last.
  public static let vsyncs: ClosedRange<Int64> = 0...86_400_001
  /// A minute: longer gaps between two events are reported.
  public static let longestGap: Int64 = 60_000_000_000
}

/// Gaps of more than a minute in a file, between two events or frames: a pause, or a broken number.
public struct LongGaps: Hashable, Sendable {
  public private(set) var count = 0
  /// In nanoseconds.
  public private(set) var longest: Int64 = 0

  public init() {}

  /// Counts a gap of `span` nanoseconds that occurs that many times; shorter ones do not count.
  public mutating func add(_ span: Int64, times: Int = 1) {
    guard span > OutsideTime.longestGap else { return }
    count += times
    longest = max(longest, span)
  }

  public static func += (left: inout Self, right: Self) {
    left.count += right.count
    left.longest = max(left.longest, right.longest)
  }

  /// A warning about them in a line; nil if there are none.
  public var note: String? {
    guard count > 0 else { return nil }
    let seconds = Decimal.text(Double(longest) / 1e9, places: 1)
    return
      "\(count) \(count == 1 ? "gap" : "gaps") of more than a minute, the longest of \(seconds) s"
  }
}
