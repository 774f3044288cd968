/// Metrics that mean something else since a schema: results from before and after it are not about the same.
public struct MeaningChange: Sendable {
  /// The first schema with the new meaning.
  public let schema: Int
  /// Whose rows it is about.
  public let source: Source
  /// Their columns.
  public let metrics: [String]
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
  /// The version of the columns and of what they mean; columns are added at the end, never renamed or moved.
  public static let schema = 2

  /// What changed its meaning, and when: a line for each change.
  public static let meaningChanges: [MeaningChange] = [
    MeaningChange(
      schema: 2, source: .runs, metrics: latencies.map(\.name),
      change: "items that are not done count, as at least their wait so far"),
    MeaningChange(
      schema: 2, source: .runs, metrics: responses.map(\.name),
      change: "responses that are open count, as at least their wait so far"),
    MeaningChange(
      schema: 2, source: .runs,
      metrics: ["state_age_ms_p50", "state_age_ms_p99", "state_age_ms_max"],
      change: "a hang that is open at the end adds the age that the state on the screen has then"),
    MeaningChange(
      schema: 2, source: .runs, metrics: ["drops_wakeup"],
      change: "late begins alone; drops_preempted and drops_machine have the rest of what it was"),
    MeaningChange(
      schema: 2, source: .imports,
      metrics: [
        "expected_frames", "presented_frames", "dropped_frames", "dropped_frames_pct",
        "hitch_count", "hitch_total_ms", "hitch_max_ms", "hitch_ratio_ms_per_s",
        "longest_gap_vsyncs", "worst_second_dropped_pct",
      ],
      change: "the running sum of intervals is rounded to vsyncs, not each interval by itself"),
    MeaningChange(
      schema: 2, source: .imports, metrics: ["average_fps", "low_1pct_fps"],
      change: "what was shown for 0 ms, and the time before the first image, do not count"),
    MeaningChange(
      schema: 2, source: .imports, metrics: ["hang_count", "hang_total_ms"],
      change: "hangs of our own frames are counted from the actual begin"),
  ]

  /// The metrics that do not mean the same in rows of all these schemas, in the order of the columns.
  public static func changed(among schemas: Set<Int>, of source: MeaningChange.Source) -> [String] {
    guard let first = schemas.min(), let last = schemas.max() else { return [] }
    let changes = meaningChanges.filter {
      $0.source == source && first < $0.schema && $0.schema <= last
    }
    let names = Set(changes.flatMap(\.metrics))
    return all.map(\.name).filter(names.contains)
  }
}
