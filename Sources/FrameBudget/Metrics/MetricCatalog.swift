/// All metrics in the order of the columns, with their names, units, directions, bands and formulas.
///
/// New columns are added at the end; columns are never renamed or moved.
public enum MetricCatalog {
  /// The version of the columns and of their meanings.
  public static let schema = 3

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

  /// The metrics that need only frames, so that recorded logs of other tools have them too.
  public static let frames: [Metric] = all.filter { $0.needs != nil }

  /// The metrics with a denominator.
  public static let rates: [Metric] = all.filter { $0.denominator != nil }

  /// The metrics that also apply to the items of one workload, in the order of those columns.
  public static let items: [Metric] = all.filter(\.isOfItems)

  /// The metric called `name`.
  public static func metric(_ name: String) -> Metric? { all.first { $0.name == name } }
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
      change: "only late begins; drops_preempted and drops_machine have the rest"),
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
  ]

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
