internal import FrameBudget

/// The largest loads as CSV: a line for each strategy.
enum LimitCSV {
  static let endedAt = "ended_at"
  static let endedBy = "ended_by"

  /// The keys of the search's runs, less what each of those had for itself.
  static let format = LineFormat<LimitRow>(
    ReportRow.keys.filter { ![RunKey.repetition.name, RunKey.warmup.name].contains($0.name) }
      .map { $0.of(\.run) } + [
        Column("path", "what of the scenario is the load") { .text($0.path) },
        Column("from", "the smallest load that was allowed") { .count($0.range.lowerBound) },
        Column("to", "the largest load that was allowed") { .count($0.range.upperBound) },
        Column("largest", "the largest load that was borne; empty if none was") {
          $0.outcome.largest.map(MetricValue.count)
        },
        Column(endedAt, "the next load, which was too much; empty if none was") {
          $0.outcome.end.map { .count($0.load) }
        },
        Column(endedBy, "what kind of limit that was") {
          $0.outcome.end.map { .text($0.overload.name) }
        },
        Column("why", "the same as a sentence") {
          $0.outcome.end.map { .text($0.overload.description) }
        },
        Column("runs", "how many runs the search made", .count) { .count($0.outcome.runs) },
        // It came later than the other columns.
        Column(RunKey.repetition.name, RunKey.repetition.meaning) { .count($0.run.repetition) },
        Column.learned.of(\.run),
      ])
}
