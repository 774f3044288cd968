internal import Foundation
internal import FrameBudget
internal import Reports
internal import Scenarios
internal import ShippedScenarios

/// A shipped scenario under a strategy, and what was measured of it.
struct MeasuredRow {
  let scenario: Scenario
  let strategy: Strategy
  /// A row for each run.
  let measured: [ResultRow]

  /// Every one in `folder`, which holds what `make measure` leaves: the scenarios under their own strategies, and two of
  /// them under all that have a name.
  static func all(in folder: URL) throws -> [MeasuredRow] {
    try ShippedScenarios.all.flatMap { shipped in
      let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
      let own = try rows(
        of: scenario, under: scenario.strategies, in: folder, "every-scenario/\(shipped.name)")
      let named = StrategyCatalog.all(for: scenario).filter { named in
        !own.contains { $0.strategy.label == named.name }
      }
      let others = try named.map { try StrategyCatalog.strategy($0.name, for: scenario) }
      return own
        + (try rows(of: scenario, under: others, in: folder, "every-strategy-\(shipped.name)"))
    }
  }

  private static func rows(
    of scenario: Scenario, under strategies: [Strategy], in folder: URL, _ name: String
  ) throws -> [MeasuredRow] {
    let results = try PublishedResults.rows(in: folder.appending(path: name))
    return strategies.compactMap { strategy in
      let measured = results.filter {
        $0.engine == EngineKind.real.rawValue && $0.strategy == strategy.name
          && $0.options == strategy.options && $0.changes.isEmpty
      }
      return measured.isEmpty
        ? nil : MeasuredRow(scenario: scenario, strategy: strategy, measured: measured)
    }
  }
}
