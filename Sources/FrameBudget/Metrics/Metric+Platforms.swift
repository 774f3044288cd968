// Metrics as the tools of platforms define them; `PlatformMetric` assigns them to platforms.

extension Metric {
  package static func frameOverrun(_ quantile: Quantile) -> Metric {
    Metric(
      "frame_overrun_ms_\(quantile)", .milliseconds,
      "\(quantile) of R - V(b + d) over frames: the time after the deadline; negative if before it",
      bands: .deadline, isSigned: true, needs: .deadlines
    ) { milliseconds($0.times.overruns, quantile) }
  }

  package static func frameCPU(_ quantile: Quantile) -> Metric {
    Metric(
      "frame_cpu_ms_\(quantile)", .milliseconds,
      "\(quantile) of R - begin over frames: the main thread and the second stage", needs: .stages
    ) { milliseconds($0.times.productions, quantile) }
  }

  package static let jank = Metric(
    "jankstats_frames", .count, "frames with E - V(b) > \(FrameThresholds.jankPeriods) T",
    needs: [.times, .rate]
  ) { .count($0.jank) }
  package static let slowPercent = Metric(
    "slow_frames_pct", .percent, "100 \(overBudget.name)", over: .frames, needs: [.times, .rate]
  ) { $0.share(of: $0.overBudget).map(MetricValue.real) }
  package static let frozenPercent = Metric(
    "frozen_frames_pct", .percent, "100 \(frozen.name)", over: .frames, needs: .times
  ) { $0.share(of: $0.frozen).map(MetricValue.real) }

  package static let microhangs = Metric(
    "hangs_micro", .count,
    "frames with \(FrameThresholds.hang) < E - begin <= \(FrameThresholds.microhang)",
    needs: .times
  ) { .count($0.microhangs) }
  package static let fullHangs = Metric(
    "hangs_full", .count,
    "frames with \(FrameThresholds.microhang) < E - begin <= \(FrameThresholds.severeHang)",
    needs: .times
  ) { .count($0.fullHangs) }
  package static let severeHangs = Metric(
    "hangs_severe", .count, "frames with E - begin > \(FrameThresholds.severeHang)", needs: .times
  ) { .count($0.severeHangs) }

  package static let longTasks = Metric(
    "long_tasks", .count,
    "frames and, in a loop of events, turns of the queue that kept the main thread for more than "
      + "\(FrameThresholds.longTask)", needs: .tasks
  ) { .count($0.longTasks.count) }
  package static let totalBlocking = Metric(
    "total_blocking_ms", .milliseconds,
    "sum, over \(longTasks.name), of the time of each beyond \(FrameThresholds.longTask)",
    needs: .tasks
  ) { .real($0.longTasks.blocking.inMilliseconds) }

  package static let buildMean = Metric(
    "build_ms_avg", .milliseconds, "mean of E - begin over frames", needs: .stages
  ) { milliseconds($0.times.builds.mean) }
  package static func build(_ quantile: Quantile) -> Metric {
    Metric(
      "build_ms_\(quantile)", .milliseconds, "\(quantile) of E - begin over frames",
      needs: .stages
    ) { milliseconds($0.times.builds, quantile) }
  }
  package static let slowBuilds = Metric(
    "build_over_budget_frames", .count, "frames with E - begin > \(FrameThresholds.flutterBudget)",
    needs: .stages
  ) { .count($0.slowBuilds) }

  package static let rasterMean = Metric(
    "raster_ms_avg", .milliseconds, "mean of \(rasterSpan)", needs: .stages
  ) { $0.times.hasSecondStage ? milliseconds($0.times.rasters.mean) : nil }
  package static func raster(_ quantile: Quantile) -> Metric {
    Metric(
      "raster_ms_\(quantile)", .milliseconds, "\(quantile) of \(rasterSpan)", needs: .stages
    ) { $0.times.hasSecondStage ? milliseconds($0.times.rasters, quantile) : nil }
  }
  package static let slowRasters = Metric(
    "raster_over_budget_frames", .count,
    "frames with R - max(E, R of the previous frame) > \(FrameThresholds.flutterBudget)",
    needs: .stages
  ) { $0.times.hasSecondStage ? .count($0.slowRasters) : nil }
  private static let rasterSpan =
    "R - max(E, R of the previous frame) over frames; empty without a second stage"

  package static let low01PercentFPS = Metric(
    "low_0_1pct_fps", .framesPerSecond, "1", over: .longestThousandth, .higherIsBetter,
    needs: .screen
  ) { $0.low01PercentFPS.map(MetricValue.real) }

  package static let animationErrorMean = Metric(
    "animation_error_ms_avg", .milliseconds, "mean of \(animationSpan)", needs: .contents
  ) { milliseconds($0.times.animationErrors.mean) }
  package static func animationError(_ quantile: Quantile) -> Metric {
    Metric(
      "animation_error_ms_\(quantile)", .milliseconds, "\(quantile) of \(animationSpan)",
      needs: .contents
    ) { milliseconds($0.times.animationErrors, quantile) }
  }
  private static let animationSpan =
    "T x |(p - p of the previous image) - (b - b of the previous image)| over images shown"

  private static func milliseconds(_ nanoseconds: Double?) -> MetricValue? {
    nanoseconds.map { .real($0 / 1e6) }
  }
}
