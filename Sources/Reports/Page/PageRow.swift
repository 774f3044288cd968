internal import FrameBudget

/// A run as the page shows it: all repetitions of one strategy, by their medians.
struct PageRow {
  let scenario: String
  let label: String
  let changes: String
  let engine: String
  var repetitions: [ResultRow]
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

  /// The runs in `results`, each with what tells it from the others in `all`.
  static func rows(_ results: [ResultRow], among all: [ResultRow]) -> [PageRow] {
    var rows: [PageRow] = []
    var places: [[String]: Int] = [:]
    for row in results {
      let key = [row.scenario, row.label, row.changes, row.engine]
      if let place = places[key] {
        rows[place].repetitions.append(row)
      } else {
        places[key] = rows.count
        rows.append(
          PageRow(
            scenario: row.scenario, label: row.label, changes: row.changes, engine: row.engine,
            repetitions: [row]))
      }
    }
    return named(rows, among: all)
  }

  private static func named(_ rows: [PageRow], among all: [ResultRow]) -> [PageRow] {
    let scenarios = Set(all.map(\.scenario)).count > 1
    let engines = Set(all.map(\.engine)).count > 1
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
