internal import FrameBudget
internal import RealTime
internal import Reports
internal import Simulation
internal import Terminal

/// Feeds the view from runs that somebody watches and changes, on either engine.
struct EngineSource: LiveSource {
  private let scenario: Scenario
  private let strategies: [Strategy]
  private let machine: Machine
  private let costs: Costs
  private let stage: MainStage
  private var running = Running.nothing
  private var plans: [RunPlan] = []

  private enum Running {
    case nothing
    case real(RunWatch, RunGlance)
    case virtual(VirtualRuns)
  }

  init(_ plan: LiveFeed.Plan, stage: MainStage) {
    scenario = plan.scenario
    strategies = plan.strategies
    machine = plan.machine
    costs = plan.costs
    self.stage = stage
  }

  mutating func perform(_ command: Command, on model: inout LiveModel) {
    switch command {
    case .start(let choices, let refresh, let engine):
      start(choices, refresh, engine, &model)
    case .add(let count): add(count)
    case .step: if case .virtual(let runs) = running { runs.step(&model) }
    case .save: model.note(save(model))
    case .quit: break
    }
  }

  mutating func update(_ model: inout LiveModel) {
    if let problem = stage.takeProblem() { model.note(problem) }
    switch running {
    case .nothing: break
    case .real(let watch, let spare):
      let glance = watch.glance(reusing: spare)
      model.take(glance)
      running = .real(watch, glance)
    case .virtual(let runs): runs.advance(&model)
    }
    model.judge(LiveVerdict.words)
  }

  /// Stops the real run that is under way, if one is.
  func stop() { if case .real(let watch, _) = running { watch.stop() } }

  private mutating func start(
    _ choices: [Int], _ refresh: RefreshRate, _ engine: EngineKind, _ model: inout LiveModel
  ) {
    update(&model)
    stop()
    var scenario = scenario
    scenario.display.refresh = refresh
    plans = choices.map { RunPlan(scenario, under: strategies[$0]) }
    model.begin(plans.map { RunModel($0, on: engine) }, chosen: choices)
    switch engine {
    case .real:
      let watch = RunWatch()
      stage.ask(for: MainStage.Piece(plan: plans[0], watch: watch))
      running = .real(watch, RunGlance())
    case .virtual: running = .virtual(VirtualRuns(plans, on: machine, costs))
    }
  }

  /// Writes the frames up to now of the runs under way; returns what came of it.
  private func save(_ model: LiveModel) -> String {
    guard let engine = model.engine else { return "nothing to save" }
    let cores = engine == .real ? HostFacts.usableCores : machine.cores
    let lines = zip(plans, model.recorded).map { plan, recorded in
      FramesCSV.lines(
        recorded.frames, of: plan, engine: engine, cores: cores, until: recorded.until)
    }
    do throws(ToolError) {
      let name = try NewFile.write(
        FramesCSV.header + lines.joined(), toFirstFree: "frames-\(scenario.name)", ".csv")
      return "saved \(name)"
    } catch {
      return error.message
    }
  }

  private func add(_ count: Int) {
    guard !scenario.workloads.isEmpty else { return }
    switch running {
    case .nothing: break
    case .real(let watch, _): watch.add(count, of: 0)
    case .virtual(let runs): runs.add(count)
    }
  }
}
