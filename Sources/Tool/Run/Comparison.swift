internal import FrameBudget
internal import RealTime
internal import Scenarios

/// All runs of one command, in their order: by value of `--vary`, repetition, strategy, engine.
///
/// Repetitions are interleaved over strategies, so that a machine that slows down slows all of them.
struct Comparison {
  let runs: [PlannedRun]
  /// Which strategies of `all` the scenario, or this build for real, cannot run, and why.
  let omissions: [String]

  /// What the command line asks for beside the scenario.
  struct Request {
    let options: ScenarioOptions
    let engines: [EngineKind]
    let repetitions: Int
    /// What `--set` says: in every run.
    let set: [Override]
    /// What `--vary` says: each in runs of its own.
    var vary: [Override] = []
    /// What has a flag of its own, and columns of its own in results.
    var hidden: [Override]
    let costs: Costs
    /// What real runs can have lanes on.
    var carriers = CarrierSupply.ofThisBuild

    init(
      _ options: ScenarioOptions, on engine: EngineChoice, repetitions: Int
    ) throws(ToolError) {
      self.options = options
      self.repetitions = repetitions
      engines = engine.engines
      set = try options.overrides()
      hidden = options.flagged
      costs = try options.assumedCosts() ?? .standard
    }

    /// Why this build cannot run `strategy` on the engines; nil if it can.
    func lack(for strategy: Strategy) -> CarrierError? {
      engines.contains(.real) ? carriers.lack(for: strategy.arrangement) : nil
    }
  }

  init(_ source: ScenarioSource, _ request: Request) throws(ToolError) {
    var runs: [PlannedRun] = []
    var omissions: [String] = []
    for varied in request.vary.isEmpty ? [[]] : request.vary.map({ [$0] }) {
      let changes = request.set + varied
      let scenario = try source.scenario(changes + request.hidden)
      func leaveOut(_ name: String, _ lack: String) {
        let omission = "\(name) is left out: \(lack)"
        if !omissions.contains(omission) { omissions.append(omission) }
      }
      let asked = try request.options.strategies(for: scenario) { strategy in
        guard let lack = request.lack(for: strategy) else { return true }
        leaveOut(strategy.label, "\(lack)")
        return false
      }
      for (name, lack) in request.options.lacks(of: scenario) { leaveOut(name, "it \(lack)") }
      let strategies = asked ?? scenario.strategies
      guard !strategies.isEmpty else {
        throw ToolError(.usage, "the scenario names no strategies; --strategy NAME chooses some")
      }
      for strategy in strategies {
        guard let lack = request.lack(for: strategy) else { continue }
        throw ToolError(.unavailable, "\(strategy.label): \(lack)")
      }
      runs += Self.runs(scenario, strategies, request, changes)
    }
    self.runs = runs
    self.omissions = omissions
  }

  private static func runs(
    _ scenario: Scenario, _ strategies: [Strategy], _ request: Request, _ changes: [Override]
  ) -> [PlannedRun] {
    let assumed = request.options.costs.map { ["costs=\($0)"] } ?? []
    let text = (changes.map { "\($0.path)=\($0.value)" } + assumed).joined(separator: ";")
    return (1...request.repetitions).flatMap { repetition in
      strategies.flatMap { strategy in
        let plan = RunPlan(scenario, under: strategy)
        return request.engines.map { engine in
          PlannedRun(
            plan: plan, engine: engine, changes: text, repetition: repetition,
            cores: request.options.cores, costs: request.costs)
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
}
