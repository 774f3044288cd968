internal import FrameBudget
internal import Scenarios

/// One combination of what is varied, and its runs: by repetition, strategy, engine.
///
/// Repetitions are interleaved over strategies, so that a machine that slows down slows all of them.
struct Variant {
  let scenario: Scenario
  /// Which strategies of `all` the scenario, or this build for real, cannot run, and why.
  let omissions: [String]
  private let strategies: [Strategy]
  private let request: Comparison.Request
  private let changes: String

  /// The combination at `place` of the request's grid.
  init(
    _ source: ScenarioSource, _ request: Comparison.Request, at place: Int
  ) throws(ToolError) {
    let varied = request.grid.overrides(at: place)
    let options = ChosenOptions(
      request.set + varied, isChosen: !request.options.strategy.isEmpty)
    let scenario = try source.scenario(
      (request.set + varied).filter { !options.holds($0) } + request.hidden)
    var omissions: [String] = []
    let asked = try request.options.strategies(for: scenario, options) { strategy in
      guard let lack = request.lack(for: strategy) else { return true }
      omissions.append("\(strategy.label) is left out: \(lack)")
      return false
    }
    omissions += request.options.lacks(of: scenario).map { "\($0.name) is left out: it \($0.lack)" }
    strategies = asked ?? scenario.strategies
    guard !strategies.isEmpty else {
      throw ToolError(.usage, "the scenario names no strategies; --strategy NAME chooses some")
    }
    for strategy in strategies {
      guard let lack = request.lack(for: strategy) else { continue }
      throw ToolError(.unavailable, "\(strategy.label): \(lack)")
    }
    for strategy in strategies { try request.options.checkCores(of: strategy) }
    self.omissions = omissions
    self.scenario = scenario
    self.request = request
    let assumed = request.options.costs.map { ["costs=\($0)"] } ?? []
    let told = (request.set + varied).filter { $0.path != Override.seed || !varied.contains($0) }
    changes = (told.map { "\($0.path)=\($0.value)" } + assumed).joined(separator: ";")
  }

  /// How many runs it has.
  var count: Int { request.repetitions * strategies.count * request.engines.count }

  /// The run at `place`, from 0.
  func run(at place: Int) -> PlannedRun {
    let engines = request.engines.count
    let strategy = strategies[place / engines % strategies.count]
    return PlannedRun(
      plan: RunPlan(scenario, under: strategy), engine: request.engines[place % engines],
      changes: changes, repetition: place / engines / strategies.count + 1,
      cores: request.options.cores, costs: request.costs)
  }
}
