public import FrameBudget

/// The lines of `bench --format csv`, as measured: one for each subject, number of producers and repetition, then one
/// for each size of a state and repetition.
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

  /// The columns of copying, which stand behind those of hand-offs; both know the repetition.
  static let copyColumns: [(name: String, value: @Sendable (CopyMeasurement) -> MetricValue?)] = [
    ("records", { .count($0.records) }),
    ("copy_ns_per_record", { .real($0.copyPerRecord) }),
    ("release_ns_per_record", { .real($0.releasePerRecord) }),
  ]

  public static func text(
    _ measured: [HandOffMeasurement], copies: [CopyMeasurement] = []
  ) -> String {
    let handOffs = measured.map { row in
      columns.map { $0.value(row)?.description ?? "" } + copyColumns.map { _ in "" }
    }
    let copies = copies.map { row in
      columns.map { shared($0.name, row)?.description ?? "" }
        + copyColumns.map { $0.value(row)?.description ?? "" }
    }
    let head = columns.map(\.name) + copyColumns.map(\.name)
    return ([head] + handOffs + copies).map(CSV.line).joined()
  }

  private static func shared(_ column: String, _ row: CopyMeasurement) -> MetricValue? {
    switch column {
    case "schema": .count(schema)
    case "repetition": .count(row.repetition)
    default: nil
    }
  }
}
