import ArgumentParser
import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// An app that draws on demand, without any drawing for two minutes.
@Suite struct `A gap of more than a minute` {
  private static let text = """
    scenario: pause
    display: {refresh: 60 Hz, render: 5 ms, main-loop: events, frames: on-demand}
    duration: 150 s
    services: {files: {}}
    workloads:
      - name: tap
        arrival: {every: PAUSE, start: 100 ms}
        steps: [{service: files, cpu: 2 ms}]
    strategies: [main-thread]

    """

  /// A run whose taps come `pause` apart, with all its files.
  private func run(pause: String) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(Self.text.replacing("PAUSE", with: pause), to: "pause.yaml")
    let run = try Performed(
      "run", scratch.path("pause.yaml"), "--engine", "virtual", "-q", "-o", scratch.path("run"),
      "--frames", scratch.path("frames.csv"), "--trace", scratch.path("trace.json"))
    #expect(run.status == .success, "\(run.diagnostics)")
    return scratch
  }

  private func told(_ arguments: String...) throws -> String {
    let done = try Performed(arguments)
    #expect(done.status == .success, "\(done.diagnostics)")
    return done.diagnostics
  }

  @Test func `is told by each command that reads frames`() throws {
    let scratch = try run(pause: "120 s")
    let (summary, frames) = (scratch.path("run/summary.csv"), scratch.path("frames.csv"))
    let gap = ": 1 gap of more than a minute, the longest of 120 s\n"
    #expect(try told("import", frames).hasSuffix(gap))
    #expect(try told("report", summary, frames).contains(frames + gap))
    let trace = scratch.path("trace.json")
    #expect(
      try told("report", summary, trace).contains("\(trace): 1 gap of more than a minute"))
    let live = try LiveCommand.parse([frames])
    let heard = try Heard(scratch) { _ = try live.recorded(live.scenario ?? "", on: $0) }
    #expect(heard.text == "framebudget: \(frames)\(gap)")
    #expect(try told("report", summary, frames, "-q") == "")
    let learned = try Performed("learn", trace, "-o", scratch.path("app"))
    #expect(learned.output.contains("- nothing happened for "), "\(learned.output)")
  }

  @Test func `is none where it is shorter`() throws {
    let scratch = try run(pause: "50 s")
    let files = [scratch.path("run/summary.csv"), scratch.path("frames.csv")]
    for arguments in [["import", files[1]], ["report"] + files] {
      #expect(try !Performed(arguments).diagnostics.contains("more than a minute"))
    }
  }
}
