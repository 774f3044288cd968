/// How much each arrangement bears: the rows of each `limit.csv`.
struct LimitSection {
  let limits: [LimitResults]

  /// Empty without a `limit.csv`.
  func html() -> String {
    let rows = limits.flatMap(\.rows)
    guard !rows.isEmpty else { return "" }
    let header = ["strategy", "largest", "ended by", "load", "scenario", "changes", "engine"]
    let cells = rows.map { row in
      [
        row.label, row.largest.map(String.init) ?? "none",
        row.endedAt.map { "at \($0): \(row.why)" } ?? "nothing up to \(row.range.upperBound)",
        row.path, row.scenario, row.changes, row.engine,
      ]
    }
    return "<section><h2>How much it bears</h2>\(HTML.table(header, cells))</section>\n"
  }
}
