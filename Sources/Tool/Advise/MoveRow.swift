internal import Advice
internal import FrameBudget
internal import Reports

/// What one move of an arrangement bought, as a line of `moves.csv`.
struct MoveRow {
  private let scenario: String
  private let arrangement: String
  private let effect: MoveEffect

  /// Of all arrangements that are advised.
  static func table(_ advice: NamedAdvice) -> RecordTable {
    let rows = advice.rows.flatMap { row in
      (row.proposal?.effects ?? []).map { effect in
        MoveRow(
          scenario: row.advice.request.scenario.name, arrangement: row.name, effect: effect)
      }
    }
    return RecordTable("moves", columns, rows)
  }

  private static let columns: [Column<MoveRow>] =
    [
      Column(RunKey.scenario.name, RunKey.scenario.meaning) { .text($0.scenario) },
      Column(.arrangement, "of which it is a part") { .text($0.arrangement) },
      Column(.move, "the service that moves, or the rule that changes") { .text($0.effect.words) },
    ]
    + outcome([.droppedWithout, .lateWithout, .pendingWithout], "all the others without it") {
      $0.effect.without
    }
    + outcome([.droppedAlone, .lateAlone, .pendingAlone], "it alone") { $0.effect.alone }

  /// Empty where that cannot be.
  private static func outcome(
    _ names: [AdviceColumn], _ what: String,
    _ outcome: @escaping @Sendable (MoveRow) -> Outcome?
  ) -> [Column<MoveRow>] {
    let values: [@Sendable (Outcome) -> Int?] = [{ $0.dropped }, { $0.late }, { $0.pending }]
    let words = ["dropped frames", "late responses", "undone items"]
    return zip(zip(names, words), values).map { name, value in
      Column(name.0, "\(name.1) with \(what)") { row in
        outcome(row).flatMap(value).map(MetricValue.count)
      }
    }
  }
}

extension Column {
  /// One that the page reads back.
  init(
    _ column: AdviceColumn, _ meaning: String, _ value: @escaping @Sendable (Row) -> MetricValue?
  ) {
    self.init(column.rawValue, meaning, Metric.Unit.none, value)
  }
}
