internal import FrameBudget

/// A run as the page shows it: all repetitions of one strategy, by their medians.
struct PageRow {
  let origin: String
  let scenario: String
  let label: String
  let changes: String
  let engine: String
  var repetitions: [ResultRow]
  /// Says the scenario, the changes and the engine only where rows differ by them.
  var name = ""

  var strategyAndEngine: String {
    [origin, "\(label) (\(engine))"].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// The median over the repetitions.
  func observed(_ metric: String) -> Observation? {
    Observation.median(repetitions.compactMap { $0.observed(metric) })
  }

  /// Whether others used the processors so much that a quiet machine would have given other figures.
  var isDisturbed: Bool { value(Metric.disturbed.name) ?? 0 > 0 }

  func value(_ metric: String) -> Double? { observed(metric)?.value }

  func text(_ metric: String) -> String {
    observed(metric).map { ($0.isBound ? ">" : "") + Decimal.text($0.value, places: 3) } ?? ""
  }

  /// The runs in `results`, each with what tells it from the others in `all`.
  static func rows(_ results: [ResultRow], among all: [ResultRow]) -> [PageRow] {
    var rows: [PageRow] = []
    var places: [[String]: Int] = [:]
    for row in results {
      let key = [row.origin] + row.subject
      if let place = places[key] {
        rows[place].repetitions.append(row)
      } else {
        places[key] = rows.count
        rows.append(
          PageRow(
            origin: row.origin, scenario: row.scenario, label: row.label, changes: row.changes,
            engine: row.engine,
            repetitions: [row]))
      }
    }
    return named(rows, among: all)
  }

  private static func named(_ rows: [PageRow], among all: [ResultRow]) -> [PageRow] {
    let (scenarios, engines) = (Set(all.map(\.scenario)), Set(all.map(\.engine)))
    // The same runs in several results are told apart by where they are from.
    let origins = Dictionary(grouping: all, by: \.subject).values.map { Set($0.map(\.origin)) }
    let showsOrigin = origins.contains { $0.count > 1 }
    return rows.map { row in
      var named = row
      let parts = [
        showsOrigin ? row.origin : "", scenarios.count > 1 ? row.scenario : "", row.label,
        row.changes, engines.count > 1 ? row.engine : "",
      ]
      named.name = parts.filter { !$0.isEmpty }.joined(separator: " · ")
      return named
    }
  }
}

extension ResultRow {
  /// What the row is about, whoever measured it.
  fileprivate var subject: [String] { [scenario, label, changes, engine] }
}
