/// From where on a frame is more than a hitch, and who says so.
public enum FrameThresholds {
  /// A main thread that is busy for longer than this hangs (Apple, "Understanding hangs in your app").
  public static let hang = TimeSpan.milliseconds(250)
  /// Frames that take longer are frozen (Android vitals, "Slow rendering").
  public static let frozen = TimeSpan.milliseconds(700)
  /// Hitch time in milliseconds per second while scrolling: from here on a user notices it (Apple, "Explore UI
  /// animation hitches and the render loop", WWDC20).
  public static let fairHitches = 5.0
  /// From here on it is poor, by the same source.
  public static let poorHitches = 10.0
}

/// Apple's bands of the hitch ratio while scrolling.
public enum HitchBand: String, Sendable {
  /// Hardly noticed; noticed; disturbing.
  case good, fair, poor

  /// The band of a ratio in milliseconds per second.
  public init(_ ratio: Double) {
    self =
      ratio < FrameThresholds.fairHitches
      ? .good : ratio < FrameThresholds.poorHitches ? .fair : .poor
  }
}
