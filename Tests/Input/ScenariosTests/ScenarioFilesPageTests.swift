import Foundation
import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
import TestSupport
import Testing

@Suite struct `The page on scenario files` {
  private let page: String

  init() throws {
    page = try Project.text("Documentation/ScenarioFiles.md")
  }

  @Test func `shows a scenario that is met`() throws {
    let yaml = try #require(page.components(separatedBy: "```yaml\n").dropFirst().first)
    let text = try #require(yaml.components(separatedBy: "```").first)
    let scenario = try ScenarioFile.parse(Array(text.utf8), file: "page.yaml")
    #expect(scenario.expectations.count == 2)
    for expectation in scenario.expectations {
      let strategy = try #require(
        scenario.strategies.first { $0.name == expectation.strategy })
      let metrics = RunMetrics(VirtualEngine().run(RunPlan(scenario, under: strategy)))
      #expect(expectation.aim.holds(for: try #require(metrics.observed(expectation.aim.metric))))
    }
  }

  @Test func `names every key that the decoder knows`() throws {
    let folder = Project.folder.appending(path: "Sources/Input/Scenarios/Decoding")
    var keys = Set<String>()
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for list in source.matches(of: /keys(?: =|:) \[([^\]]*)\]/) {
        for key in list.1.matches(of: /"([a-z_-]+)"/) { keys.insert(String(key.1)) }
      }
    }
    for carrier in CarrierKind.allCases {
      keys.formUnion(carrier.description.options.map(\.name))
    }
    #expect(keys.count > 50)
    let missing = keys.filter { key in
      !page.contains("`\(key)`") && !page.contains("{\(key): ") && !page.contains(" \(key): ")
    }
    #expect(missing == [])
  }
}
