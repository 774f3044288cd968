internal import FrameBudget
internal import Reports

/// The table on a strategy's page: its gain and its price, a column per run.
struct StrategyTable {
  /// A run, or the middle one of several.
  struct Column {
    let title: String
    let value: (_ metric: String) -> Observation?
  }

  private static let rows: [(title: String, metric: String)] = [
    ("dropped frames, %", "dropped_frames_pct"), ("longest hitch, ms", "hitch_max_ms"),
    ("items left undone", "items_pending"), ("responses too late", "responses_late"),
    ("response p99, ms", "response_ms_p99"),
    ("business logic on main, ms per frame", "main_logic_ms_per_frame"),
    ("handing over on main, µs per item", "handoff_us_per_item"),
    ("hops per item", "hops_per_item"), ("UI waits for locks, ms", "lock_wait_ms_total"),
    ("copying for snapshots, ms", "publish_ms_total"),
  ]

  let columns: [Column]

  var text: String {
    let head = [""] + columns.map(\.title)
    let body = Self.rows.map { row in
      [row.title] + columns.map { $0.value(row.metric).map(Figure.text) ?? "" }
    }
    return MarkdownTable.text(head, body)
  }
}
