#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A time on the calendar clock, which also runs between runs of the app, in milliseconds since 1970.
public struct JobTime: Hashable, Comparable, Codable, Sendable {
  /// Milliseconds since 1970-01-01 00:00 UTC.
  public let milliseconds: Int64

  /// - Parameter milliseconds: milliseconds since 1970-01-01 00:00 UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

  /// Adds a duration, clamped to the range of 64 bits; a fraction of a millisecond is rounded up.
  public static func + (time: Self, span: Duration) -> Self {
    let (seconds, attoseconds) = span.components
    let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, tooLarge) = time.milliseconds.addingReportingOverflow(whole &+ fraction)
    if overflow || tooLarge { return JobTime(milliseconds: seconds < 0 ? .min : .max) }
    return JobTime(milliseconds: sum)
  }

  /// The duration from `right` to `left`.
  public static func - (left: Self, right: Self) -> Duration {
    .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
  }
}

extension JobTime {
  /// The current time of the system's calendar clock.
  public static var now: JobTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return JobTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
