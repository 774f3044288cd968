/// Every metric, in the order of the columns: the one source of names, units and formulas.
///
/// Columns are added at the end, never renamed or moved.
public enum MetricCatalog {
  /// Every metric of a run, in the order of the columns.
  public static let all: [Metric] = first + added

  /// The columns of schema 1.
  public static let first: [Metric] =
    [status] + firstFrames.map(\.overAll) + firstItems.map(\.overAll) + work + system

  /// Those that came later, each behind all that were there.
  public static let added: [Metric] =
    laterDrops.map(\.overAll) + [disturbed] + openWaits.map(\.overAll)

  /// What follows from frames alone: recorded logs of other tools have it too.
  public static let frames: [FrameMetric] = firstFrames + laterDrops

  private static let firstFrames = frameCounts + drops + hitches + frameTimes + screen

  /// The metric called `name`.
  public static func metric(_ name: String) -> Metric? { all.first { $0.name == name } }

  /// What applies to the items of one workload as well, in the order of those columns.
  public static let items: [ItemMetric] = firstItems + openWaits

  private static let firstItems: [ItemMetric] = itemCounts + latencies + responses + [responsesLate]

  private static let itemCounts: [ItemMetric] = [
    ItemMetric(name: "items_done", unit: .count, formula: "items whose last step ended") {
      .count($0.done)
    },
    ItemMetric(
      name: "items_pending", unit: .count, formula: "items that arrived before D and are not done"
    ) { .count($0.pending) },
    ItemMetric(name: "items_cancelled", unit: .count, formula: "items given up on purpose") {
      .count($0.cancelled)
    },
    ItemMetric(name: "throughput_per_s", unit: .itemsPerSecond, formula: "items_done / D") {
      $0.perSecond.map(MetricValue.real)
    },
    ItemMetric(
      name: "makespan_ms", unit: .milliseconds,
      formula: "first arrival to last completion; empty while items are pending"
    ) { $0.makespan.map { .real($0.inMilliseconds) } },
  ]

  private static let responsesLate = ItemMetric(
    name: "responses_late", unit: .count,
    formula: "responses that took longer than respond_within, or are open for longer"
  ) { $0.responsesLate.map(MetricValue.count) }
}
