internal import FrameBudget
internal import Proving
internal import Reports

/// What is known of one strategy, and the command that shows it.
struct ProofRow {
  let run: PlannedRun
  let proof: Proof
  /// The `run` that drops a frame; nil unless it is refuted.
  let command: String?

  var label: String { proof.strategy.label }

  static func table(_ rows: [ProofRow]) -> RecordTable { RecordTable("proofs", columns, rows) }

  private static let columns: [Column<ProofRow>] =
    [
      Column(RunKey.scenario.name, RunKey.scenario.meaning) { .text($0.run.scenario.name) },
      Column(RunKey.strategy.name, RunKey.strategy.meaning) { .text($0.proof.strategy.name) },
      Column(RunKey.options.name, RunKey.options.meaning) { .text($0.proof.strategy.options) },
      Column(RunKey.changes.name, RunKey.changes.meaning) { .text($0.run.changes) },
      Column(RunKey.cores.name, RunKey.cores.meaning) { .count($0.run.machine.cores) },
      Column("verdict", "proven, refuted or open") { .text($0.proof.verdict.rawValue) },
    ] + bounds + found

  private static let bounds: [Column<ProofRow>] = [
    Column("bound_ms", "the most that the tightest budget is used; empty without a bound") {
      ($0.proof.bound.tightest?.total.inMilliseconds).map(MetricValue.real)
    },
    Column("budget_ms", "that budget") {
      ($0.proof.bound.tightest?.available.inMilliseconds).map(MetricValue.real)
    },
    Column("tightest", "what it is of") { ($0.proof.bound.tightest?.name).map(MetricValue.text) },
    Column("parts", "what uses it, in ms: KIND NAME=MS;...") { row in
      (row.proof.bound.tightest?.parts).map { parts in
        .text(
          parts.map { part in
            let name = part.name.isEmpty ? "" : " \(part.name)"
            return
              "\(part.kind.rawValue)\(name)=\(Decimal.text(part.total.inMilliseconds, places: 6))"
          }.joined(separator: ";"))
      }
    },
    Column("growth", "how many times the stated costs are proven to be borne") {
      $0.proof.growth.map { .real(Double($0) / 1000) }
    },
    Column("unbounded", "what has no bound, and what would give it one") { row in
      .text(row.proof.bound.gaps.map { "\($0.reason): \($0.remedy)" }.joined(separator: "; "))
    },
  ]

  private static let found: [Column<ProofRow>] = [
    Column("runs", "that were made to find a dropped frame") { .count($0.proof.runs) },
    Column("complete", "1 if the search came to its end, 0 if it was interrupted") {
      .count($0.proof.isCut ? 0 : 1)
    },
    Column("found_ms", "the most that a frame took in the worst of them") {
      ($0.proof.worst?.longestFrame).map { .real(Double($0) / 1e6) }
    },
    Column(Metric.droppedFrames.name, "in the worst of them") {
      ($0.proof.worst?.dropped).map(MetricValue.count)
    },
    Column("command", "that shows it; empty unless refuted") { $0.command.map(MetricValue.text) },
    Column("limit", "how many frames a run may drop") { .count($0.proof.limit) },
    Column("most_dropped", "frames that any run drops; empty without a bound") {
      $0.proof.bound.dropped.map(MetricValue.count)
    },
    Column("most_in_a_row", "vsyncs in a row without a new frame; empty without a bound") {
      $0.proof.bound.droppedInARow.map(MetricValue.count)
    },
    .learnedMark { $0.run.scenario.learned },
  ]
}
