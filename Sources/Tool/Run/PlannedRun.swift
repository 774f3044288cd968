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
  /// What the simulation assumes.
  let costs: Costs

  var scenario: Scenario { plan.scenario }
  var length: TimeSpan { scenario.duration + scenario.warmup }

  /// The simulated machine.
  var machine: Machine { cores.map(scenario.machine.having) ?? scenario.machine }

  /// Makes the run; `progress` tells of a real one while it goes on.
  func made(
    _ options: RealEngine.Options, ranges: Bool = false, progress: RunProgress
  ) throws(ToolError) -> ReportRow {
    guard engine == .real else { return simulated(options.detail, ranges: ranges) }
    do {
      let log = try RealEngine(options, carriers: .ofThisBuild).run(plan, progress: progress)
      return row(RunMetrics(log), cores: HostFacts.usableCores)
    } catch {
      throw ToolError(error, of: plan.strategy.label)
    }
  }

  /// Makes the run in virtual time; with `ranges` also those that show how far its figures move.
  func simulated(_ detail: FrameLedger.Detail, ranges: Bool) -> ReportRow {
    precondition(engine == .virtual, "a real run happens on the main thread")
    let simulator = VirtualEngine(machine: machine, costs: costs, detail: detail)
    let metrics = RunMetrics(simulator.run(plan))
    guard ranges else { return row(metrics, cores: machine.cores) }
    let range = simulator.range(around: metrics, of: plan) { Interruption.signal == nil }
    return row(metrics.having(range), cores: machine.cores)
  }

  private func row(_ metrics: RunMetrics, cores: Int) -> ReportRow {
    ReportRow(metrics, changes: changes, cores: cores, repetition: repetition)
  }
}

extension ToolError {
  init(_ error: RealEngineError, of strategy: String) {
    switch error {
    case .files(let problem): self.init(.noInput, problem.description)
    case .threads: self.init(.unavailable, "\(strategy): \(error)")
    case .carrier, .notPermitted: self.init(.unavailable, error.description)
    }
  }
}
