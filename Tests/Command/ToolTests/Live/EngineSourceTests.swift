import FrameBudget
import FrameBudgetScenarios
import FrameBudgetTerminal
import Testing

@testable import FrameBudgetCLI

@Suite struct `A comparison in the live view` {
  /// A session of a shipped scenario under its first strategy, after `c`.
  private func compared(_ name: String) throws -> (model: LiveModel, labels: [String]) {
    let shipped = try #require(ShippedScenarios.scenario(name))
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    let content = LiveContent.engines(
      LiveContent.Plan(
        scenario: scenario, strategies: scenario.strategies, chosen: [0], engine: .virtual,
        machine: scenario.machine, costs: .standard, metrics: nil))
    guard case .engines(let plan) = content else { preconditionFailure() }
    var model = LiveModel(content.session)
    var source = EngineSource(plan, stage: MainThreadRunner(), patience: .seconds(3600))
    source.perform(.start([0], model.refresh, .virtual), on: &model)
    if let command = model.handle(.character("c")) { source.perform(command, on: &model) }
    return (model, scenario.strategies.map(\.label))
  }

  /// The next in the list, throttled, hangs as well.
  @Test func `takes the strategy that run recommends, if none ran before`() throws {
    let (model, labels) = try compared("camera-upload")
    #expect(model.chosen.first == 0)
    let other = try #require(model.chosen.last)
    #expect(labels[1].hasPrefix("throttled"))
    #expect(other > 1 && model.recommended == other, "\(labels[other])")
    let run = try Performed(
      "run", "camera-upload", "--engine", "virtual", "-q", "--no-range", "--format", "json")
    #expect(run.output.contains("\"\(labels[other]): none of 600 frames"), "\(run.output)")
  }
}
