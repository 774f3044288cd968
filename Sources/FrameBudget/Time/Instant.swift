/// A point on a run's clock, in nanoseconds since time 0, which is when measuring begins.
public struct Instant: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64

  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static var zero: Self { Self(nanoseconds: 0) }

  public var sinceZero: TimeSpan { TimeSpan(nanoseconds: nanoseconds) }

  public static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }
  public static func + (left: Self, span: TimeSpan) -> Self {
    Self(nanoseconds: left.nanoseconds + span.nanoseconds)
  }
  public static func - (left: Self, span: TimeSpan) -> Self {
    Self(nanoseconds: left.nanoseconds - span.nanoseconds)
  }
  public static func - (left: Self, right: Self) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
}
