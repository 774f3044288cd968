internal import FrameBudget
internal import Reports
internal import Scenarios
internal import ShippedScenarios
internal import Simulation

/// Every shipped scenario under each of its strategies on machines of several sizes, in virtual time.
struct ReferenceResults {
  static let cores = [1, 2, 6]

  private let rows: [ReportRow]

  init() throws {
    rows = try ShippedScenarios.all.flatMap { shipped in
      Self.rows(of: try ScenarioFile.parse(shipped.bytes, file: shipped.file))
    }
  }

  var summary: String { SummaryCSV.text(rows) }
  var workloads: String { WorkloadsCSV.text(rows) }

  private static func rows(of scenario: Scenario) -> [ReportRow] {
    scenario.strategies.flatMap { strategy in
      cores.map { cores in
        let engine = VirtualEngine(machine: scenario.machine.having(cores: cores))
        return ReportRow(engine.run(RunPlan(scenario, under: strategy)), cores: cores)
      }
    }
  }
}
