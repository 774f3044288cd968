internal import FrameBudget
internal import RealTime
internal import Reports
internal import Simulation

/// One run that is to be made.
struct PlannedRun {
  let plan: RunPlan
  let engine: EngineKind
  let changes: String
  let repetition: Int
  /// Cores of the simulated machine, where `--cores` says so.
  let cores: Int?

  var scenario: Scenario { plan.scenario }
  var length: TimeSpan { scenario.duration + scenario.warmup }

  /// Makes the run; `progress` tells of a real one while it goes on.
  func made(
    _ options: RealEngine.Options, progress: RunProgress
  ) throws(ToolError) -> ReportRow {
    switch engine {
    case .real:
      do {
        let log = try RealEngine(options).run(plan, progress: progress)
        return row(log, cores: HostFacts.usableCores)
      } catch {
        throw ToolError(.unavailable, "\(error)")
      }
    case .virtual:
      let machine = cores.map(Machine.init(cores:)) ?? scenario.machine
      let log = VirtualEngine(machine: machine, detail: options.detail).run(plan)
      return row(log, cores: machine.cores)
    }
  }

  private func row(_ log: RunLog, cores: Int) -> ReportRow {
    ReportRow(log, changes: changes, cores: cores, repetition: repetition)
  }
}
