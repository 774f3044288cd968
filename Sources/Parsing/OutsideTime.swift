/// What times in files may be, in nanoseconds unless said otherwise: the one place that says it.
///
/// Readers ask before anything is sized by a time, so that what is added up behind them fits into 64 bits.
public enum OutsideTime {
  /// Instants on the clock of whoever wrote them: 73 years from 0. Differences of two of them fit into 64 bits.
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
  /// A minute: what lies between two events further apart is told.
  public static let longestGap: Int64 = 60_000_000_000
}
