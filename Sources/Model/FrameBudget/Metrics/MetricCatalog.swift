/// All metrics in the order of the columns, with their names, units, directions, bands and formulas.
///
/// New columns are added at the end; columns are never renamed or moved.
public enum MetricCatalog {
  /// The version of the columns and of their meanings.
  public static let schema = 4

  /// The columns of files, each schema after the previous ones.
  private static let columns: [(schema: Int, metrics: [Metric])] = [
    (1, [.status, .expectedFrames, .presentedFrames, .droppedFrames, .droppedPercent]),
    (1, [Cause.wakeup, .lock, .logic, .drain, .post, .reads, .render].map(Metric.drops)),
    (1, [.overBudget, .frozen, .hitches, .hitchTotal, .hitchMax, .hitchRatio]),
    (1, [.hangs, .hangTotal, .longestGap]),
    (1, Quantile.allCases.map(Metric.frameTime) + Quantile.allCases.map(Metric.vsyncAge)),
    (1, [.worstSecond, .averageFPS, .low1PercentFPS]),
    (1, [.itemsDone, .itemsPending, .itemsCancelled, .throughput, .makespan]),
    (1, Quantile.few.map(Metric.itemLatency) + Quantile.few.map(Metric.response)),
    (1, [.responsesLate] + Quantile.few.map(Metric.stateAge)),
    (1, [.mainLogic, .handOff, .hops, .lockWait, .longestLockWait, .publishing, .deepestQueue]),
    (1, [.mainCPU, .backgroundCPU, .contextSwitches, .orderViolations, .exclusionViolations]),
    (1, Quantile.few.map(Metric.wakeupLateness)),
    (2, [Cause.preempted, .machine].map(Metric.drops) + [.disturbed, .responsesOpen]),
    (2, Quantile.few.map(Metric.itemLatencyIsBound) + Quantile.few.map(Metric.responseIsBound)),
    (2, [Cause.compositor, .stuffed].map(Metric.drops)),
    (2, Quantile.few.map(Metric.presentTime) + [.deadlinesMissed, .stuffed]),
    (2, contentQuantiles.map(Metric.content) + contentQuantiles.map(Metric.contentIsBound)),
    (2, [.lateBegins]),
    (3, PlatformMetric.percentiles.map(Metric.frameOverrun)),
    (3, PlatformMetric.percentiles.map(Metric.frameCPU)),
    (3, [.jank, .slowPercent, .frozenPercent, .microhangs, .fullHangs, .severeHangs]),
    (3, [.longTasks, .totalBlocking]),
    (3, [.buildMean] + stageQuantiles.map(Metric.build) + [.slowBuilds]),
    (3, [.rasterMean] + stageQuantiles.map(Metric.raster) + [.slowRasters]),
    (
      3, [.low01PercentFPS, .animationErrorMean] + [Quantile.p99, .max].map(Metric.animationError)
    ),
    (3, [.interactions, .inp, .inputDelay, .processing, .presentationDelay, .inpIsBound]),
    (4, [.itemsShown, .resultsWaiting, .backlog, .itemsReplaced]),
    (4, Metric.ofSpreadParts),
    (4, [.handOffTotal]),
  ]

  private static let contentQuantiles: [Quantile] = [.p50, .p95, .max]
  private static let stageQuantiles: [Quantile] = [.p90, .p99, .max]

  /// Every metric of a run, in the order of the columns.
  public static let all: [Metric] = columns.flatMap(\.metrics)

  /// The metrics whose columns were added by `schema`.
  public static func added(by schema: Int) -> [Metric] {
    columns.filter { $0.schema == schema }.flatMap(\.metrics)
  }

  /// The metrics after `first` up to `last`, of all or of `items`: files have other columns between such parts.
  package static func part(
    of metrics: [Metric] = all, after first: Metric? = nil, through last: Metric? = nil
  ) -> ArraySlice<Metric> {
    func end(_ metric: Metric?) -> Int? {
      metrics.firstIndex { $0.name == metric?.name }.map { $0 + 1 }
    }
    return metrics[(end(first) ?? 0)..<(end(last) ?? metrics.endIndex)]
  }

  /// The numeric metrics, which can be compared and bounded.
  public static let numbers: [Metric] = all.filter { $0.name != Metric.status.name }

  /// The numeric metrics of runs, and of other rows that can be compared.
  public static let compared: [Metric] = numbers + [.spanCost]

  /// The metrics that need only frames, so that recorded logs of other tools have them too.
  public static let frames: [Metric] = all.filter { $0.needs != nil }

  /// The metrics with a denominator.
  public static let rates: [Metric] = all.filter { $0.denominator != nil }

  /// The metrics that also apply to the items of one workload, in the order of those columns.
  public static let items: [Metric] = all.filter(\.isOfItems)

  /// The metric called `name`.
  public static func metric(_ name: String) -> Metric? { all.first { $0.name == name } }
}

// MARK: Metrics of frames and of the screen

