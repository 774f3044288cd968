internal import Foundation
internal import FrameBudget
internal import Reports
internal import Scenarios
internal import ShippedScenarios

/// The documentation's page of each named strategy: its picture, predictions and measurements.
///
/// The other parts of the page are written by hand.
struct StrategyPages {
  /// The scenarios of the pages; the second one is for strategies that need more than the first one has.
  static let scenarios = ["camera-upload", "multi-select"]
  static let scenarioOfEvents = "long-task"

  /// Links to the pages, from the folder that theirs is in.
  static let list = StrategyCatalog.all.map {
    "- [\($0.name)](Strategies/\($0.name).md): \($0.summary)\n"
  }.joined()

  let files: [GeneratedFile]

  /// `pages` is the folder of pages, `measured` that of published measurements.
  init(_ pages: URL, measured: URL) throws {
    let usual = try Self.published(Self.scenarios, in: measured)
    let ofEvents = try Self.published([Self.scenarioOfEvents], in: measured)
    files = try StrategyCatalog.all.map { named in
      let published = named.lack(for: usual[0].scenario) == nil ? usual : ofEvents
      let picture = try Self.picture(of: named.name, on: published[0].scenario)
      let columns = try published.flatMap { scenario, results in
        try Self.columns(named.name, scenario, results)
      }
      return try GeneratedFiles.page(
        pages.appending(component: "\(named.name).md"),
        picture + StrategyTable(columns: columns).text + Self.options(of: named))
    }
  }

  /// Shipped scenarios with their measurements.
  private static func published(
    _ names: [String], in measured: URL
  ) throws -> [(scenario: Scenario, results: [ResultRow])] {
    try ShippedScenarios.all.filter { names.contains($0.name) }.map { shipped in
      let scenario = try shipped.scenario
      return (scenario, try measurements(of: scenario.name, in: measured))
    }
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
    return "On \(scenario.name):\n\n```\n\(sketch.text)```\n\n"
  }

  private static func columns(
    _ name: String, _ scenario: Scenario, _ results: [ResultRow]
  ) throws -> [StrategyTable.Column] {
    let strategy = try StrategyCatalog.strategy(name, for: scenario)
    let predicted = PublishedResults.prediction(of: scenario, under: strategy)
    let measured = results.filter { $0.label == name }
    let columns = [
      StrategyTable.Column(title: "\(scenario.name), predicted") { predicted.observed($0) }
    ]
    if measured.isEmpty { return columns }
    return columns + [
      StrategyTable.Column(title: "measured") { measured.median($0) }
    ]
  }

  /// The measurements of every strategy on one machine; empty if they are not published.
  private static func measurements(of scenario: String, in folder: URL) throws -> [ResultRow] {
    try PublishedResults.rows(in: folder.appending(component: "every-strategy-\(scenario)"))
      .filter { $0.scenario == scenario && $0.changes.isEmpty }
  }
}

/// The table on a strategy's page: its gain and its price, a column per run.
struct StrategyTable {
  /// A run, or the median one of several.
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
