/// A number that the project prints: its name, unit, formula and direction, and its computation from a run.
///
/// A class, because every row of results goes through a hundred of them. It never changes.
public final class Metric: Sendable {
  /// The name in columns and expectations.
  public let name: String
  /// The unit of its values.
  public let unit: Unit
  /// The formula, in one line.
  public let formula: String
  /// The denominator, if it is a rate.
  public let denominator: Denominator?
  /// The direction of good values.
  public let direction: Direction
  /// Published bands, if there are any.
  public let bands: Bands?
  /// Whether it may be negative, like the time left until a deadline; then a share of it has no meaning.
  public let isSigned: Bool
  private let source: Source

  /// The unit of values.
  public enum Unit: String, Sendable {
    /// A number or a word; counts; shares; times.
    case none = "", count, percent = "%", milliseconds = "ms", microseconds = "µs"
    /// Time per second; vsyncs; images per second.
    case millisecondsPerSecond = "ms/s", vsyncs, framesPerSecond = "frames/s"
    /// Items per second.
    case itemsPerSecond = "items/s"
  }

  /// The direction of good values.
  public enum Direction: Sendable {
    /// For costs and faults; for images and finished work.
    case lowerIsBetter, higherIsBetter
  }

  /// The data from which it is computed.
  enum Source: Sendable {
    case run(@Sendable (RunMetrics) -> MetricValue?)
    /// For a run, and for a recorded log with sufficient data.
    case frames(FrameKnowledge, @Sendable (FrameMetrics) -> MetricValue?)
    /// For a whole run and, in a separate file, for each workload.
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

  convenience init(
    _ name: String, _ unit: Unit, _ formula: String, over denominator: Denominator? = nil,
    _ direction: Direction = .lowerIsBetter, bands: Bands? = nil, isSigned: Bool = false,
    needs: FrameKnowledge, _ value: @escaping @Sendable (FrameMetrics) -> MetricValue?
  ) {
    self.init(
      name, unit, formula, over: denominator, direction, bands: bands, isSigned: isSigned,
      of: .frames(needs, value))
  }

  /// The value for a run; nil if it does not apply.
  public func value(_ run: RunMetrics) -> MetricValue? {
    switch source {
    case .run(let value): value(run)
    case .frames(_, let value): value(run.frames)
    case .items(let value): value(run.items)
    }
  }

  /// The value for frames; nil if it needs more than frames.
  public func value(_ frames: FrameMetrics) -> MetricValue? {
    if case .frames(_, let value) = source { value(frames) } else { nil }
  }

  /// The value for the items of a workload; nil if it needs more than items.
  public func value(_ items: ItemMetrics) -> MetricValue? {
    if case .items(let value) = source { value(items) } else { nil }
  }

  /// The data about frames that it needs; nil if it needs more than frames.
  public var needs: FrameKnowledge? {
    if case .frames(let needs, _) = source { needs } else { nil }
  }

  /// Whether it also applies to the items of one workload.
  public var isOfItems: Bool {
    if case .items = source { true } else { false }
  }

  /// Whether a longer run has more of it: a count, a sum over the run, or its worst moment. Such figures are comparable only
  /// between runs of the same length.
  package var growsWithRun: Bool {
    denominator == nil && (unit == .count || unit == .vsyncs) || Self.ofWholeRuns.contains(name)
  }

  private static let ofWholeRuns: Set<String> = Set(
    ([
      .hitchTotal, .hitchMax, .hangTotal, .worstSecond, .makespan, .lockWait, .longestLockWait,
      .publishing, .mainCPU, .backgroundCPU, .totalBlocking, .handOffTotal, .inp, .inputDelay,
      .processing, .presentationDelay, .frameTime(.max), .vsyncAge(.max), .itemLatency(.max),
      .response(.max), .stateAge(.max), .wakeupLateness(.max), .presentTime(.max), .content(.max),
      .build(.max), .raster(.max), .animationError(.max),
    ] as [Metric]).map(\.name) + Metric.ofSpreadParts.map(\.name))

  /// The name of the column that marks `metric` as a lower bound.
  public static func bound(of metric: String) -> String { "\(metric)_is_bound" }
}

/// A value as in a file.
public enum MetricValue: Hashable, Sendable, CustomStringConvertible {
  /// A word.
  case text(String)
  /// A count.
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

  /// Integers without decimals, others with at most six: nanoseconds in milliseconds, exactly.
  public var description: String {
    switch self {
    case .text(let text): text
    case .count(let count): String(count)
    case .real(let value): Decimal.text(value, places: Self.places)
    }
  }