extension Metric {
  /// The metric of spans whose instructions `measure` has counted; no run has it.
  package static let spanCost = Metric(
    "span_ms", .milliseconds,
    "processor time of a span for what was a call at the calibration, in `spans.csv`: its instructions x the time of one",
    of: .run { _ in nil })

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
    "frames with E - V(i) > T; in a log of rounded times, by more than the rounding",
    needs: [.times, .rate]
  ) { .count($0.overBudget) }
  package static let frozen = Metric(
    "frozen_frames", .count, "frames with E - V(i) > \(FrameThresholds.frozen) (Android vitals)",
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
    "hang_count", .count, "\(stretches) s > \(FrameThresholds.hang)", needs: .times
  ) { .count($0.hangs) }
  package static let hangTotal = Metric(
    "hang_total_ms", .milliseconds, "sum of s over those stretches", needs: .times
  ) { .real($0.hangTotal.inMilliseconds) }
  /// The stretches of which hangs are the long ones.
  fileprivate static let stretches =
    "stretches of the main loop, frames (E - begin) and in a loop of events turns of the queue, of"

  package static let longestGap = Metric(
    "longest_gap_vsyncs", .vsyncs, "most vsyncs in a row without a new frame", needs: .vsyncs
  ) { .count($0.longestGap) }

  package static func frameTime(_ quantile: Quantile) -> Metric {
    Metric(
      "frame_ms_\(quantile)", .milliseconds, "\(quantile) of E - V(i) over frames", needs: .times
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
    "frames that were not ready by the vsync that should have shown them: R > V(b + d), or cut off by D = V(b + d)",
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
    let number = (Self.attributionOrder.firstIndex(of: self) ?? 0) + 1
    return "\(traits.formula), checked as cause \(number) of \(Self.attributionOrder.count)"
  }
}

// MARK: Metrics as the tools of platforms define them

extension Metric {
  package static func frameOverrun(_ quantile: Quantile) -> Metric {
    Metric(
      "frame_overrun_ms_\(quantile)", .milliseconds,
      "\(quantile) of R - V(i + d) over frames: the time after the deadline; negative if before it",
      bands: .deadline, isSigned: true, needs: .deadlines
    ) { milliseconds($0.times.overruns, quantile) }
  }

  package static func frameCPU(_ quantile: Quantile) -> Metric {
    Metric(
      "frame_cpu_ms_\(quantile)", .milliseconds,
      "\(quantile) of R - begin over \(begun): the main thread and the second stage",
      needs: .productions
    ) { milliseconds($0.times.productions, quantile) }
  }

  private static let begun = "frames that began before the run's last vsync"

  package static let jank = Metric(
    "jankstats_frames", .count, "frames with E - V(i) > \(FrameThresholds.jankPeriods) T",
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
    "\(stretches) \(FrameThresholds.hang) < s <= \(FrameThresholds.microhang)",
    needs: .times
  ) { .count($0.microhangs) }
  package static let fullHangs = Metric(
    "hangs_full", .count,
    "\(stretches) \(FrameThresholds.microhang) < s <= \(FrameThresholds.severeHang)",
    needs: .times
  ) { .count($0.fullHangs) }
  package static let severeHangs = Metric(
    "hangs_severe", .count, "\(stretches) s > \(FrameThresholds.severeHang)", needs: .times
  ) { .count($0.severeHangs) }

  package static let longTasks = Metric(
    "long_tasks", .count,
    "frames and, in a loop of events, turns of the queue that kept the main thread for more than "
      + "\(FrameThresholds.longTask): an item, or its part up to a yield; with batch: queued all that waited when the turn "
      + "began, and parts that continue at once before its last one ends", needs: .tasks
  ) { .count($0.longTasks.count) }
  package static let totalBlocking = Metric(
    "total_blocking_ms", .milliseconds,
    "sum, over \(longTasks.name), of the time of each beyond \(FrameThresholds.longTask)",
    needs: .tasks
  ) { .real($0.longTasks.blocking.inMilliseconds) }

