import FrameBudget
import Testing

@testable import FrameBudgetScenarios

@Suite struct `Measured costs in a scenario's text` {
  private func text(_ step: String, costing cpu: TimeSpan) throws -> String {
    let head = Minimal.text.replacing("steps: [{service: gallery, cpu: 1 ms}]", with: step)
    return try ScenarioFile.text(
      of: Array(head.utf8), file: "a.yaml",
      with: [.init(workload: "add", step: 0, cpu: cpu)])
  }

  private func cost(_ text: String) throws -> DurationDistribution {
    try ScenarioFile.parse(Array(text.utf8), file: "a.yaml").workloads[0].steps[0].load.duration
  }

  @Test(arguments: [
    "steps: [{service: gallery, cpu: 1 ms}]",
    "steps: [{cpu: 1 ms , service: gallery}]   # 1 ms each",
    "steps: [{cpu: \"1 ms\", service: gallery}]",
    "steps:\n      - service: gallery\n        cpu: 1 ms   # as a guess",
    "steps: [{cpu: {normal: {mean: 1 ms, deviation: 0.1 ms}}, service: gallery}]",
  ])
  func `replace the old ones, whatever their notation`(_ steps: String) throws {
    let changed = try text(steps, costing: .nanoseconds(812_345))
    #expect(try cost(changed) == .constant(.nanoseconds(812_345)))
    #expect(changed.contains("#") == steps.contains("#"))
  }

  @Test func `leave everything else as it is, comments and order too`() throws {
    let text = "# über\r\n" + Minimal.text.replacing("cpu: 1 ms", with: "cpu: 1 ms # slow\n      ")
    let changed = try ScenarioFile.text(
      of: Array(text.utf8), file: "a.yaml",
      with: [.init(workload: "add", step: 0, cpu: .microseconds(7))])
    #expect(changed == text.replacing("1 ms #", with: "7 us #"))
  }

  @Test func `of several steps do not interfere`() throws {
    let steps = "steps: [{service: gallery, cpu: 1 ms}, {service: gallery, cpu: 20 ms}]"
    let text = Minimal.text.replacing("steps: [{service: gallery, cpu: 1 ms}]", with: steps)
    let changed = try ScenarioFile.text(
      of: Array(text.utf8), file: "a.yaml",
      with: [
        .init(workload: "add", step: 0, cpu: .microseconds(1234)),
        .init(workload: "add", step: 1, cpu: .nanoseconds(5)),
      ])
    #expect(changed.contains("cpu: 1.234 ms}, {service: gallery, cpu: 5 ns}]"))
  }

  @Test func `are refused where the old one takes several lines`() throws {
    let steps =
      "steps:\n      - service: gallery\n        cpu:\n          uniform: {from: 1 ms, to: 2 ms}"
    #expect(throws: ScenarioError.self) { try text(steps, costing: .microseconds(1)) }
  }
}
