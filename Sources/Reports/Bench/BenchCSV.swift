public import FrameBudget

/// The lines of `bench --format csv`: one for each subject, number of producers and repetition, as measured.
public enum BenchCSV {
  static let schema = 1

  /// The columns, which JSON has as keys.
  static let columns: [(name: String, value: @Sendable (HandOffMeasurement) -> MetricValue?)] = [
    ("schema", { _ in .count(schema) }),
    ("carrier", { .text($0.carrier.rawValue) }),
    ("queue", { $0.queue.map(MetricValue.text) }),
    ("producers", { .count($0.producers) }),
    ("repetition", { .count($0.repetition) }),
    ("events_per_s", { .real($0.eventsPerSecond.rounded()) }),
    ("post_ns_p50", { .real($0.post.p50) }),
    ("post_ns_p99", { .real($0.post.p99) }),
    ("latency_us_p50", { ($0.idle?.latency.p50).map { .real($0 / 1000) } }),
    ("latency_us_p99", { ($0.idle?.latency.p99).map { .real($0 / 1000) } }),
    ("latency_us_max", { ($0.idle?.latency.max).map { .real($0 / 1000) } }),
    ("wakes_per_1000", { $0.wakesPerThousand.map(MetricValue.real) }),
  ]

  public static func text(_ measured: [HandOffMeasurement]) -> String {
    let lines = measured.map { row in
      CSV.line(columns.map { $0.value(row)?.description ?? "" })
    }
    return CSV.line(columns.map(\.name)) + lines.joined()
  }
}
