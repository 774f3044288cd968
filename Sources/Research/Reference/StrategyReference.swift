internal import Foundation
internal import FrameBudget
internal import FrameBudgetReports
internal import FrameBudgetScenarios

/// What the program knows of each named strategy: its picture and its options, a section each.
///
/// The pages in the documentation are written by hand.
struct StrategyReference {
  /// The scenarios of the pictures; the second one is for strategies that need more than the first one has.
  static let scenarios = ["camera-upload", "multi-select"]
  static let scenarioOfEvents = "long-task"

  /// Links to the pages, from the folder that theirs is in.
  static let list = StrategyCatalog.all.map {
    "- [\($0.name)](Strategies/\($0.name).md): \($0.summary)\n"
  }.joined()

  static func page(in project: URL) -> URL {
    project.appending(components: "results", "reference", "strategies.md")
  }

  static var markdown: String {
    get throws {
      let usual = try scenario(scenarios[0])
      let ofEvents = try scenario(scenarioOfEvents)
      return try StrategyCatalog.all.map { named in
        let scenario = [usual, ofEvents].first { named.lack(for: $0) == nil } ?? marked(usual)
        let page = "../../Documentation/Strategies/\(named.name).md"
        return "## \(named.name)\n\n[The page](\(page)). "
          + (try picture(of: named.name, on: scenario)) + options(of: named)
      }.joined(separator: "\n")
    }
  }

  static func scenario(_ name: String) throws -> Scenario {
    guard let shipped = ShippedScenarios.scenario(name) else {
      preconditionFailure("no shipped scenario is called \(name)")
    }
    return try shipped.scenario
  }

  /// The scenario if only the newest item of its last workload matters.
  private static func marked(_ scenario: Scenario) -> Scenario {
    var marked = scenario
    marked.name += ", with 'admission' of its last workload"
    for workload in scenario.workloads.indices.suffix(1) {
      marked.workloads[workload].admission = .all
    }
    return marked
  }

  /// The options of a strategy; empty if it has none.
  private static func options(of strategy: NamedArrangement) -> String {
    guard !strategy.options.isEmpty else { return "" }
    let rows = strategy.options.map { ["`\($0.name)`", "\($0.standard)", $0.allowed, $0.meaning] }
    return "\n" + MarkdownTable.text(["option", "default", "allowed", "meaning"], rows)
  }

  private static func picture(of name: String, on scenario: Scenario) throws -> String {
    let strategy = try StrategyCatalog.strategy(name, for: scenario)
    let sketch = ArrangementSketch(scenario, under: strategy.arrangement)
    return "On \(scenario.name):\n\n```\n\(sketch.text)```\n"
  }
}

/// The gain and the price of every named strategy, predicted and measured: a table for each scenario.
struct StrategyTables {
  /// From the project's folder.
  static let place = "results/measured/strategies.md"

  private static let metrics: [(title: String, metric: Metric)] = [
    ("dropped frames, %", .droppedPercent), ("longest hitch, ms", .hitchMax),
    ("items left undone", .backlog), ("responses too late", .responsesLate),
    ("response p99, ms", .response(.p99)), ("business logic on main, ms per frame", .mainLogic),
    ("handing over on main, µs per item", .handOff), ("hops per item", .hops),
    ("UI waits for locks, ms", .lockWait), ("copying for snapshots, ms", .publishing),
  ]

  /// `measured` is the folder of published measurements.
  let measured: URL

  var markdown: String {
    get throws {
      let names = StrategyReference.scenarios + [StrategyReference.scenarioOfEvents]
      return try names.map { try table(StrategyReference.scenario($0)) }.joined(separator: "\n")
    }
  }

  private func table(_ scenario: Scenario) throws -> String {
    let results = try measurements(of: scenario.name)
    let body = try StrategyCatalog.all(for: scenario).map { named in
      try cells(StrategyCatalog.strategy(named.name, for: scenario), scenario, results)
    }
    return "## \(scenario.name)\n\n"
      + MarkdownTable.text(["strategy"] + Self.metrics.map(\.title), body)
  }

  /// A cell has the prediction and, after a stroke, the median of the measurements, if there are any.
  private func cells(
    _ strategy: Strategy, _ scenario: Scenario, _ results: [RunRecord]
  ) -> [String] {
    let predicted = PublishedResults.prediction(of: scenario, under: strategy)
    let measured = results.filter { $0.label == strategy.label }
    return [strategy.label]
      + Self.metrics.map { row in
        let values =
          [predicted.observed(row.metric.name)]
          + (measured.isEmpty ? [] : [measured.median(row.metric.name)])
        return values.contains { $0 != nil }
          ? values.map { $0.map(Figure.text) ?? "–" }.joined(separator: " / ") : ""
      }
  }

  /// The measurements of every strategy on one machine; empty if they are not published.
  private func measurements(of scenario: String) throws -> [RunRecord] {
    try PublishedResults.rows(in: measured.appending(component: "every-strategy-\(scenario)"))
      .filter { $0.scenario == scenario && $0.changes.isEmpty }
  }
}
