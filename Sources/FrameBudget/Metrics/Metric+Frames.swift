// Metrics of frames and of the screen.

extension Metric {
  package static let status = Metric(
    "status", .none, "complete, interrupted, or invalid (an invariant broke)",
    of: .run { .text($0.log.status.rawValue) })

  package static let expectedFrames = Metric(
    "expected_frames", .count,
    "vsyncs at which a frame was wanted: K - d + 1, from vsync d to K, the last with V(K) <= D",
    .higherIsBetter, needs: .vsyncs
  ) { .count($0.expected) }
  package static let presentedFrames = Metric(
    "presented_frames", .count, "N, of those, vsyncs that showed a new frame", .higherIsBetter,
    needs: .vsyncs
  ) { .count($0.presented) }
  package static let droppedFrames = Metric(
    "dropped_frames", .count,
    "expected_frames - N, vsyncs at which a frame was wanted and no new one was shown",
    needs: .vsyncs
  ) { .count($0.dropped) }
  package static let droppedPercent = Metric(
    "dropped_frames_pct", .percent, "100 dropped_frames", over: .wantedVsyncs, needs: .vsyncs
  ) { $0.droppedPercent.map(MetricValue.real) }

  package static func drops(by cause: Cause) -> Metric { dropsByCause[Int(cause.rawValue)] }

  /// Created once, because every row of results needs all of them.
  private static let dropsByCause = Cause.allCases.map { cause in
    Metric(
      "drops_\(cause.name)", .count,
      "dropped frames whose cause is \(cause.name): \(cause.formula)", needs: .causes
    ) { .count($0.drops(by: cause)) }
  }

  package static let overBudget = Metric(
    "over_budget_frames", .count,
    "frames with E - V(b) > T; in a log of rounded times, by more than the rounding", needs: .rate
  ) { .count($0.overBudget) }
  package static let frozen = Metric(
    "frozen_frames", .count, "frames with E - V(b) > \(FrameThresholds.frozen) (Android vitals)",
    needs: .times
  ) { .count($0.frozen) }
  package static let hitches = Metric(
    "hitch_count", .count, "runs of dropped vsyncs", needs: .vsyncs
  ) { .count($0.hitches) }
  package static let hitchTotal = Metric(
    "hitch_total_ms", .milliseconds, "T x dropped_frames", needs: [.vsyncs, .rate]
  ) { .real($0.hitchTotal) }
  package static let hitchMax = Metric(
    "hitch_max_ms", .milliseconds, "T x longest_gap_vsyncs", needs: [.vsyncs, .rate]
  ) { .real($0.hitchMax) }
  package static let hitchRatio = Metric(
    "hitch_ratio_ms_per_s", .millisecondsPerSecond, "1000 x hitch_total", over: .wantedTime,
    bands: .hitches, needs: [.vsyncs, .rate]
  ) { $0.hitchRatio.map(MetricValue.real) }
  package static let hangs = Metric(
    "hang_count", .count, "frames with E - begin > \(FrameThresholds.hang)", needs: .times
  ) { .count($0.hangs) }
  package static let hangTotal = Metric(
    "hang_total_ms", .milliseconds, "sum of E - begin over those frames", needs: .times
  ) { .real($0.hangTotal.inMilliseconds) }
  package static let longestGap = Metric(
    "longest_gap_vsyncs", .vsyncs, "most vsyncs in a row without a new frame", needs: .vsyncs
  ) { .count($0.longestGap) }

  package static func frameTime(_ quantile: Quantile) -> Metric {
    Metric(
      "frame_ms_\(quantile)", .milliseconds, "\(quantile) of E - V(b) over frames", needs: .times
    ) { milliseconds($0.frameTimes, quantile) }
  }

  package static func vsyncAge(_ quantile: Quantile) -> Metric {
    Metric(
      "vsync_age_ms_\(quantile)", .milliseconds,
      "\(quantile) of V(k) - V(b) of the newest frame shown, over all expected vsyncs",
      needs: .vsyncs
    ) { milliseconds($0.vsyncAges, quantile) }
  }

  package static let worstSecond = Metric(
    "worst_second_dropped_pct", .percent, "100 x most dropped vsyncs", over: .wantedSecond,
    needs: [.vsyncs, .rate]
  ) { $0.worstSecondPercent.map(MetricValue.real) }
  package static let averageFPS = Metric(
    "average_fps", .framesPerSecond, "N", over: .run, .higherIsBetter, needs: .screen
  ) { $0.averageFPS.map(MetricValue.real) }
  package static let low1PercentFPS = Metric(
    "low_1pct_fps", .framesPerSecond, "1", over: .longestIntervals, .higherIsBetter,
    needs: .screen
  ) { $0.low1PercentFPS.map(MetricValue.real) }

  package static func presentTime(_ quantile: Quantile) -> Metric {
    Metric(
      "present_ms_\(quantile)", .milliseconds,
      "\(quantile) of V(p) - V(b) over frames shown: from the vsync of a frame to the one that showed it",
      needs: .pipeline
    ) { milliseconds($0.presentTimes, quantile) }
  }
  package static let deadlinesMissed = Metric(
    "deadline_missed_frames", .count,
    "frames with R > V(b + d): not ready by the vsync that should have shown them",
    needs: .pipeline
  ) { .count($0.deadlinesMissed) }
  package static let stuffed = Metric(
    "stuffed_frames", .count, "frames that had to wait for a buffer",
    needs: .pipeline
  ) { .count($0.stuffed) }
  package static let lateBegins = Metric(
    "late_begins", .count, "frames with begin - V(b) > T", needs: .pipeline
  ) { .count($0.lateBegins) }

  static func milliseconds(_ sample: Percentiles, _ quantile: Quantile) -> MetricValue? {
    sample.quantile(quantile.share).map { .real($0 / 1e6) }
  }
}

extension Cause {
  /// The condition under which it is the cause of a late frame.
  fileprivate var formula: String {
    let place = (Self.tried.firstIndex(of: self) ?? 0) + 1
    return "\(traits.formula), tried as number \(place) of \(Self.tried.count)"
  }
}
