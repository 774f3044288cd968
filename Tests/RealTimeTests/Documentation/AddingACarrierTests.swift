import Foundation
import FrameBudget
import Testing

@testable import RealTime

@Suite struct `The page on adding a carrier` {
  @Test func `shows the carrier that is compiled here`() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let root = here.appending(path: "../../..").standardized
    let page = try String(
      contentsOf: root.appending(path: "Sources/FrameBudget/FrameBudget.docc/AddingAStrategy.md"),
      encoding: .utf8)
    let code = try String(
      contentsOf: here.appending(path: "WaitingCarrier.swift"), encoding: .utf8)
    #expect(page.contains("```swift\n\(code)```\n"))
  }

  @Test func `shows one that carries`() throws {
    let scenario = TestScenario.make(files: 20)
    let strategy = try StrategyCatalog.strategy("schedulable", for: scenario)
    let engine = RealEngine { lane throws(CarrierError) in WaitingCarrier(lane) }
    let log = try engine.run(RunPlan(scenario, under: strategy))
    #expect(log.violations == [] && log.items[0].doneCount == 20)
  }
}
