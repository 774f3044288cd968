/// A number that a platform's own tool prints for a recording. It is computed as in that tool, and only recordings have it.
public struct RecordedMetric: Hashable, Sendable {
  /// The name in columns.
  public let name: String
  /// The name in the tool.
  public let title: String
  /// The unit of its values.
  public let unit: Metric.Unit
  /// The formula, in one line.
  public let formula: String

  private init(_ name: String, _ title: String, _ unit: Metric.Unit, _ formula: String) {
    (self.name, self.title, self.unit, self.formula) = (name, title, unit, formula)
  }

  /// A metric of ours that logs and recordings have only as the platform's value.
  package init(_ metric: Metric, _ title: String) {
    self.init(metric.name, title, metric.unit, metric.formula)
  }

  /// All of them, in the order of their columns.
  public static let all = first + added

  /// Those whose columns precede the last metrics of runs.
  public static let first: [RecordedMetric] =
    JankType.allCases.map(jank) + overruns.map(\.metric) + [
      interactions, inp, inputDelay, processing, presentationDelay, longAnimationFrames,
      longAnimationFrameTime, blockingTime, longTasks,
    ] + presentMon + [presentMonAnimationError] + capFrameX

  /// Those that came later: their columns are the last ones.
  public static let added = [browserDrops, potentialHangs, potentialHangTime]

  // MARK: Android, by FrameTimeline

  /// Surface frames of a type.
  public static func jank(_ type: JankType) -> RecordedMetric {
    RecordedMetric(
      "jank_\(type.words)", type.title, .count, "surface frames with the jank type \(type.title)")
  }

  /// The quantiles of surface frames, with their shares from 0 to 1. `Metric.frameOverrun` is about frames, these are about
  /// surfaces: a frame with several surfaces counts once for each here, and by its latest surface there.
  public static let overruns: [(share: Double, metric: RecordedMetric)] =
    PlatformMetric.percentiles.map { quantile in
      let frame = Metric.frameOverrun(quantile)
      return (
        quantile.share,
        RecordedMetric(
          frame.name.replacing("frame", with: "surface"),
          "frame overrun \(quantile.rawValue.uppercased())", frame.unit,
          "\(quantile) of actual end - expected end over surface frames; negative if they were early"
        )
      )
    }

  // MARK: Chrome, by Event Timing and Long Animation Frames

  package static let interactions = RecordedMetric(.interactions, "interactions")
  package static let inp = RecordedMetric(.inp, "INP")
  package static let inputDelay = RecordedMetric(.inputDelay, "INP input delay")
  package static let processing = RecordedMetric(.processing, "INP processing duration")
  package static let presentationDelay = RecordedMetric(
    .presentationDelay, "INP presentation delay")
  package static let longAnimationFrames = RecordedMetric(
    "long_animation_frames", "long animation frames", .count,
    "animation frames that took at least 50 ms")
  package static let longAnimationFrameTime = RecordedMetric(
    "long_animation_frame_ms", "duration of long animation frames", .milliseconds,
    "total duration of those")
  package static let blockingTime = RecordedMetric(
    "long_animation_frame_blocking_ms", "blocking duration of long animation frames",
    .milliseconds, "total time for which those blocked input; Chrome rounds each down to 1 ms")
  package static let longTasks = RecordedMetric(
    "main_long_tasks", "long tasks", .count,
    "tasks of the renderer's main thread that took more than 50 ms")

  package static let browserDrops = RecordedMetric(
    "chrome_dropped_frames", "PipelineReporter, dropped", .count,
    "frames that the browser calls dropped, whoever wanted them")

  // MARK: Instruments, by its table of potential hangs

  package static let potentialHangs = RecordedMetric(
    "potential_hangs", "potential hangs", .count,
    "times at which Instruments calls the main thread unresponsive, of any length")
  package static let potentialHangTime = RecordedMetric(
    "potential_hang_ms", "duration of potential hangs", .milliseconds, "total duration of those")

  // MARK: Flutter, by FrameTimingSummarizer

  /// Of builds, then of rasters: the average, the 90th and the 99th percentile, the worst, and how many are over the budget. Runs
  /// have the same columns, so they are not in `all`.
  package static let flutter: [[RecordedMetric]] = {
    let all = MetricSet.flutter.metrics.map { RecordedMetric($0.metric, $0.theirs) }
    return [Array(all.prefix(all.count / 2)), Array(all.suffix(all.count / 2))]
  }()

  // MARK: Games, over the times between presents

  /// The columns of the statistics that PresentMon's capture application writes with a log.
  private static let presentMon = [
    presentMonAverage, presentMonMinimum, presentMonP1, presentMonP5, presentMonMaximum,
  ]
  package static let presentMonAverage = RecordedMetric(
    "presentmon_average_fps", "Average FPS", .framesPerSecond, "1 / mean time between presents")
  package static let presentMonMinimum = RecordedMetric(
    "presentmon_minimum_fps", "Minimum FPS", .framesPerSecond, "1 / longest time between presents")
  package static let presentMonP1 = RecordedMetric(
    "presentmon_p1_fps", "1st Percentile FPS", .framesPerSecond,
    "1 / p99 of the times between presents")
  package static let presentMonP5 = RecordedMetric(
    "presentmon_p5_fps", "5th Percentile FPS", .framesPerSecond,
    "1 / p95 of the times between presents")
  package static let presentMonMaximum = RecordedMetric(
    "presentmon_maximum_fps", "Maximum FPS", .framesPerSecond,
    "1 / shortest time between presents")
  package static let presentMonAnimationError = RecordedMetric(
    "presentmon_animation_error_ms", "AnimationErrorPerFrame", .milliseconds,
    "mean of |animation error| over the frames for which the log has it")

  private static let capFrameX =
    [capFrameXAverage] + capFrameXShares.flatMap { [$0.percentile, $0.lowAverage, $0.lowIntegral] }
  package static let capFrameXAverage = RecordedMetric(
    "capframex_average_fps", "Average", .framesPerSecond, "1 / mean time between presents")
  /// For the slowest shares of frames, or of the time.
  public static let capFrameXShares:
    [(
      share: Double, percentile: RecordedMetric, lowAverage: RecordedMetric,
      lowIntegral: RecordedMetric
    )] = [
      (0.01, "1"), (0.002, "0_2"), (0.001, "0_1"),
    ].map { share, name in
      let title = name.split(separator: "_").joined(separator: ".")
      return (
        share,
        RecordedMetric(
          "capframex_p\(name)_fps", "P\(title)", .framesPerSecond,
          "quantile \(title) % of the rates between presents, type 8 of Hyndman and Fan"),
        RecordedMetric(
          "capframex_low_\(name)pct_average_fps", "\(title)% Low Average", .framesPerSecond,
          "1 / mean of the times between presents that reach their quantile 1 - \(title) %"),
        RecordedMetric(
          "capframex_low_\(name)pct_integral_fps", "\(title)% Low Integral", .framesPerSecond,
          "1 / the time between presents at which the longest ones make up \(title) % of the time")
      )
    }
}

/// A platform's number for one recording.
public struct RecordedFigure: Hashable, Sendable {
  /// The metric.
  public let metric: RecordedMetric
  /// Its value, in the metric's unit.
  public let value: MetricValue

  /// Creates a figure.
  public init(_ metric: RecordedMetric, _ value: MetricValue) {
    (self.metric, self.value) = (metric, value)
  }
}
