internal import Foundation
internal import FrameBudget
internal import Parsing
internal import Reports
internal import Scenarios
internal import ShippedScenarios
internal import Simulation

/// What was predicted for the shipped scenarios on two cores beside what was measured on such a machine.
struct AgreementTable {
  /// A scenario under one of its strategies; of several runs, the middle value of each metric counts.
  private struct Row {
    let scenario: Scenario
    let strategy: Strategy
    let predicted: RunMetrics
    let measured: [ResultRow]

    func measured(_ metric: String) -> Double? {
      let values = measured.compactMap { $0[metric] }.sorted()
      return values.isEmpty ? nil : values[values.count / 2]
    }
  }

  /// A metric, and whether a prediction and a measurement of it differ.
  private struct Column {
    let metric: String
    let title: String
    let differ: @Sendable (_ predicted: Double, _ measured: Double) -> Bool

    init(_ metric: String, _ title: String, differ: @escaping @Sendable (Double, Double) -> Bool) {
      self.metric = metric
      self.title = title
      self.differ = differ
    }
  }

  private static let columns: [Column] = [
    Column("dropped_frames_pct", "dropped, %") { abs($0 - $1) > 2 },
    Column("items_done", "items done") { abs($0 - $1) > 0.03 * $0 },
    Column("response_ms_p99", "response p99, ms") { abs($0 - $1) > max(0.2 * $0, 5) },
  ]
  private static let cores = 2
  /// From this share on the cores are called overloaded.
  private static let fullLoad = 0.9

  private let rows: [Row]

  /// `folder` holds a folder of results for each scenario.
  init(_ folder: URL) throws {
    rows = try ShippedScenarios.all.flatMap { shipped -> [Row] in
      let file = folder.appending(path: "\(shipped.name)/summary.csv")
      guard FileManager.default.fileExists(atPath: file.path) else { return [] }
      let results = try ResultSet(ByteSource(path: file.path)).rows
      return Self.rows(
        of: try ScenarioFile.parse(shipped.bytes, file: shipped.file), measured: results)
    }
  }

  private static func rows(of scenario: Scenario, measured: [ResultRow]) -> [Row] {
    let engine = VirtualEngine(machine: Machine(cores: cores))
    return scenario.strategies.compactMap { strategy in
      let measured = measured.filter {
        $0.engine == EngineKind.real.rawValue && $0.strategy == strategy.name
          && $0.options == strategy.options
      }
      if measured.isEmpty { return nil }
      return Row(
        scenario: scenario, strategy: strategy,
        predicted: RunMetrics(engine.run(RunPlan(scenario, under: strategy))), measured: measured)
    }
  }

  var markdown: String {
    let titles = Self.columns.flatMap { ["\($0.title), predicted", "measured"] }
    let head = ["scenario", "strategy"] + titles
    let body = rows.map { [$0.scenario.name + load(of: $0), $0.strategy.label] + cells(of: $0) }
    return ([head, head.map { _ in "---" }] + body).map {
      "| \($0.joined(separator: " | ")) |\n"
    }.joined()
  }

  private func cells(of row: Row) -> [String] {
    Self.columns.flatMap { column in
      let values = (row.predicted[column.metric], row.measured(column.metric))
      guard let predicted = values.0, let measured = values.1 else {
        return [values.0, values.1].map { $0.map(Figure.text) ?? "" }
      }
      let mark = column.differ(predicted, measured) ? " *" : ""
      return [Figure.text(predicted), Figure.text(measured) + mark]
    }
  }

  /// A mark for a run that leaves the cores hardly any time, by the prediction.
  private func load(of row: Row) -> String {
    let used = ["main_cpu_ms", "background_cpu_ms"].compactMap { row.predicted[$0] }.reduce(0, +)
    let there = row.scenario.duration.inMilliseconds * Double(Self.cores)
    return used > there * Self.fullLoad ? " †" : ""
  }
}
