internal import FrameBudgetAdvice
internal import SchedulableThreads
internal import FrameBudget
internal import FrameBudgetRealTime
internal import FrameBudgetReports
internal import SchedulableObjects
internal import FrameBudgetSimulation
internal import FrameBudgetTerminal

/// The source of the view for live runs, on either engine.
struct EngineSource: LiveSource {
  /// The scenario of the runs, and the original, which may be shorter and is the subject of advice.
  private let scenario: Scenario
  private let written: Scenario
  private var strategies: [Strategy]
  private let machine: Machine
  private let costs: Costs
  private let metrics: [MetricSet]?
  private let stage: MainThreadRunner
  private let patience: Duration
  private var running = Running.nothing
  private var plans: [RunPlan] = []
  private var search: BackgroundAdviceSearch?

  private enum Running {
    case nothing
    case real(RunWatch, RunObservation)
    case virtual(VirtualRuns)
  }

  /// Runs last as long as the scenario says, and at least `least`. The view waits at most `patience` for a recommendation.
  init(
    _ plan: LiveContent.Plan, stage: MainThreadRunner, least: TimeSpan = .zero,
    patience: Duration = .seconds(1)
  ) {
    var scenario = plan.scenario
    scenario.duration = max(scenario.duration, least)
    self.scenario = scenario
    written = plan.scenario
    strategies = plan.strategies
    machine = plan.machine
    costs = plan.costs
    metrics = plan.metrics
    self.stage = stage
    self.patience = patience
  }

  mutating func perform(_ command: Command, on model: inout LiveModel) {
    switch command {
    case .start(let choices, let refresh, let engine):
      start(choices, refresh, engine, &model)
    case .add(let count): add(count)
    case .step: if case .virtual(let runs) = running { runs.step(&model) }
    case .compare: compare(&model)
    case .advise: advise(&model)
    case .save: model.note(save(model))
    case .record, .quit: break
    }
  }

  mutating func update(_ model: inout LiveModel) {
    if let problem = stage.takeProblem() { model.note(problem) }
    takeAdvice(&model)
    switch running {
    case .nothing: break
    case .real(let watch, let spare):
      let observation = watch.observe(reusing: spare)
      model.take(observation)
      running = .real(watch, observation)
    case .virtual(let runs): runs.advance(&model)
    }
    model.updateVerdicts(LiveVerdict.words)
  }

