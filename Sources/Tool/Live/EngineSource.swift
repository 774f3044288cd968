internal import Advice
internal import FrameBudget
internal import RealTime
internal import Reports
internal import SchedulableObjects
internal import Simulation
internal import Terminal

/// Feeds the view from runs that somebody watches and changes, on either engine.
struct EngineSource: LiveSource {
  /// As it is run, and as advice is for it: as long as its file says.
  private let scenario: Scenario
  private let written: Scenario
  private var strategies: [Strategy]
  private let machine: Machine
  private let costs: Costs
  private let metrics: [MetricSet]?
  private let stage: MainStage
  private var running = Running.nothing
  private var plans: [RunPlan] = []
  private var search: BackgroundAdvice?

  private enum Running {
    case nothing
    case real(RunWatch, RunGlance)
    case virtual(VirtualRuns)
  }

  /// Runs last as long as the scenario says, but no less than `least`.
  init(_ plan: LiveFeed.Plan, stage: MainStage, least: TimeSpan = .zero) {
    var scenario = plan.scenario
    scenario.duration = max(scenario.duration, least)
    self.scenario = scenario
    written = plan.scenario
    strategies = plan.strategies
    machine = plan.machine
    costs = plan.costs
    metrics = plan.metrics
    self.stage = stage
  }

  mutating func perform(_ command: Command, on model: inout LiveModel) {
    switch command {
    case .start(let choices, let refresh, let engine):
      start(choices, refresh, engine, &model)
    case .add(let count): add(count)
    case .step: if case .virtual(let runs) = running { runs.step(&model) }
    case .advise: advise(&model)
    case .save: model.note(save(model))
    case .quit: break
    }
  }

  mutating func update(_ model: inout LiveModel) {
    if let problem = stage.takeProblem() { model.note(problem) }
    takeAdvice(&model)
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

  /// Stops the real run that is under way, if one is, and whoever looks for advice.
  func stop() {
    stopRun()
    search?.stop()
  }

  private func stopRun() { if case .real(let watch, _) = running { watch.stop() } }

  private mutating func start(
    _ choices: [Int], _ refresh: RefreshRate, _ engine: EngineKind, _ model: inout LiveModel
  ) {
    update(&model)
    stopRun()
    var scenario = scenario
    scenario.display.refresh = refresh
    plans = choices.map { RunPlan(scenario, under: strategies[$0]) }
    model.begin(plans.map { RunModel($0, on: engine, metrics: metrics) }, chosen: choices)
    switch engine {
    case .real:
      let watch = RunWatch()
      stage.ask(for: MainStage.Piece(plan: plans[0], watch: watch))
      running = .real(watch, RunGlance())
    case .virtual: running = .virtual(VirtualRuns(plans, on: machine, costs))
    }
  }

  // MARK: Advice

  /// Begins to look for what helps the strategy that keys are about; the run goes on meanwhile.
  private mutating func advise(_ model: inout LiveModel) {
    if let search {
      return model.note("still looking for what helps: \(English.count(search.runs, "run")) so far")
    }
    guard let place = model.current else { return }
    var scenario = written
    scenario.display.refresh = model.refresh
    scenario.machine = machine
    var request = AdviceRequest(scenario, today: strategies[place])
    request.costs = costs
    do throws(ThreadError) {
      search = try BackgroundAdvice(request)
      model.note("looking for the smallest change to \(strategies[place].label) that helps")
    } catch {
      model.note("no thread to look for advice on: \(error)")
    }
  }

  /// Once there is advice: puts it on the list, and in place of the strategy that it is about, if that runs still.
  private mutating func takeAdvice(_ model: inout LiveModel) {
    guard let advice = search?.answer else { return }
    search = nil
    guard let trial = advice.proposals.first?.trial, let engine = model.engine else {
      return model.note(LiveAdvice.words(advice))
    }
    let choice = place(of: trial.arrangement, &model)
    var chosen = model.chosen
    let old = strategies.firstIndex { $0.label == advice.request.today.label }
    if let old, let pane = chosen.firstIndex(of: old), !chosen.contains(choice) {
      chosen[pane] = choice
      start(chosen, model.refresh, engine, &model)
    }
    model.note("\(strategies[choice].label): \(LiveAdvice.words(advice))")
  }

  private mutating func place(of arrangement: Arrangement, _ model: inout LiveModel) -> Int {
    if let known = strategies.firstIndex(where: { $0.arrangement == arrangement }) { return known }
    let name = LiveAdvice.name(among: strategies.map(\.name))
    strategies.append(Strategy(name: name, arrangement: arrangement))
    return model.offer(name)
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
