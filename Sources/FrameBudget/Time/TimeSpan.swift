/// A length of time in whole nanoseconds; exact, so that results are the same bytes everywhere.
public struct TimeSpan: Hashable, Comparable, Sendable {
  /// Its length; may be negative.
  public var nanoseconds: Int64

  /// - Parameter nanoseconds: its length; may be negative.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// No time.
  public static var zero: Self { Self(nanoseconds: 0) }

  /// So many nanoseconds.
  public static func nanoseconds(_ count: Int64) -> Self { Self(nanoseconds: count) }
  /// So many microseconds.
  public static func microseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1000) }
  /// So many milliseconds.
  public static func milliseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000) }
  /// So many seconds.
  public static func seconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000_000) }

  /// Its length in microseconds, fractions included.
  public var inMicroseconds: Double { Double(nanoseconds) / 1e3 }
  /// Its length in milliseconds, fractions included.
  public var inMilliseconds: Double { Double(nanoseconds) / 1e6 }
  /// Its length in seconds, fractions included.
  public var inSeconds: Double { Double(nanoseconds) / 1e9 }

  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
  /// Both, one after the other; more than 292 years stop the process.
  public static func + (left: Self, right: Self) -> Self {
    Self(nanoseconds: left.nanoseconds + right.nanoseconds)
  }
  /// By how much `left` is longer; negative if it is shorter.
  public static func - (left: Self, right: Self) -> Self {
    Self(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
  /// So many times as long.
  public static func * (left: Self, factor: Int) -> Self {
    Self(nanoseconds: left.nanoseconds * Int64(factor))
  }
  /// Lengthens it.
  public static func += (left: inout Self, right: Self) { left = left + right }
  /// Shortens it.
  public static func -= (left: inout Self, right: Self) { left = left - right }

  /// So many times as long, rounded to the nearest nanosecond; at most 146 years.
  public func multiplied(by factor: Double) -> Self {
    guard factor != 1 else { return self }
    return Self(nanoseconds: Int64(min((Double(nanoseconds) * factor).rounded(), 0x1p62)))
  }

  /// This span at `speed` times the pace, rounded to the nearest nanosecond.
  public func divided(by speed: Double) -> Self {
    speed == 1 ? self : Self(nanoseconds: Int64((Double(nanoseconds) / speed).rounded()))
  }
}

extension TimeSpan: CustomStringConvertible {
  /// The span in its largest unit that keeps it at or above one, as a scenario file would say it: `2.6 ms`.
  public var description: String {
    let units: [(name: String, nanoseconds: UInt64, places: Int)] = [
      ("s", 1_000_000_000, 9), ("ms", 1_000_000, 6), ("us", 1000, 3),
    ]
    for unit in units where nanoseconds.magnitude >= unit.nanoseconds {
      return "\(Decimal.text(units: nanoseconds, places: unit.places)) \(unit.name)"
    }
    return nanoseconds == 0 ? "0 s" : "\(nanoseconds) ns"
  }
}

/// A point on a run's clock, in nanoseconds since time 0, which is when measuring begins.
public struct Instant: Hashable, Comparable, Sendable {
  /// Since time 0; negative during the warm-up.
  public var nanoseconds: Int64

  /// - Parameter nanoseconds: since time 0.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Time 0, where measuring begins.
  public static var zero: Self { Self(nanoseconds: 0) }

  /// How long after time 0 it is; negative before.
  public var sinceZero: TimeSpan { TimeSpan(nanoseconds: nanoseconds) }

  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
  /// So much later.
  public static func + (left: Self, span: TimeSpan) -> Self {
    Self(nanoseconds: left.nanoseconds + span.nanoseconds)
  }
  /// So much earlier.
  public static func - (left: Self, span: TimeSpan) -> Self {
    Self(nanoseconds: left.nanoseconds - span.nanoseconds)
  }
  /// How long it is from `right` to `left`.
  public static func - (left: Self, right: Self) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
}
