/// From where on a frame is more than a hitch, and who says so.
public enum FrameThresholds {
  /// A main thread that is busy for longer than this hangs (Apple, "Understanding hangs in your app").
  public static let hang = TimeSpan.milliseconds(250)
  /// Up to this Instruments calls a hang a microhang (Apple, "Analyze hangs with Instruments", WWDC23).
  public static let microhang = TimeSpan.milliseconds(500)
  /// Beyond this Instruments calls a hang severe.
  public static let severeHang = TimeSpan.seconds(2)
  /// Frames that take longer are frozen (Android vitals, "Slow rendering").
  public static let frozen = TimeSpan.milliseconds(700)
  /// Frames of more than this many periods are jank (AndroidX JankStats 1.0, `jankHeuristicMultiplier`).
  public static let jankPeriods = 2
  /// A frame may be built, or rasterized, for this long at any refresh rate (Flutter 3, `kBuildBudget`).
  public static let flutterBudget = TimeSpan.milliseconds(16)
  /// Tasks of the main thread that take longer are long, and what they take beyond it blocks (W3C, "Long Tasks API").
  public static let longTask = TimeSpan.milliseconds(50)
}
