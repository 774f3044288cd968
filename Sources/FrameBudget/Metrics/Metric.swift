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
  /// Published ones, if there are any.
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

/// A value as in a file.
public enum MetricValue: Hashable, Sendable, CustomStringConvertible {
  /// A word.
  case text(String)
  /// How many.
  case count(Int)
  /// A number, in the metric's unit.
  case real(Double)

  /// The value as a number; nil for a word.
  public var number: Double? {
    switch self {
    case .text: nil
    case .count(let count): Double(count)
    case .real(let value): value
    }
  }

  /// Whole numbers as they are, others with at most six decimals: nanoseconds in milliseconds, exactly.
  public var description: String {
    switch self {
    case .text(let text): text
    case .count(let count): String(count)
    case .real(let value): Decimal.text(value, places: 6)
    }
  }
}

/// A number that was observed; or, where what it measures had not ended, a number that it is at least.
public struct Observation: Hashable, Sendable {
  /// In the metric's unit.
  public let value: Double
  /// Whether `value` is a lower bound.
  public let isBound: Bool

  /// - Parameters:
  ///   - value: in the metric's unit.
  ///   - isBound: whether it is at least that.
  public init(_ value: Double, isBound: Bool = false) {
    self.value = value
    self.isBound = isBound
  }

  /// The median; nil of nothing. Bounds rank above all that is known, and a median on which one of them has a part
  /// is itself a bound: what it would be if each were as small as it can be.
  public static func median(_ observations: [Observation]) -> Observation? {
    guard observations.count > 1 else { return observations.first }
    let (low, high) = ((observations.count - 1) / 2, observations.count / 2)
    let known = observations.filter { !$0.isBound }.map(\.value).sorted()
    let isBound = high >= known.count
    let values = isBound ? observations.map(\.value).sorted() : known
    return Observation((values[low] + values[high]) / 2, isBound: isBound)
  }
}

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

/// Which values of a metric are good, fair or poor.
public struct Bands: Hashable, Sendable {
  /// From here on a value is fair.
  public let fair: Double
  /// From here on it is poor; where that is `fair`, no value is fair.
  public let poor: Double
  /// Whether both limits are still of the better band.
  public let includesLimits: Bool

  private init(fair: Double, poor: Double, includesLimits: Bool = false) {
    (self.fair, self.poor, self.includesLimits) = (fair, poor, includesLimits)
  }

  /// Hitch time in milliseconds per second while scrolling: from 5 on a user notices it, from 10 on it is poor (Apple,
  /// "Explore UI animation hitches and the render loop", WWDC20).
  public static let hitches = Bands(fair: 5, poor: 10)
  /// Time past a deadline: above zero the frame is late (AndroidX Macrobenchmark, `FrameTimingMetric`).
  public static let deadline = Bands(fair: 0, poor: 0, includesLimits: true)
  /// Interaction to Next Paint in milliseconds: above 200 it needs improvement, above 500 it is poor (web-vitals 5,
  /// `INPThresholds`).
  public static let inp = Bands(fair: 200, poor: 500, includesLimits: true)

  /// What `value`, in the metric's unit, is.
  public func band(of value: Double) -> Band {
    func isBetter(than limit: Double) -> Bool { includesLimits ? value <= limit : value < limit }
    return isBetter(than: fair) ? .good : isBetter(than: poor) ? .fair : .poor
  }
}

extension Bands: CustomStringConvertible {
  /// `good below 5, fair below 10, else poor`
  public var description: String {
    let word = includesLimits ? "up to" : "below"
    let names = fair == poor ? [("good", fair)] : [("good", fair), ("fair", poor)]
    let limits = names.map { "\($0) \(word) \(Decimal.text($1, places: 2))" }
    return limits.joined(separator: ", ") + ", else poor"
  }
}

/// What a value is by its metric's bands.
public enum Band: String, Sendable {
  /// Hardly noticed; noticed; disturbing.
  case good, fair, poor
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
