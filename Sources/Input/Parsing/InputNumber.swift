package import FrameBudget

/// The valid range of numbers in files except times, and the only place that parses them.
///
/// A number has only digits, a sign, a point and an exponent: `nan`, `inf` and hexadecimal numbers are invalid.
public enum InputNumber {
  /// A limit far above all numbers of runs: a day has 8.64e13 nanoseconds. Sums and squares of such numbers are finite.
  public static let greatest = 1e15
  /// The range of counts. The sum over the largest file fits into 64 bits.
  public static let counts: ClosedRange<Int> = 0...1 << 40

  /// The finite number in `text`; nil if it is not one.
  @_specialize(where Text == String)
  @_specialize(where Text == Substring)
  public static func decimal<Text: StringProtocol>(_ text: Text) -> Double? {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        continue
      default: return nil
      }
    }
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// The finite number in `text`, in UTF-8; nil if it is not one.
  public static func decimal(_ text: Span<UInt8>) -> Double? {
    if let number = short(text) { return number }
    return decimal(String(decoding: text.indices.map { text[$0] }, as: UTF8.self))
  }

  /// The number in `text` if it is written with at most 15 digits and no exponent: then the digits and the power of ten are exact
  /// as floating-point numbers, and the rounding of their quotient is that of the number. Nil for any other text.
  private static func short(_ text: Span<UInt8>) -> Double? {
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    guard (1...16).contains(text.count - first) else { return nil }
    var (digits, decimals, count): (Int64, Int, Int) = (0, -1, 0)
    for index in first..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit <= 9 {
        digits = digits &* 10 &+ Int64(digit)
        count += 1
        if decimals >= 0 { decimals += 1 }
      } else if text[index] == UInt8(ascii: "."), decimals < 0, count > 0 {
        decimals = 0
      } else {
        return nil
      }
    }
    guard (1...15).contains(count), decimals != 0 else { return nil }
    let magnitude = Double(digits) / (decimals > 0 ? powersOfTen[decimals] : 1)
    return isNegative ? -magnitude : magnitude
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// Like `decimal`, with a magnitude below `greatest`.
  public static func real(_ text: some StringProtocol) -> Double? {
    decimal(text).flatMap { $0.magnitude < greatest ? $0 : nil }
  }

  /// The seed of random numbers in `text`, any number of 64 bits; nil if it is not one.
  public static func seed(_ text: some StringProtocol) -> UInt64? { UInt64(text) }

  /// The integer in `text`, which must be within `range`; nil if it is not.
  public static func whole(
    _ text: some StringProtocol, in range: ClosedRange<Int> = counts
  ) -> Int? {
    Int(text).flatMap { range.contains($0) ? $0 : nil }
  }
}

/// The valid ranges of times in files, in nanoseconds unless stated otherwise. They are defined only here.
///
/// Readers check a time before they allocate by it, so that later sums fit into 64 bits.
public enum InputTime {
  /// Instants on the clock of the file's producer: 73 years from 0. Differences of two of them fit into 64 bits.
  public static let instants: ClosedRange<Int64> = -(1 << 61)...1 << 61
  /// Instants of a run since its start. Its last frame may end long after the run, at most 13 days.
  public static let runInstants: ClosedRange<Int64> = 0...1 << 50
  /// Durations of runs and recordings, and of their parts: a day.
  public static let spans: ClosedRange<Int64> = 0...86_400_000_000_000
  /// Such a duration in milliseconds, as `TimeSpan.inCell`; nil for another text.
  package static func span(inCell text: String) -> TimeSpan? {
    Decimal.units(text, places: 6).flatMap { spans.contains($0) ? TimeSpan(nanoseconds: $0) : nil }
  }
  /// Durations of a frame: an hour.
  public static let frames: ClosedRange<Int64> = 0...3_600_000_000_000
  /// Whether two instants of a frame differ by at most that, in either direction.
  public static func isWithinFrame(_ difference: Int64) -> Bool {
    difference.magnitude <= frames.upperBound.magnitude
  }
  /// Values that are summed over all frames of a file: two hours each.
  public static let addends: ClosedRange<Int64> = 0...1 << 43
  /// Numbers of vsyncs of a run: those of a day at 1000 Hz, and the next one.
  public static let vsyncs: ClosedRange<Int64> = 0...86_400_001
  /// A minute: longer gaps between two events are reported.
  public static let longestGap: Int64 = 60_000_000_000
}

/// Gaps of more than a minute in a file between two events or frames: a pause, or an invalid number.
public struct LongGaps: Hashable, Sendable {
  public private(set) var count = 0
  /// In nanoseconds.
  public private(set) var longest: Int64 = 0

  public init() {}

  /// Counts `times` gaps of `span` nanoseconds, if they are long.
  public mutating func add(_ span: Int64, times: Int = 1) {
    guard span > InputTime.longestGap else { return }
    count += times
    longest = max(longest, span)
  }

  public static func += (left: inout Self, right: Self) {
    left.count += right.count
    left.longest = max(left.longest, right.longest)
  }

  /// A one-line warning about the gaps; nil if there are none.
  public var note: String? {
    guard count > 0 else { return nil }
    let seconds = Decimal.text(Double(longest) / 1e9, places: 1)
    return
      "\(count) \(count == 1 ? "gap" : "gaps") of more than a minute, the longest of \(seconds) s"
  }
}
