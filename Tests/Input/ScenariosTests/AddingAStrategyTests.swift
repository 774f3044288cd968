import Foundation
import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import TestSupport
import Testing

@Suite struct `The page on adding a strategy` {
  @Test func `shows a scenario whose numbers are those that it names`() throws {
    let page = try Project.text("Documentation/AddingAStrategy.md")
    let yaml = try #require(page.components(separatedBy: "```yaml\n").dropFirst().first)
    let text = try #require(yaml.components(separatedBy: "```").first)
    let scenario = try ScenarioFile.parse(Array(text.utf8), file: "page.yaml")
    #expect(scenario.strategies.map(\.name) == ["main-thread", "two-lanes"])
    let metrics = scenario.strategies.map {
      RunMetrics(VirtualEngine().run(RunPlan(scenario, under: $0)))
    }
    #expect(metrics[0].frames.dropped > 0)
    #expect(metrics[1].frames.dropped == 0 && metrics[1]["hops_per_item"] == 2)
  }
}
