/// A metric of frames: the same of a run and of a recorded log that knows enough.
public struct FrameMetric: Sendable {
  /// As columns and expectations name it.
  public let name: String
  /// What its values are counted in.
  public let unit: Metric.Unit
  /// How it is computed, in a line.
  public let formula: String
  /// What a source must know of its frames to have it.
  public let needs: FrameKnowledge
  /// Its value; nil where it has none.
  public let value: @Sendable (FrameMetrics) -> MetricValue?

  var overAll: Metric {
    Metric(name: name, unit: unit, formula: formula) { [value] in value($0.frames) }
  }
}

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
}
