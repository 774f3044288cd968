import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import Testing

/// The cost of more threads than cores: the shipped scenario, with one account to 200 accounts.
@Suite struct ManyServicesTests {
  private func dropped(_ copies: Int) throws -> (threads: Int, lane: Int, items: [Int]) {
    let shipped = try #require(ShippedScenarios.scenario("many-services"))
    let scenario = try ScenarioFile.parse(
      shipped.bytes, file: shipped.file,
      overrides: [Override(path: "workloads.sync.copies", value: "\(copies)")])
    let threads = try metrics("threads-and-locks", scenario)
    let lane = try metrics("schedulable", scenario)
    return (
      threads.frames.dropped, lane.frames.dropped, [threads.items.done, lane.items.done]
    )
  }

  private func metrics(_ name: String, _ scenario: Scenario) throws -> RunMetrics {
    let strategy = try StrategyCatalog.strategy(name, for: scenario)
    return RunMetrics(VirtualEngine().run(RunPlan(scenario, under: strategy)))
  }

  @Test func `with more threads more frames are dropped, and one lane drops none`() throws {
    let sweep = try [1, 2, 3, 5, 10, 20, 50, 100, 200].map(dropped)
    #expect(sweep.map(\.lane).allSatisfy { $0 == 0 })
    #expect(sweep.flatMap(\.items).allSatisfy { $0 == 1200 }, "the work is the same")
    #expect(sweep.map(\.threads) == sweep.map(\.threads).sorted())
    #expect(sweep[0].threads == 0 && sweep[2].threads > 30 && sweep[8].threads > 75)
  }
}
