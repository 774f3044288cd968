internal import FrameBudget
internal import RealTime
internal import Simulation
internal import Terminal

/// Feeds the view from runs that somebody watches and changes, on either engine.
struct EngineSource: LiveSource {
  private let scenario: Scenario
  private let strategies: [Strategy]
  private let stage: MainStage
  private let save: ([(label: String, frames: [FrameRecord])]) -> String
  private var running = Running.nothing

  private enum Running {
    case nothing
    case real(RunWatch, RunGlance)
    case virtual(VirtualRuns)
  }

  init(
    _ scenario: Scenario, strategies: [Strategy], stage: MainStage,
    save: @escaping ([(label: String, frames: [FrameRecord])]) -> String
  ) {
    self.scenario = scenario
    self.strategies = strategies
    self.stage = stage
    self.save = save
  }

  mutating func perform(_ command: Command, on model: inout LiveModel) {
    switch command {
    case .start(let choices, let refresh, let engine):
      start(choices, refresh, engine, &model)
    case .add(let count): add(count)
    case .step: if case .virtual(let runs) = running { runs.step(&model) }
    case .save: model.note(save(model.recorded))
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
    let plans = choices.map { RunPlan(scenario, under: strategies[$0]) }
    model.begin(plans.map { RunModel($0, on: engine) }, chosen: choices)
    switch engine {
    case .real:
      let watch = RunWatch()
      stage.ask(for: MainStage.Piece(plan: plans[0], watch: watch))
      running = .real(watch, RunGlance())
    case .virtual: running = .virtual(VirtualRuns(plans))
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
