// Metrics of frames and of what the screen showed.

extension MetricCatalog {
  static let status = Metric(
    name: "status", unit: .none,
    formula: "complete, interrupted, or invalid (an invariant broke)"
  ) { .text($0.log.status.rawValue) }

  static let frameCounts: [FrameMetric] = [
    count("expected_frames", "K, vsyncs with V(k) <= D", .vsyncs) { $0.expected },
    count("presented_frames", "N, frames shown by V(K)", .vsyncs) { $0.presented },
    count("dropped_frames", "K - N, vsyncs at which no new frame was shown", .vsyncs) {
      $0.dropped
    },
    FrameMetric(
      name: "dropped_frames_pct", unit: .percent, formula: "100 (K - N) / K", needs: .vsyncs
    ) { $0.droppedPercent.map(MetricValue.real) },
  ]

  static let drops = dropped(by: [.wakeup, .lock, .logic, .drain, .post, .reads, .render])

  /// Columns that came later, and so stand at the end.
  static let laterDrops = dropped(by: [.preempted, .machine])

  private static func dropped(by causes: [Cause]) -> [FrameMetric] {
    causes.map { cause in
      count(
        "drops_\(cause.name)", "dropped frames whose cause is \(cause.name): \(cause.formula)",
        .causes
      ) { $0.drops[Int(cause.rawValue)] }
    }
  }

  static let hitches: [FrameMetric] = [
    count("over_budget_frames", "frames with E - V(b) > T", .rate) { $0.overBudget },
    count(
      "frozen_frames", "frames with E - V(b) > \(FrameThresholds.frozen) (Android vitals)", .times
    ) { $0.frozen },
    count("hitch_count", "frames with late_vsyncs > 0", .vsyncs) { $0.hitches },
    milliseconds("hitch_total_ms", "T x sum of late_vsyncs", [.vsyncs, .rate]) { $0.hitchTotal },
    milliseconds("hitch_max_ms", "T x largest late_vsyncs", [.vsyncs, .rate]) { $0.hitchMax },
    FrameMetric(
      name: "hitch_ratio_ms_per_s", unit: .millisecondsPerSecond, formula: "1000 x hitch_total / D",
      needs: [.vsyncs, .rate]
    ) { $0.hitchRatio.map(MetricValue.real) },
    count("hang_count", "frames with E - begin > \(FrameThresholds.hang)", .times) { $0.hangs },
    milliseconds("hang_total_ms", "sum of E - begin over those frames", .times) {
      $0.hangTotal.inMilliseconds
    },
    FrameMetric(
      name: "longest_gap_vsyncs", unit: .vsyncs,
      formula: "most vsyncs in a row without a new frame", needs: .vsyncs
    ) { .count($0.longestGap) },
  ]

  static let frameTimes: [FrameMetric] =
    quantiles.map { name, q in
      percentile("frame_ms_\(name)", "\(name) of E - V(b) over frames", q, .times, \.frameTimes)
    }
    + quantiles.map { name, q in
      percentile(
        "vsync_age_ms_\(name)",
        "\(name) of V(k) - V(b) of the newest frame shown, over all K vsyncs",
        q, .vsyncs, \.vsyncAges)
    }

  static let screen: [FrameMetric] = [
    FrameMetric(
      name: "worst_second_dropped_pct", unit: .percent,
      formula: "largest share of dropped vsyncs in a sliding second", needs: [.vsyncs, .rate]
    ) { $0.worstSecondPercent.map(MetricValue.real) },
    FrameMetric(
      name: "average_fps", unit: .framesPerSecond, formula: "N / D", needs: .screen
    ) { $0.averageFPS.map(MetricValue.real) },
    FrameMetric(
      name: "low_1pct_fps", unit: .framesPerSecond,
      formula: "1 / the display interval at which the longest ones make up 1 % of the time",
      needs: .screen
    ) { $0.low1PercentFPS.map(MetricValue.real) },
  ]

  private static let quantiles = [
    ("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999), ("max", 1.0),
  ]

  private static func count(
    _ name: String, _ formula: String, _ needs: FrameKnowledge,
    _ value: @escaping @Sendable (FrameMetrics) -> Int
  ) -> FrameMetric {
    FrameMetric(name: name, unit: .count, formula: formula, needs: needs) { .count(value($0)) }
  }

  private static func milliseconds(
    _ name: String, _ formula: String, _ needs: FrameKnowledge,
    _ value: @escaping @Sendable (FrameMetrics) -> Double
  ) -> FrameMetric {
    FrameMetric(name: name, unit: .milliseconds, formula: formula, needs: needs) {
      .real(value($0))
    }
  }

  private static func percentile(
    _ name: String, _ formula: String, _ q: Double, _ needs: FrameKnowledge,
    _ sample: any KeyPath<FrameMetrics, Percentiles> & Sendable
  ) -> FrameMetric {
    FrameMetric(name: name, unit: .milliseconds, formula: formula, needs: needs) {
      $0[keyPath: sample].quantile(q).map { .real($0 / 1e6) }
    }
  }
}

extension Cause {
  /// When it is the cause of a late frame.
  fileprivate var formula: String {
    let place = (Self.tried.firstIndex(of: self) ?? 0) + 1
    return "\(question), tried as number \(place) of \(Self.tried.count)"
  }

  /// Without which the frame would have been on time.
  private var question: String {
    switch self {
    case .wakeup: "begin - V(b)"
    case .preempted: "within the frame, threads of the app itself had the processors"
    case .machine:
      "within the frame, other processes or the hypervisor had them (0 in virtual time)"
    case .lock: "blocked on locks"
    case .logic: "business steps on the main thread"
    case .drain: "results, and releasing snapshots"
    case .post: "handing items over"
    case .reads: "UI reads"
    case .render: "drawing"
    }
  }
}