  package static let buildMean = Metric(
    "build_ms_avg", .milliseconds, "mean of E - begin over \(begun)", needs: .stages
  ) { milliseconds($0.times.builds.mean) }
  package static func build(_ quantile: Quantile) -> Metric {
    Metric(
      "build_ms_\(quantile)", .milliseconds, "\(quantile) of E - begin over \(begun)",
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
    "frames with R - max(E, R of the previous frame) > \(FrameThresholds.flutterBudget); empty if no frame has begun it",
    needs: .stages
  ) { $0.times.hasSecondStage ? .count($0.slowRasters) : nil }
  private static let rasterSpan =
    "R - max(E, R of the previous frame) over frames that have begun it; empty without a second stage"

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

// MARK: Changes of meaning

/// A change in the meaning of metrics: results from before and after it are not comparable.
public struct MeaningChange: Sendable {
  /// The first schema with the new meaning.
  public let schema: Int
  /// The rows that it affects.
  public let source: Source
  /// The metrics that it affects.
  public let metrics: [Metric]
  /// The change in words.
  public let change: String

  /// The rows that a change affects.
  public enum Source: Sendable {
    /// Runs of the engines.
    case runs
    /// Logs of other tools.
    case imports
  }
}

extension MetricCatalog {
  /// All changes of meaning, one per line.
  public static let meaningChanges: [MeaningChange] = [
    MeaningChange(
      schema: 2, source: .runs, metrics: Quantile.few.map(Metric.itemLatency),
      change: "items that are not done count with their wait so far, as a lower bound"),
    MeaningChange(
      schema: 2, source: .runs, metrics: Quantile.few.map(Metric.response),
      change: "responses that are open count with their wait so far, as a lower bound"),
    MeaningChange(
      schema: 2, source: .runs, metrics: Quantile.few.map(Metric.stateAge),
      change: "a hang that is open at the end adds the age of the state on the screen"),
    MeaningChange(
      schema: 2, source: .runs, metrics: [.drops(by: .wakeup)],
      change: "only late starts; drops_preempted and drops_machine have the rest"),
    MeaningChange(
      schema: 2, source: .imports,
      metrics: [
        .expectedFrames, .presentedFrames, .droppedFrames, .droppedPercent, .hitches, .hitchTotal,
        .hitchMax, .hitchRatio, .longestGap, .worstSecond,
      ],
      change: "the running sum of intervals is rounded to vsyncs, not each interval"),
    MeaningChange(
      schema: 2, source: .imports, metrics: [.averageFPS, .low1PercentFPS],
      change: "images shown for 0 ms, and the time before the first image, do not count"),
    MeaningChange(
      schema: 2, source: .imports, metrics: [.hangs, .hangTotal],
      change: "hangs of our own frames are counted from the actual begin"),
    MeaningChange(
      schema: 3, source: .runs,
      metrics: [Cause.wakeup, .lock, .logic, .drain, .post, .reads, .render].map(Metric.drops),
      change:
        "in a loop of events, work of the app on the main thread while a frame waited has its own cause, including drawing"
    ),
    MeaningChange(
      schema: 3, source: .runs, metrics: Quantile.few.map(Metric.wakeupLateness),
      change: "work of the app on the main thread meanwhile does not count"),
    MeaningChange(
      schema: 3, source: .runs, metrics: [.mainLogic, .handOff, .lockWait, .longestLockWait],
      change: "in a loop of events all work counts once, including that between two frames"),
    MeaningChange(
      schema: 3, source: .runs, metrics: [.itemsDone, .itemsPending, .throughput, .makespan],
      change:
        "items that arrive exactly at the end, or end after it, do not count in any engine or loop"
    ),
    MeaningChange(
      schema: 3, source: .runs, metrics: [.hitchRatio],
      change: "for frames on demand, per second in which frames were wanted"),
    MeaningChange(
      schema: 3, source: .imports, metrics: [.hitchRatio],
      change: "for our own frames on demand, per second in which frames were wanted"),
    MeaningChange(
      schema: 3, source: .imports, metrics: [.overBudget],
      change: "an excess below the rounding of the log does not count"),
    MeaningChange(
      schema: 4, source: .runs,
      metrics: [.hangs, .hangTotal, .microhangs, .fullHangs, .severeHangs],
      change: "every stretch of the main loop counts, turns of the queue too, from its own start"),
    MeaningChange(
      schema: 4, source: .runs, metrics: measuredFromAsked,
      change: "in a loop of events, frames count from the vsync that they were asked for"),
    MeaningChange(
      schema: 4, source: .runs, metrics: Quantile.few.map(Metric.stateAge),
      change: "in a loop of events, an item that hangs at the end adds the age of the screen"),
    MeaningChange(
      schema: 4, source: .runs, metrics: stages,
      change: "a frame that had not begun by the end of the run does not count, instead of as 0 ms"),
    MeaningChange(
      schema: 4, source: .runs, metrics: [.handOff],
      change: "the results' own work, which every arrangement has, does not count"),
    MeaningChange(
      schema: 4, source: .imports,
      metrics: [.hangs, .hangTotal, .microhangs, .fullHangs, .severeHangs] + measuredFromAsked,
      change: "our own frames count as in runs"),
    MeaningChange(
      schema: 4, source: .runs, metrics: [.inputDelay, .processing],
      change: "the delay ends when the interaction's own handlers begin, not others of its frame"),
  ]

  /// The metrics of the lengths of frames.
  private static let stages: [Metric] =
    PlatformMetric.percentiles.map(Metric.frameCPU) + [.buildMean]
    + stageQuantiles.map(Metric.build)
    + [.rasterMean] + stageQuantiles.map(Metric.raster)

  /// The metrics that count from `V(i)`.
  private static let measuredFromAsked: [Metric] =
    [.overBudget, .frozen, .jank, .slowPercent, .frozenPercent]
    + Quantile.allCases.map(Metric.frameTime) + PlatformMetric.percentiles.map(Metric.frameOverrun)

  /// The metrics with different meanings in these schemas, in the order of the columns.
  public static func changed(among schemas: Set<Int>, of source: MeaningChange.Source) -> [String] {
    guard let first = schemas.min(), let last = schemas.max(), first < last else { return [] }
    let changes = meaningChanges.filter {
      $0.source == source && first < $0.schema && $0.schema <= last
    }
    let names = Set(changes.flatMap(\.metrics).map(\.name))
    return all.map(\.name).filter(names.contains)
  }
}
