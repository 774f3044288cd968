/// What is known of frames; a run knows all of it, a log of another tool some.
public struct FrameKnowledge: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// How long frames took.
  public static let times = Self(rawValue: 1)
  /// When images were shown, and over how long.
  public static let screen = Self(rawValue: 2)
  /// At which vsyncs nothing new was shown.
  public static let vsyncs = Self(rawValue: 4)
  /// The display's refresh rate, one for all of it.
  public static let rate = Self(rawValue: 8)
  /// Why vsyncs were missed.
  public static let causes = Self(rawValue: 16)
  /// By when each frame was to be shown, and for how long it was under way.
  public static let pipeline = Self(rawValue: 32)
  /// By when each frame was to be ready, and when it was.
  public static let deadlines = Self(rawValue: 64)
  /// How long frames took on the main thread and behind it.
  public static let stages = Self(rawValue: 128)
  /// How long each task of the main thread took.
  public static let tasks = Self(rawValue: 256)
  /// Which moment each image shows.
  public static let contents = Self(rawValue: 512)
}
