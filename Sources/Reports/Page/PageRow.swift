internal import FrameBudget

/// A run as the page shows it: all repetitions of one strategy, by their medians.
struct PageRow {
  let scenario: String
  let label: String
  let changes: String
  let engine: String
  let repetitions: [ResultRow]
  /// Says the scenario, the changes and the engine only where rows differ by them.
  var name = ""

  var strategyAndEngine: String { "\(label) (\(engine))" }

  /// The median over the repetitions.
  func value(_ metric: String) -> Double? {
    let values = repetitions.compactMap { $0[metric] }.sorted()
    guard !values.isEmpty else { return nil }
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }

  func text(_ metric: String) -> String {
    value(metric).map { Decimal.text($0, places: 3) } ?? ""
  }

  static func rows(_ results: ResultSet) -> [PageRow] {
    var rows: [PageRow] = []
    for row in results.rows {
      let same = rows.firstIndex {
        $0.scenario == row.scenario && $0.label == row.label && $0.changes == row.changes
          && $0.engine == row.engine
      }
      if let same {
        rows[same] = PageRow(
          scenario: row.scenario, label: row.label, changes: row.changes, engine: row.engine,
          repetitions: rows[same].repetitions + [row])
      } else {
        rows.append(
          PageRow(
            scenario: row.scenario, label: row.label, changes: row.changes, engine: row.engine,
            repetitions: [row]))
      }
    }
    return named(rows)
  }

  private static func named(_ rows: [PageRow]) -> [PageRow] {
    let differ = { (key: (PageRow) -> String) in Set(rows.map(key)).count > 1 }
    let (scenarios, engines) = (differ(\.scenario), differ(\.engine))
    return rows.map { row in
      var named = row
      let parts = [
        scenarios ? row.scenario : "", row.label, row.changes, engines ? row.engine : "",
      ]
      named.name = parts.filter { !$0.isEmpty }.joined(separator: " · ")
      return named
    }
  }
}
