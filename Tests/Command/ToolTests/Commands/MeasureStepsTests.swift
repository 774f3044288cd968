import Foundation
import TestSupport
import Testing

@testable import FrameBudgetCLI

@Suite struct `framebudget run --measure-steps` {
  private static let scenario = """
    scenario: import
    display: {refresh: 60 Hz}
    duration: 1 s
    warmup: 20 ms
    services: {files: {}}
    workloads:
      - name: import
        files: photos       # beside this file
        arrival: {once: 8}
        steps:
          - {service: files, do: stat, cpu: 3 s}
          - {name: hash, service: files, do: sha256, cpu: 3 s}   # a guess
          - {name: insert, service: files, do: sqlite-insert, cpu: 3 s}
          - {name: show, service: files, cpu: 10 us}
    strategies: [main-thread, schedulable]

    """

  private func folder() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(Self.scenario, to: "import.yaml")
    return scratch
  }

  /// Measures up to five times, until all items were done in the run's second.
  private func measured(in scratch: Scratch) throws -> String {
    let run = try BuiltTool(
      """
      cd '\(scratch.root)' && $tool make-files photos --count 3 --size '100 kB' || exit
      for run in 1 2 3 4 5; do
        rm -f measured.yaml; $tool run import.yaml --quiet --measure-steps measured.yaml; status=$?
        if grep -q ' 16 times each' measured.yaml; then break; fi
      done
      exit $status
      """)
    #expect(run.status == 0, "\(run.diagnostics)")
    return try #require(scratch.text("measured.yaml"))
  }

  @Test func `writes a scenario that can be checked and simulated`() throws {
    let scratch = try folder()
    let text = try measured(in: scratch)
    #expect(scratch.names() == ["import.yaml", "measured.yaml", "photos"])
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix("# The cpu of steps that do real work is what they took"))
    #expect(lines[0].contains(" 16 times each"))
    #expect(!text.contains("3 s}") && text.contains("# a guess") && text.contains("cpu: 10 us"))
    #expect(try Performed("check", scratch.path("measured.yaml")).status == .success)
    let simulated = try Performed(
      "run", scratch.path("measured.yaml"), "--engine", "virtual", "--strategy", "schedulable",
      "--format", "json")
    #expect(simulated.status == .success)
    #expect(simulated.output.contains("\"items_done\": 8"))
  }

  @Test func `takes the steps of all copies as one`() throws {
    let scratch = try Scratch()
    let text = Self.scenario.replacing("arrival:", with: "copies: 2\n    arrival:")
    try scratch.write(text, to: "import.yaml")
    let measured = try measured(in: scratch)
    #expect(measured.contains(" 16 times each") && !measured.contains("3 s}"))
  }

  @Test func `needs steps that do real work, and the real engine`() throws {
    let scratch = try folder()
    try scratch.write(ShortScenario.text, to: "short.yaml")
    let without = try Performed("run", scratch.path("short.yaml"), "--measure-steps", "x.yaml")
    #expect(without.status == .usage)
    #expect(without.diagnostics.contains("no step of the scenario does real work"))
    let simulated = try Performed(
      "run", scratch.path("import.yaml"), "--measure-steps", "x.yaml", "--engine", "virtual")
    #expect(simulated.status == .usage)
  }

  @Test func `overwrites nothing`() throws {
    let scratch = try folder()
    let run = try Performed(
      "run", scratch.path("import.yaml"), "--measure-steps", scratch.path("import.yaml"))
    #expect(run.status == .cannotCreate)
    #expect(scratch.text("import.yaml") == Self.scenario)
  }

  @Test func `of a folder that is not there says how to make one`() throws {
    let scratch = try folder()
    let run = try BuiltTool("cd '\(scratch.root)' && $tool run import-folder --quiet")
    #expect(run.status == 66)
    #expect(run.output == "")
    #expect(
      run.diagnostics
        == "framebudget: cannot read photos: No such file or directory; 'framebudget make-files "
        + "photos' makes one\n")
  }

  @Test func `simulates without any folder`() throws {
    let scratch = try folder()
    let run = try Performed("run", scratch.path("import.yaml"), "--engine", "virtual")
    #expect(run.status == .success)
  }
}
