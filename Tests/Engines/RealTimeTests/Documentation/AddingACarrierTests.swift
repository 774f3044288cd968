import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetRealTime

@Suite struct `The page on adding a carrier` {
  @Test func `shows the carrier that is compiled here`() throws {
    let page = try Project.text("Documentation/AddingAStrategy.md")
    let code = try Project.text("Tests/Engines/RealTimeTests/Documentation/WaitingCarrier.swift")
    #expect(page.contains("```swift\n\(code)```\n"))
  }

  @Test func `shows a carrier that runs a scenario`() async throws {
    var scenario = TestScenario.make(files: 20, duration: .seconds(60))
    scenario.workloads.removeLast()
    let strategy = try StrategyCatalog.strategy("schedulable", for: scenario)
    let engine = RealEngine { lane throws(CarrierError) in WaitingCarrier(lane) }
    let plan = RunPlan(scenario, under: strategy)
    let log = try await realRun(until: { $0.itemsDone == 20 }) { try engine.run(plan, watch: $0) }
    #expect(log.violations == [] && log.items[0].doneCount == 20)
  }
}
