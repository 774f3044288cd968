/// Every metric, in the order of the columns: the one source of names, units, directions, bands and formulas.
///
/// Columns are added at the end, never renamed or moved.
public enum MetricCatalog {
  /// The version of the columns and of what they mean.
  public static let schema = 3

  /// The columns of files, each behind those of the schemas before its own.
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

  /// Those whose columns came with `schema`.
  public static func added(by schema: Int) -> [Metric] {
    columns.filter { $0.schema == schema }.flatMap(\.metrics)
  }

  /// Those that are numbers, so that they can be compared and bounded.
  public static let numbers: [Metric] = all.filter { $0.name != Metric.status.name }

  /// What follows from frames alone: recorded logs of other tools have it too.
  public static let frames: [Metric] = all.filter { $0.needs != nil }

  /// Those that are divided by something.
  public static let rates: [Metric] = all.filter { $0.denominator != nil }

  /// What applies to the items of one workload as well, in the order of those columns.
  public static let items: [Metric] = all.filter(\.isOfItems)

  /// The metric called `name`.
  public static func metric(_ name: String) -> Metric? { all.first { $0.name == name } }
}
