import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import Testing

/// `expect` of the shipped files, compared with the virtual engine: each figure follows from arithmetic.
struct ShippedExpectationTests {
  @Test(arguments: ShippedScenarios.all.map(\.name))
  func `the virtual engine gives what a shipped file expects`(name: String) throws {
    let shipped = try #require(ShippedScenarios.scenario(name))
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    let expectations = scenario.expectations.filter { $0.engine == .virtual }
    for strategy in scenario.strategies {
      let metrics = RunMetrics(VirtualEngine().run(RunPlan(scenario, under: strategy)))
      let names = [strategy.name, strategy.label]
      for expected in expectations where names.contains(expected.strategy) {
        let value = try #require(metrics.observed(expected.aim.metric))
        #expect(
          expected.aim.holds(for: value), "\(strategy.label): \(expected.aim.metric) is \(value)")
      }
    }
  }
}
