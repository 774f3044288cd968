import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

struct `--costs` {
  private func run(
    _ costs: String, _ flags: String..., scenario: String = ShortScenario.text
  ) throws -> Performed {
    let scratch = try Scratch()
    try scratch.write(scenario, to: "short.yaml")
    try scratch.write(costs, to: "costs.json")
    let performed = try Performed(
      ["run", scratch.path("short.yaml"), "--engine", "virtual", "--format", "csv", "--costs"]
        + [scratch.path("costs.json")] + flags)
    return performed
  }

  @Test func `are what the simulation assumes, and results name the file`() throws {
    let costs = "{\"carriers\": {\"scheduler\": {\"post_ns\": 1000000}}}"
    let run = try run(costs, "--strategy", "schedulable", "--set", "seed=3")
    #expect(run.status == .success)
    let fields = run.output.split(separator: "\n").last?
      .split(separator: ",", omittingEmptySubsequences: false)
    #expect(fields?[4].hasPrefix("seed=3;costs=/") == true)
    #expect(fields?[4].hasSuffix("/costs.json") == true)
    #expect(fields?[5] == "virtual")
    // Posting 100 files takes 100 ms of the main thread.
    let standard = try Performed(
      "run", "-", "--engine", "virtual", "--format", "csv", input: ShortScenario.text)
    #expect(standard.output.contains("schedulable"))
    let header = run.output.split(separator: "\n").first?.split(separator: ",")
    let place = try #require(header?.firstIndex(of: "drops_post"))
    #expect(fields?[place] == "6")
  }

  @Test func `are not what expectations are about`() throws {
    let scenario = ShortScenario.expecting("main-thread: {dropped_frames: {max: 0}}")
    #expect(try run("{}", scenario: scenario).status == .success)
  }

  @Test func `say what is wrong with the file`() throws {
    let broken = try run("{\"lok\": {}}")
    #expect(broken.status == .badInput)
    #expect(broken.diagnostics.contains("costs.json:1:2: 'lok' is not a key of costs"))
    let missing = try Performed(
      "run", "steady", "--engine", "virtual", "--costs", "\(Scratch.nowhere)/costs.json")
    #expect(missing.status == .noInput)
    #expect(
      missing.diagnostics
        == "framebudget: cannot open \(Scratch.nowhere)/costs.json: No such file or directory\n")
  }

  @Test func `are for the virtual engine only`() throws {
    let run = try Performed("run", "steady", "--costs", "costs.json")
    #expect(run.status == .usage)
    #expect(run.diagnostics.contains("add --engine virtual or both"))
  }
}
