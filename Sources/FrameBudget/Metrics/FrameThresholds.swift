/// From where on a frame is more than a hitch, and who says so.
public enum FrameThresholds {
  /// A main thread that is busy for longer than this hangs (Apple, "Understanding hangs in your app").
  public static let hang = TimeSpan.milliseconds(250)
  /// Frames that take longer are frozen (Android vitals, "Slow rendering").
  public static let frozen = TimeSpan.milliseconds(700)
}
