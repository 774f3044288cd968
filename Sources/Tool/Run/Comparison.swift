internal import FrameBudget
internal import Scenarios

/// All runs of one command, in their order: by value of `--vary`, repetition, strategy, engine.
///
/// Repetitions are interleaved over strategies, so that a machine that slows down slows all of them.
struct Comparison {
  let runs: [PlannedRun]

  /// What the command line asks for beside the scenario.
  struct Request {
    /// As `--strategy` takes them; nil for the scenario's own.
    var strategies: String?
    var engines: [EngineKind]
    /// What `--set` says: in every run.
    var set: [Override] = []
    /// What `--vary` says: each in runs of its own.
    var vary: [Override] = []
    /// What has a flag of its own, and columns of its own in results.
    var hidden: [Override] = []
    var repetitions = 1
    var cores: Int?
    var costs = Costs.standard
    /// The file that the costs are from, if they are not the standard ones.
    var costsFile: String?
  }

  init(_ source: ScenarioSource, _ request: Request) throws(ToolError) {
    // A file that is broken by itself is to be told from a flag that breaks it.
    _ = try source.scenario()
    var runs: [PlannedRun] = []
    for varied in request.vary.isEmpty ? [[]] : request.vary.map({ [$0] }) {
      let changes = request.set + varied
      let scenario = try source.scenario(changes + request.hidden)
      let strategies = try Self.strategies(request.strategies, for: scenario)
      runs += Self.runs(scenario, strategies, request, changes)
    }
    self.runs = runs
  }

  private static func runs(
    _ scenario: Scenario, _ strategies: [Strategy], _ request: Request, _ changes: [Override]
  ) -> [PlannedRun] {
    let assumed = request.costsFile.map { ["costs=\($0)"] } ?? []
    let text = (changes.map { "\($0.path)=\($0.value)" } + assumed).joined(separator: ";")
    return (1...request.repetitions).flatMap { repetition in
      strategies.flatMap { strategy in
        let plan = RunPlan(scenario, under: strategy)
        return request.engines.map { engine in
          PlannedRun(
            plan: plan, engine: engine, changes: text, repetition: repetition,
            cores: request.cores, costs: request.costs)
        }
      }
    }
  }

  /// How long the runs take that happen in real time; at most 292 years.
  var realTime: TimeSpan {
    let sum = runs.filter { $0.engine == .real }.reduce(Int128(0)) {
      $0 + Int128($1.length.nanoseconds)
    }
    return TimeSpan(nanoseconds: Int64(clamping: sum))
  }

  private static func strategies(
    _ list: String?, for scenario: Scenario
  ) throws(ToolError) -> [Strategy] {
    guard let list else {
      guard !scenario.strategies.isEmpty else {
        throw ToolError(.usage, "the scenario names no strategies; --strategy NAME chooses some")
      }
      return scenario.strategies
    }
    do {
      return try StrategyList.parse(list, for: scenario)
    } catch {
      throw ToolError(.usage, "--strategy: \(error)")
    }
  }
}