  /// Stops the real run under way and the search for advice, if there are any.
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
      stage.ask(for: MainThreadRunner.Piece(plan: plans[0], watch: watch))
      running = .real(watch, RunObservation())
    case .virtual: running = .virtual(VirtualRuns(plans, on: machine, costs))
    }
  }

  // MARK: Advice

  /// Runs the current strategy beside the one that `run` recommends among those of the scenario, otherwise beside the next.
  private mutating func compare(_ model: inout LiveModel) {
    guard let now = model.current else { return }
    model.recommended = recommendation(at: model.refresh)
    start(model.comparison(of: now), model.refresh, .virtual, &model)
    guard let place = model.recommended, place != now else { return }
    model.note("\(strategies[place].label) is recommended by 'run --engine virtual'")
  }

  /// Nil if no strategy is smooth, or if their runs take too long to wait for.
  private func recommendation(at refresh: RefreshRate) -> Int? {
    var scenario = written
    scenario.display.refresh = refresh
    let engine = VirtualEngine(machine: machine, costs: costs, detail: .summary)
    let end = ContinuousClock.now + patience
    var rows: [ReportRow] = []
    for strategy in scenario.strategies {
      let log = engine.run(RunPlan(scenario, under: strategy)) { ContinuousClock.now < end }
      guard log.status == .complete else { return nil }
      rows.append(ReportRow(log, cores: machine.cores))
    }
    let label = Verdict.all(rows).first?.recommended?.label
    return label.flatMap { label in strategies.firstIndex { $0.label == label } }
  }

  /// Starts the search for advice on the current strategy, while the run continues.
  private mutating func advise(_ model: inout LiveModel) {
    if let search {
      return model.note("still searching: \(English.count(search.runs, "run")) so far")
    }
    guard let place = model.current else { return }
    var scenario = written
    scenario.display.refresh = model.refresh
    scenario.machine = machine
    var request = AdviceRequest(scenario, today: strategies[place])
    request.costs = costs
    do throws(ThreadError) {
      search = try BackgroundAdviceSearch(request)
      model.note("searching for the smallest change to \(strategies[place].label) that helps")
    } catch {
      model.note("no thread for the search: \(error)")
    }
  }

  /// Adds finished advice to the list, and runs it instead of the strategy that it improves, if that still runs.
  private mutating func takeAdvice(_ model: inout LiveModel) {
    guard let advice = search?.answer else { return }
    search = nil
    guard let trial = advice.proposals.first?.trial, let engine = model.engine else {
      return model.note(LiveAdvice.words(advice))
    }
    let choice = place(of: trial.arrangement, &model)
    model.recommended = choice
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
    return model.appendStrategy(name)
  }

  /// Writes the frames of the current runs so far; returns a message with the result.
  private func save(_ model: LiveModel) -> String {
    guard let engine = model.engine else { return "nothing to save" }
    let cores = engine == .real ? HostFacts.usableCores : machine.cores
    return model.save(plans, on: engine, cores: cores)
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

extension LiveModel {
  /// Writes the frames so far of the current runs, which have these plans; returns a message with the result.
  func save(_ plans: [RunPlan], on engine: EngineKind, cores: Int) -> String {
    let lines = zip(plans, recorded).map { plan, recorded in
      FramesCSV.lines(
        recorded.frames, of: plan, engine: engine, cores: cores, until: recorded.until)
    }
    do throws(ToolError) {
      let name = try NewFile.write(
        FramesCSV.header + lines.joined(), toFirstFree: "frames-\(plans[0].scenario.name)", ".csv")
      return "saved \(name)"
    } catch {
      return error.message
    }
  }
}

/// Runs in virtual time, side by side, in step with the wall clock.
final class VirtualRuns {
  private final class Run {
    var run: SimulationRun
    init(_ plan: RunPlan, _ machine: Machine, _ costs: Costs) {
      run = VirtualEngine(machine: machine, costs: costs, detail: .frames).start(plan)
    }
  }

  private let runs: [Run]
  private let refresh: RefreshRate
  private var pace = WallClockPace()

  init(_ plans: [RunPlan], on machine: Machine, _ costs: Costs) {
    runs = plans.map { Run($0, machine, costs) }
    refresh = plans[0].scenario.display.refresh
  }

  /// Advances by the elapsed wall-clock time and the speed.
  func advance(_ model: inout LiveModel) {
    let span = pace.passed(atSpeed: model.isPaused ? 0 : model.speed)
    if span > .zero { advance(to: runs[0].run.now + span, &model) }
    if model.isPaused { look(&model) }
  }

  /// Continues to the end of the next frame of the first run, or until that frame hangs.
  func step(_ model: inout LiveModel) {
    let (ended, hung) = (runs[0].run.framesEnded, model.isHanging)
    while runs[0].run.framesEnded == ended && !runs[0].run.isOver && model.isHanging == hung {
      let next = refresh.vsyncs(through: runs[0].run.now) + 1
      advance(to: refresh.vsync(next), &model)
    }
  }

  func add(_ count: Int) { for run in runs { run.run.add(count, of: 0) } }

  /// Continues vsync by vsync, so that the view sees each lane in each of them.
  private func advance(to end: Instant, _ model: inout LiveModel) {
    while runs[0].run.now < end && !runs[0].run.isOver {
      let next = refresh.vsync(refresh.vsyncs(through: runs[0].run.now) + 1)
      for run in runs { run.run.advance(to: min(next, end)) }
      look(&model)
    }
  }

  private func look(_ model: inout LiveModel) {
    for (pane, run) in runs.enumerated() { model.take(run.run.observe(), pane: pane) }
  }
}

/// The simulated time that has passed since the last call.
struct WallClockPace {
  private let clock = ContinuousClock()
  private var before = ContinuousClock().now

  mutating func passed(atSpeed speed: Double) -> TimeSpan {
    let now = clock.now
    defer { before = now }
    // After a stop of the process, continue without catching up.
    let span = min(now - before, .milliseconds(200))
    return TimeSpan(nanoseconds: Int64(span / .nanoseconds(1) * speed))
  }
}

/// A search for advice during a live run, on one thread of lowest priority.
final class BackgroundAdviceSearch: Sendable {
  private struct State {
    var isStopped = false
    var runs = 0
    var answer: Advice?
  }

  private let state = Locked(State())
  private let thread: ThreadScheduler

  /// Starts the search.
  init(_ request: AdviceRequest) throws(ThreadError) {
    thread = try ThreadScheduler(name: "advice", nice: 19)
    let state = state
    thread.schedule {
      let advice = Adviser(request, maker: WatchedRuns(state: state)).advice()
      state.withLock { $0.answer = advice }
    }
  }

  /// The advice; nil during the search.
  var answer: Advice? { state.withLock { $0.answer } }

  /// The number of runs so far.
  var runs: Int { state.withLock { $0.runs } }

  /// Ends it after the run that is under way, which is not waited for: on busy cores a thread of lowest priority may need a
  /// minute for it.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Makes one run after the other, until the search is stopped.
  private struct WatchedRuns: RunMaker {
    let state: Locked<State>

    var isInterrupted: Bool { state.withLock { $0.isStopped } }

    func outputs<Output: Sendable>(
      _ count: Int, _ make: @escaping @Sendable (Int) -> Output
    ) -> [Output] {
      var outputs: [Output] = []
      for place in 0..<count {
        let isStopped = state.withLock { state in
          state.runs += 1
          return state.isStopped
        }
        if isStopped { break }
        outputs.append(make(place))
      }
      return outputs
    }
  }
}

/// Advice in one line.
enum LiveAdvice {
  static func words(_ advice: Advice) -> String {
    let outcome = advice.today.outcome
    let frames = English.count(outcome.frames, "frame")
    switch advice.verdict {
    case .nothingToChange:
      return
        "nothing to change: \(advice.request.today.label) drops \(outcome.dropped) of \(frames)"
    case .change: return advice.proposals.first?.trial.words.joined(separator: "; ") ?? ""
    case .nothingHelps:
      return "nothing helps: \(AdvisedArrangements(advice).record.today?.whyInShort ?? "")"
    }
  }

  /// The name of the strategy that follows the advice.
  static func name(among taken: [String], number: Int = 1) -> String {
    let name = number == 1 ? "advised" : "advised-\(number)"
    return taken.contains(name) ? self.name(among: taken, number: number + 1) : name
  }
}
