/// A number that the project prints: its one name, unit, formula and direction, and how it follows from a run.
public struct Metric: Sendable {
  /// As columns and expectations name it.
  public let name: String
  /// What its values are counted in.
  public let unit: Unit
  /// How it is computed, in a line.
  public let formula: String
  /// What it is divided by, if it is a rate.
  public let denominator: Denominator?
  /// Which of its values are the good ones.
  public let direction: Direction
  /// Where somebody has published them.
  public let bands: Bands?
  /// Whether it may be below zero, as what is left until a deadline: a share of it says nothing.
  public let isSigned: Bool
  private let source: Source

  /// What values are counted in.
  public enum Unit: String, Sendable {
    /// A number or a word; how many; a share; times.
    case none = "", count, percent = "%", milliseconds = "ms", microseconds = "µs"
    /// Time per second; vsyncs; images per second.
    case millisecondsPerSecond = "ms/s", vsyncs, framesPerSecond = "frames/s"
    /// Items per second.
    case itemsPerSecond = "items/s"
  }

  /// Which values of a metric are the good ones.
  public enum Direction: Sendable {
    /// Of costs and faults; of what was shown and done.
    case lowerIsBetter, higherIsBetter
  }

  /// What it follows from.
  enum Source: Sendable {
    case run(@Sendable (RunMetrics) -> MetricValue?)
    /// The same of a run and of a recorded log that knows enough.
    case frames(FrameKnowledge, @Sendable (FrameMetrics) -> MetricValue?)
    /// The same for all of a run and, in a file of its own, for each workload.
    case items(@Sendable (ItemMetrics) -> MetricValue?)
  }

  init(
    _ name: String, _ unit: Unit, _ formula: String, over denominator: Denominator? = nil,
    _ direction: Direction = .lowerIsBetter, bands: Bands? = nil, isSigned: Bool = false,
    of source: Source
  ) {
    self.name = name
    self.unit = unit
    self.formula = denominator.map { "\(formula) / \($0)" } ?? formula
    self.denominator = denominator
    self.direction = direction
    self.bands = bands
    self.isSigned = isSigned
    self.source = source
  }

  init(
    _ name: String, _ unit: Unit, _ formula: String, over denominator: Denominator? = nil,
    _ direction: Direction = .lowerIsBetter, bands: Bands? = nil, isSigned: Bool = false,
    needs: FrameKnowledge, _ value: @escaping @Sendable (FrameMetrics) -> MetricValue?
  ) {
    self.init(
      name, unit, formula, over: denominator, direction, bands: bands, isSigned: isSigned,
      of: .frames(needs, value))
  }

  /// The value for a run; nil where it does not apply.
  public func value(_ run: RunMetrics) -> MetricValue? {
    switch source {
    case .run(let value): value(run)
    case .frames(_, let value): value(run.frames)
    case .items(let value): value(run.items)
    }
  }

  /// The value for frames; nil where it does not apply to them alone.
  public func value(_ frames: FrameMetrics) -> MetricValue? {
    if case .frames(_, let value) = source { value(frames) } else { nil }
  }

  /// The value for the items of a workload; nil where it does not apply to them alone.
  public func value(_ items: ItemMetrics) -> MetricValue? {
    if case .items(let value) = source { value(items) } else { nil }
  }

  /// What a source must know of its frames to have it; nil unless it is of frames alone.
  public var needs: FrameKnowledge? {
    if case .frames(let needs, _) = source { needs } else { nil }
  }

  /// Whether it applies to the items of one workload as well.
  public var isOfItems: Bool {
    if case .items = source { true } else { false }
  }

  /// The name of the column that says whether `metric` is a lower bound.
  public static func bound(of metric: String) -> String { "\(metric)_is_bound" }
}
