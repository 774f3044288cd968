/// What a rate is divided by: counts, or the time that the rate is about.
public enum Denominator: Sendable, CustomStringConvertible {
  /// Vsyncs at which a frame was wanted: of the run, and of any second of them.
  case wantedVsyncs, wantedSecond
  /// The time in which frames were wanted: an app that is idle misses nothing, and earns nothing by it.
  case wantedTime
  /// The run's duration.
  case run
  /// The longest display intervals, of which the time is a hundredth.
  case longestIntervals
  /// Those of which the time is a thousandth.
  case longestThousandth
  /// Frames that began.
  case frames
  /// Items that arrived.
  case items

  /// As formulas say it.
  public var description: String {
    switch self {
    case .wantedVsyncs: Metric.expectedFrames.name
    case .wantedSecond: "expected vsyncs in a row that last a second"
    case .wantedTime: "(D, or on demand T x \(Metric.expectedFrames.name))"
    case .run: "D"
    case .longestIntervals:
      "the display interval at which the longest ones make up 1 % of the time"
    case .longestThousandth:
      "the display interval at which the longest ones make up 0.1 % of the time"
    case .frames: "frames"
    case .items: "items that arrived"
    }
  }
}
