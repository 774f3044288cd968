internal import FrameBudget
internal import Reports

/// The table on a strategy's page: its gain and its price, a column per run.
struct StrategyTable {
  /// A run, or the middle one of several.
  struct Column {
    let title: String
    let value: (_ metric: String) -> Observation?
  }

  private static let rows: [(title: String, metric: Metric)] = [
    ("dropped frames, %", .droppedPercent), ("longest hitch, ms", .hitchMax),
    ("items left undone", .itemsPending), ("responses too late", .responsesLate),
    ("response p99, ms", .response(.p99)), ("business logic on main, ms per frame", .mainLogic),
    ("handing over on main, µs per item", .handOff), ("hops per item", .hops),
    ("UI waits for locks, ms", .lockWait), ("copying for snapshots, ms", .publishing),
  ]

  let columns: [Column]

  var text: String {
    let head = [""] + columns.map(\.title)
    let body = Self.rows.map { row in
      [row.title] + columns.map { $0.value(row.metric.name).map(Figure.text) ?? "" }
    }
    return MarkdownTable.text(head, body)
  }
}
