internal import FrameBudget

/// A comparison as CSV: a line for each metric of each group.
enum ComparisonCSV {
  /// What became of a metric in a group.
  struct Row {
    let group: String
    let of: MetricComparison
  }

  static let format = LineFormat<Row>([
    Column(RunKey.schema.name, RunKey.schema.meaning) { _ in .count(MetricCatalog.schema) },
    Column("group", "the runs that are compared: scenario, strategy, engine") { .text($0.group) },
    Column("metric", "its name") { .text($0.of.metric) },
    Column("unit", "of the metric, and of all differences") { .text($0.of.unit.rawValue) },
    Column("gated", "1 if it decides, else 0") { .count($0.of.isGated ? 1 : 0) },
    Column("base", "trimmed mean over its runs, without the lowest and the highest fifth") {
      real($0.of.base?.value)
    },
    Column("new", "the same of the new result") { real($0.of.new?.value) },
    Column("base_count", "how many runs that is of", .count) { .count($0.of.baseCount) },
    Column("new_count", "how many runs that is of", .count) { .count($0.of.newCount) },
    Column("difference", "new less base") { real($0.of.difference) },
    Column("interval_low", "lower end of its 95 % interval") { real($0.of.interval?.lowerBound) },
    Column("interval_high", "upper end of its 95 % interval") { real($0.of.interval?.upperBound) },
    Column("effect", "Cliff's delta, from -1 to 1") { real($0.of.effect) },
    Column("p", "two-sided, by Mann and Whitney; of gated metrics corrected for their number") {
      real($0.of.p)
    },
    Column("verdict", "better, worse, same, no worse (the same or better), or inconclusive") {
      .text($0.of.verdict.rawValue)
    },
    Column("note", "why nothing can be said, and what would help") {
      $0.of.note.map(MetricValue.text)
    },
    Column("base_is_bound", "1 if base is a lower bound, else 0") { isBound($0.of.base) },
    Column("new_is_bound", "1 if new is a lower bound, else 0") { isBound($0.of.new) },
    Column("counts_from", "a change that is unlikely to be chance counts from here on") { row in
      amount(row.of) { $0.countsFrom($1) }
    },
    Column("passes_up_to", "a change that may be chance passes up to here") { row in
      amount(row.of) { $0.passesUpTo($1) }
    },
    Column("base_low", "the least of base over small changes of costs and arrivals") {
      real($0.of.baseRange?.lowerBound)
    },
    Column("base_high", "the largest of base over them") { real($0.of.baseRange?.upperBound) },
    Column("new_low", "the least of new over them") { real($0.of.newRange?.lowerBound) },
    Column("new_high", "the largest of new over them") { real($0.of.newRange?.upperBound) },
  ])

  private static func real(_ value: Double?) -> MetricValue? { value.map(MetricValue.real) }

  /// Nil where every difference counts.
  private static func amount(
    _ metric: MetricComparison, _ amount: (GateMargin, Double) -> Double
  ) -> MetricValue? {
    guard let margin = metric.margin, let base = metric.base else { return nil }
    return .real(amount(margin, base.value))
  }

  private static func isBound(_ value: Observation?) -> MetricValue? {
    value.map { .count($0.isBound ? 1 : 0) }
  }
}
