internal import FrameBudget
internal import Scenarios

/// A scenario, what of it is changed, and the arrangement that the app has today.
struct AdvisedSubject {
  let source: ScenarioSource
  let overrides: [Override]
  let scenario: Scenario
  let today: Strategy
  let costs: Costs

  /// Of `--strategy` the first one is today's.
  init(
    _ argument: String, _ options: ScenarioOptions, on console: Console
  ) throws(ToolError) {
    source = try ScenarioSource(argument, on: console)
    let chosen = try options.overrides()
    let list = ChosenOptions(chosen, isChosen: !options.strategy.isEmpty)
    let cores = options.cores.map {
      Override(path: "machine.cores", value: "\($0)", flag: "--cores \($0)")
    }
    overrides = chosen.filter { !list.holds($0) } + options.flagged + [cores].compactMap(\.self)
    scenario = try source.scenario(overrides)
    costs = try options.assumedCosts() ?? .standard
    let strategies = try options.strategies(for: scenario, list) ?? scenario.strategies
    guard let first = strategies.first else {
      throw ToolError(.usage, "the scenario names no strategies; --strategy NAME says today's")
    }
    today = first
  }
}
