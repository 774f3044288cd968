import ArgumentParser
import FrameBudget
import FrameBudgetRealTime
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// The behaviour of a build without SwiftNIO, which every build can simulate.
@Suite struct `A build without a carrier` {
  private func comparison(
    _ strategies: String, on engine: EngineChoice, varying: [String] = []
  ) throws -> Comparison {
    let scratch = try Scratch()
    try scratch.write(ShortScenario.text, to: "short.yaml")
    let source = try ScenarioSource(scratch.path("short.yaml"), on: Console())
    let options = ScenarioChoice(strategy: [strategies])
    var request = try Comparison.Request(options, on: engine, repetitions: 2)
    request.carriers = CarrierSupply()
    request.grid = try VariationGrid(parsing: varying)
    return try Comparison(source, request)
  }

  @Test(arguments: [EngineChoice.real, .both])
  func `leaves out of all strategies the one that needs it, and says so once`(
    _ engine: EngineChoice
  ) throws {
    let comparison = try comparison("all", on: engine, varying: ["display.refresh=60 Hz,120 Hz"])
    let names = Set(comparison.runs.map(\.plan.strategy.name))
    let omitted = ["event-loop", "yielding", "newest"]
    #expect(names == Set(StrategyCatalog.all.map(\.name)).subtracting(omitted))
    #expect(comparison.omissions.count == omitted.count)
    #expect(comparison.omissions.first?.hasPrefix("event-loop is left out: this build") == true)
  }

  @Test func `leaves out what a loop of frames has no use for, and says so`() throws {
    let comparison = try comparison("all", on: .virtual)
    #expect(
      comparison.omissions == [
        "yielding is left out: it needs 'main-loop: events' in the display",
        "newest is left out: it needs a workload with 'admission', of which only the newest item matters",
      ])
    #expect(try self.comparison("main-thread", on: .virtual).omissions == [])
  }

  @Test func `runs all strategies in virtual time`() throws {
    let comparison = try comparison("all", on: .virtual)
    #expect(Set(comparison.runs.map(\.plan.strategy.name)).contains("event-loop"))
    #expect(!comparison.omissions.contains { $0.hasPrefix("event-loop") })
  }

  @Test(arguments: [EngineChoice.real, .both])
  func `refuses the strategy by its name in one line, before any run`(
    _ engine: EngineChoice
  ) throws {
    let lack = try #require(CarrierSupply().lack(of: .nio))
    #expect(throws: ToolError(.unavailable, "event-loop: \(lack)")) {
      try comparison("schedulable,event-loop", on: engine)
    }
    #expect(try comparison("event-loop", on: .virtual).runs.count == 2)
  }

  @Test func `measures hand-offs of that carrier only where it is there`() throws {
    let bench = try Performed("bench", "--carrier", "nio", "--quick", "--repeat", "1", "--quiet")
    let lack = CarrierSupply.ofThisBuild.lack(of: .nio)
    #expect(bench.status == (lack == nil ? .success : .unavailable))
    #expect(bench.diagnostics == (lack.map { "framebudget: \($0)\n" } ?? ""))
  }
}