  /// Appends the value to a file in UTF-8: words with their escapes in `context`, numbers as they are.
  package func append(to bytes: inout [UInt8], in context: OutputContext) {
    switch self {
    case .text(let text): context.append(text, to: &bytes)
    case .count(let count): Decimal.append(units: Int64(count), places: 0, to: &bytes)
    case .real(let value): Decimal.append(value, places: Self.places, to: &bytes)
    }
  }

  private static let places = 6
}

/// An observed number, or a lower bound if the measured event had not ended.
public struct Observation: Hashable, Sendable {
  /// In the metric's unit.
  public let value: Double
  /// Whether `value` is a lower bound.
  public let isBound: Bool

  /// - Parameters:
  ///   - value: in the metric's unit.
  ///   - isBound: whether it is a lower bound.
  public init(_ value: Double, isBound: Bool = false) {
    self.value = value
    self.isBound = isBound
  }

  /// The median; nil without values. Bounds rank above all exact values, and a median that depends on a bound is itself a
  /// bound, computed with the smallest values of the bounds.
  public static func median(_ observations: [Observation]) -> Observation? {
    guard observations.count > 1 else { return observations.first }
    let (low, high) = ((observations.count - 1) / 2, observations.count / 2)
    let known = observations.filter { !$0.isBound }.map(\.value).sorted()
    let isBound = high >= known.count
    let values = isBound ? observations.map(\.value).sorted() : known
    return Observation((values[low] + values[high]) / 2, isBound: isBound)
  }
}

/// The denominator of a rate: a count, or a time.
public enum Denominator: Sendable, CustomStringConvertible {
  /// Vsyncs at which a frame was wanted: of the run, or of any second of them.
  case wantedVsyncs, wantedSecond
  /// The time in which frames were wanted: an idle app neither misses nor gains anything.
  case wantedTime
  /// The run's duration.
  case run
  /// The longest display intervals that make up a hundredth of the time.
  case longestIntervals
  /// The longest display intervals that make up a thousandth of the time.
  case longestThousandth
  /// Frames that began.
  case frames
  /// Items that arrived.
  case items

  /// The words in formulas.
  public var description: String {
    switch self {
    case .wantedVsyncs: Metric.expectedFrames.name
    case .wantedSecond: "expected vsyncs in a row, as many as whole ones fit into a second"
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

/// The limits between good, fair and poor values of a metric.
public struct Bands: Hashable, Sendable {
  /// The limit of good values.
  public let fair: Double
  /// The limit of fair values; if it equals `fair`, no value is fair.
  public let poor: Double
  /// Whether both limits belong to the better band.
  public let includesLimits: Bool

  private init(fair: Double, poor: Double, includesLimits: Bool = false) {
    (self.fair, self.poor, self.includesLimits) = (fair, poor, includesLimits)
  }

  /// Hitch time in milliseconds per second while scrolling: users notice it from 5, and from 10 it is poor (Apple, "Explore UI
  /// animation hitches and the render loop", WWDC20).
  public static let hitches = Bands(fair: 5, poor: 10)
  /// Time past a deadline: above zero the frame is late (AndroidX Macrobenchmark, `FrameTimingMetric`).
  public static let deadline = Bands(fair: 0, poor: 0, includesLimits: true)
  /// Interaction to Next Paint in milliseconds: above 200 it needs improvement, above 500 it is poor (web-vitals 5,
  /// `INPThresholds`).
  public static let inp = Bands(fair: 200, poor: 500, includesLimits: true)

  /// The band of `value`, in the metric's unit.
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

/// The rating of a value.
public enum Band: String, Sendable {
  /// Hardly noticed; noticed; disturbing.
  case good, fair, poor
}

/// The known data about frames; a run has all of them, a log of another tool some.
public struct FrameKnowledge: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The durations of frames.
  public static let times = Self(rawValue: 1)
  /// The times at which images were shown.
  public static let screen = Self(rawValue: 2)
  /// The vsyncs without a new image.
  public static let vsyncs = Self(rawValue: 4)
  /// The display's refresh rate, constant for the whole log.
  public static let rate = Self(rawValue: 8)
  /// The causes of missed vsyncs.
  public static let causes = Self(rawValue: 16)
  /// The vsync by which each frame should be shown, and how long it was under way.
  public static let pipeline = Self(rawValue: 32)
  /// The deadline of each frame, and when it was ready.
  public static let deadlines = Self(rawValue: 64)
  /// The durations of frames on the main thread and in the second stage.
  public static let stages = Self(rawValue: 128)
  /// The durations of the main thread's tasks.
  public static let tasks = Self(rawValue: 256)
  /// The moment that each image shows.
  public static let contents = Self(rawValue: 512)
  /// The durations of frames on the main thread and in the second stage together.
  public static let productions = Self(rawValue: 1024)
}
