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
