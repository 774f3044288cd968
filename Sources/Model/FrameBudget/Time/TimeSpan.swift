/// A duration in whole nanoseconds; exact, so that results have the same bytes everywhere.
public struct TimeSpan: Hashable, Comparable, Sendable {
  /// The duration; may be negative.
  public var nanoseconds: Int64

  /// - Parameter nanoseconds: the duration; may be negative.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Zero.
  public static var zero: Self { Self(nanoseconds: 0) }

  /// A number of nanoseconds.
  public static func nanoseconds(_ count: Int64) -> Self { Self(nanoseconds: count) }
  /// A number of microseconds.
  public static func microseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1000) }
  /// A number of milliseconds.
  public static func milliseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000) }
  /// A number of seconds.
  public static func seconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000_000) }

  /// In microseconds, with fractions.
  public var inMicroseconds: Double { Double(nanoseconds) / 1e3 }
  /// In milliseconds, with fractions.
  public var inMilliseconds: Double { Double(nanoseconds) / 1e6 }
  /// In seconds, with fractions.
  public var inSeconds: Double { Double(nanoseconds) / 1e9 }

  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
  /// The sum; more than 292 years stop the process.
  public static func + (left: Self, right: Self) -> Self {
    Self(nanoseconds: left.nanoseconds + right.nanoseconds)
  }
  /// The difference; negative if `left` is shorter.
  public static func - (left: Self, right: Self) -> Self {
    Self(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
  /// The span multiplied by an integer.
  public static func * (left: Self, factor: Int) -> Self {
    Self(nanoseconds: left.nanoseconds * Int64(factor))
  }
  /// Adds a span.
  public static func += (left: inout Self, right: Self) { left = left + right }
  /// Subtracts a span.
  public static func -= (left: inout Self, right: Self) { left = left - right }

  /// The span multiplied by `factor`, rounded to the nearest nanosecond; at most 146 years.
  public func multiplied(by factor: Double) -> Self {
    guard factor != 1 else { return self }
    return Self(nanoseconds: Int64(min((Double(nanoseconds) * factor).rounded(), 0x1p62)))
  }

  /// The span divided by `speed`, rounded to the nearest nanosecond.
  public func divided(by speed: Double) -> Self {
    speed == 1 ? self : Self(nanoseconds: Int64((Double(nanoseconds) / speed).rounded()))
  }
}

extension TimeSpan: CustomStringConvertible {
  /// The span in the largest unit in which it is at least one, in the syntax of scenario files: `2.6 ms`.
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

/// A point on a run's clock, in nanoseconds since time 0, when measuring begins.
public struct Instant: Hashable, Comparable, Sendable {
  /// Since time 0; negative during the warm-up.
  public var nanoseconds: Int64

  /// - Parameter nanoseconds: since time 0.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Time 0, when measuring begins.
  public static var zero: Self { Self(nanoseconds: 0) }

  /// The time since time 0; negative before.
  public var sinceZero: TimeSpan { TimeSpan(nanoseconds: nanoseconds) }

  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
  /// The instant that is later by `span`.
  public static func + (left: Self, span: TimeSpan) -> Self {
    Self(nanoseconds: left.nanoseconds + span.nanoseconds)
  }
  /// The instant that is earlier by `span`.
  public static func - (left: Self, span: TimeSpan) -> Self {
    Self(nanoseconds: left.nanoseconds - span.nanoseconds)
  }
  /// The time from `right` to `left`.
  public static func - (left: Self, right: Self) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
}
