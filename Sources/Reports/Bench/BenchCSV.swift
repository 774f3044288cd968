public import FrameBudget

/// The lines of `bench --format csv`, as measured: one for each subject, number of producers and repetition, then one
/// for each size of a state and repetition.
public enum BenchCSV {
  static let schema = 1

  /// The columns, which JSON has as keys.
  static let columns: [Column<HandOffMeasurement>] = [
    Column(RunKey.schema.name, "version of these columns") { _ in .count(schema) },
    Column("carrier", "what was handed to; limit: memory that is allocated, pushed and freed") {
      .text(HandOffMeasurement.name(of: $0.carrier))
    },
    Column("queue", "which of its queues, where there are several") {
      $0.queue.map(MetricValue.text)
    },
    Column("producers", "how many threads handed over at once") { .count($0.producers) },
    Column(RunKey.repetition.name, RunKey.repetition.meaning) { .count($0.repetition) },
    Column("events_per_s", "events that ran per second, in a stream") {
      .real($0.eventsPerSecond.rounded())
    },
    Column("post_ns_p50", "median of what a post takes, in a stream") { .real($0.post.p50) },
    Column("post_ns_p99", "p99 of it") { .real($0.post.p99) },
    Column("latency_us_p50", "median, from a post to a sleeper until it runs", .microseconds) {
      ($0.idle?.latency.p50).map { .real($0 / 1000) }
    },
    Column("latency_us_p99", "p99 of it", .microseconds) {
      ($0.idle?.latency.p99).map { .real($0 / 1000) }
    },
    Column("latency_us_max", "the longest", .microseconds) {
      ($0.idle?.latency.max).map { .real($0 / 1000) }
    },
    Column("wakes_per_1000", "how often its thread was woken, or slept, in 1000 events") {
      $0.wakesPerThousand.map(MetricValue.real)
    },
    Column(
      "verb", "the words in which events were sent, where they are not the carrier's usual ones"
    ) {
      $0.verb.map(MetricValue.text)
    },
  ]

  /// The columns of copying, which stand behind those of hand-offs; both know the repetition.
  static let copyColumns: [Column<CopyMeasurement>] = [
    Column("records", "size of the state that was copied", .count) { .count($0.records) },
    Column("copy_ns_per_record", "median of copying it, per record") { .real($0.copyPerRecord) },
    Column("release_ns_per_record", "median of freeing the copy, per record") {
      .real($0.releasePerRecord)
    },
  ]

  public static func text(
    _ measured: [HandOffMeasurement], copies: [CopyMeasurement] = []
  ) -> String {
    let (handOffs, copying) = (LineFormat(columns), LineFormat(copyColumns))
    let head = columns.map(\.name) + copyColumns.map(\.name)
    let measured = measured.map { handOffs.cells($0) + copying.cells(nil) }
    let copied = copies.map { row in
      columns.map { shared($0.name, row)?.description ?? "" } + copying.cells(row)
    }
    return ([head] + measured + copied).map(CSV.line).joined()
  }

  private static func shared(_ column: String, _ row: CopyMeasurement) -> MetricValue? {
    switch RunKey(rawValue: column) {
    case .schema: .count(schema)
    case .repetition: .count(row.repetition)
    default: nil
    }
  }
}
