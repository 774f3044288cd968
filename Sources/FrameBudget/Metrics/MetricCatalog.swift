/// Every metric, in the order of the columns: the one source of names, units and formulas.
///
/// Columns are added at the end, never renamed or moved.
public enum MetricCatalog {
  public static let all: [Metric] =
    [status] + firstFrames.map(\.overAll) + items.map(\.overAll) + work + system
    + laterDrops.map(\.overAll) + [disturbed]

  /// What follows from frames alone: recorded logs of other tools have it too.
  public static let frames: [FrameMetric] = firstFrames + laterDrops

  private static let firstFrames = frameCounts + drops + hitches + frameTimes + screen

  /// The metric called `name`.
  public static func metric(_ name: String) -> Metric? { all.first { $0.name == name } }

  /// What applies to the items of one workload as well.
  public static let items: [ItemMetric] = [
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
    latency("p50", 0.5), latency("p99", 0.99), latency("max", 1),
    response("p50", 0.5), response("p99", 0.99), response("max", 1),
    ItemMetric(
      name: "responses_late", unit: .count,
      formula: "responses that took longer than respond_within, or are open for longer"
    ) { $0.responsesLate.map(MetricValue.count) },
  ]

  private static func latency(_ name: String, _ q: Double) -> ItemMetric {
    ItemMetric(
      name: "item_latency_ms_\(name)", unit: .milliseconds, formula: "\(name) of arrival to done"
    ) { $0.latencies.quantile(q).map { .real($0 / 1e6) } }
  }

  private static func response(_ name: String, _ q: Double) -> ItemMetric {
    ItemMetric(
      name: "response_ms_\(name)", unit: .milliseconds,
      formula: "\(name) of arrival to the vsync that shows the frame in which the result ran"
    ) { $0.responses?.quantile(q).map { .real($0 / 1e6) } }
  }
}
