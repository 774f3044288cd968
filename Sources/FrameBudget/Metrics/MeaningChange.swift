/// Metrics that mean something else since a schema: results from before and after it are not about the same.
public struct MeaningChange: Sendable {
  /// The first schema with the new meaning.
  public let schema: Int
  /// Whose rows it is about.
  public let source: Source
  /// Their columns.
  public let metrics: [Metric]
  /// What changed.
  public let change: String

  /// Whose rows a change concerns.
  public enum Source: Sendable {
    /// What the engines ran.
    case runs
    /// Logs of other tools.
    case imports
  }
}

extension MetricCatalog {
  /// What changed its meaning, and when: a line for each change.
  public static let meaningChanges: [MeaningChange] = [
    MeaningChange(
      schema: 2, source: .runs, metrics: Quantile.few.map(Metric.itemLatency),
      change: "items that are not done count, as at least their wait so far"),
    MeaningChange(
      schema: 2, source: .runs, metrics: Quantile.few.map(Metric.response),
      change: "responses that are open count, as at least their wait so far"),
    MeaningChange(
      schema: 2, source: .runs, metrics: Quantile.few.map(Metric.stateAge),
      change: "a hang that is open at the end adds the age that the state on the screen has then"),
    MeaningChange(
      schema: 2, source: .runs, metrics: [.drops(by: .wakeup)],
      change: "late begins alone; drops_preempted and drops_machine have the rest of what it was"),
    MeaningChange(
      schema: 2, source: .imports,
      metrics: [
        .expectedFrames, .presentedFrames, .droppedFrames, .droppedPercent, .hitches, .hitchTotal,
        .hitchMax, .hitchRatio, .longestGap, .worstSecond,
      ],
      change: "the running sum of intervals is rounded to vsyncs, not each interval by itself"),
    MeaningChange(
      schema: 2, source: .imports, metrics: [.averageFPS, .low1PercentFPS],
      change: "what was shown for 0 ms, and the time before the first image, do not count"),
    MeaningChange(
      schema: 2, source: .imports, metrics: [.hangs, .hangTotal],
      change: "hangs of our own frames are counted from the actual begin"),
    MeaningChange(
      schema: 3, source: .runs,
      metrics: [Cause.wakeup, .lock, .logic, .drain, .post, .reads, .render].map(Metric.drops),
      change:
        "in a loop of events what the app did on the main thread while a frame waited has its own cause, drawing too"
    ),
    MeaningChange(
      schema: 3, source: .runs, metrics: Quantile.few.map(Metric.wakeupLateness),
      change: "what the app did on the main thread meanwhile does not count"),
    MeaningChange(
      schema: 3, source: .runs, metrics: [.mainLogic, .handOff, .lockWait, .longestLockWait],
      change: "in a loop of events all of it counts, once, between two frames too"),
    MeaningChange(
      schema: 3, source: .runs, metrics: [.itemsDone, .itemsPending, .throughput, .makespan],
      change:
        "what arrives exactly at the end, or ends behind it, does not count in either engine or loop"
    ),
    MeaningChange(
      schema: 3, source: .runs, metrics: [.hitchRatio],
      change: "where frames are on demand, per second in which frames were wanted"),
    MeaningChange(
      schema: 3, source: .imports, metrics: [.hitchRatio],
      change: "of our own frames on demand, per second in which frames were wanted"),
    MeaningChange(
      schema: 3, source: .imports, metrics: [.overBudget],
      change: "what is over by less than the log rounds its times does not count"),
  ]

  /// The metrics that do not mean the same in rows of all these schemas, in the order of the columns.
  public static func changed(among schemas: Set<Int>, of source: MeaningChange.Source) -> [String] {
    guard let first = schemas.min(), let last = schemas.max(), first < last else { return [] }
    let changes = meaningChanges.filter {
      $0.source == source && first < $0.schema && $0.schema <= last
    }
    let names = Set(changes.flatMap(\.metrics).map(\.name))
    return all.map(\.name).filter(names.contains)
  }
}
