import Foundation
import TestSupport

@testable import FrameBudgetCLI

/// The outcome of a command that ran in this process, with files as its streams.
struct Performed {
  let status: ExitStatus
  let output: String
  let diagnostics: String

  init(_ arguments: String..., input: String = "") throws {
    try self.init(arguments, input: input)
  }

  init(_ arguments: [String], input: String = "", columns: Int = 100) throws {
    let scratch = try Scratch()
    try scratch.write(input, to: "input")
    var console = Console(environment: ["COLUMNS": String(columns), "TERM": "xterm"])
    console.input = unsafe open(scratch.path("input"), O_RDONLY)
    console.output = unsafe creat(scratch.path("output"), 0o600)
    console.diagnostics = unsafe creat(scratch.path("diagnostics"), 0o600)
    status = FrameBudgetTool.run(arguments, on: console)
    for stream in [console.input, console.output, console.diagnostics] { close(stream) }
    output = scratch.text("output") ?? ""
    diagnostics = scratch.text("diagnostics") ?? ""
  }
}

/// A scenario of one second, which the virtual engine runs in no time.
enum ShortScenario {
  static let text = """
    scenario: short
    display: {refresh: 60 Hz, render: 5 ms}
    duration: 1 s
    services: {files: {}}
    workloads:
      - name: add-file
        arrival: {once: 100, start: 100 ms}
        steps: [{service: files, cpu: 2 ms}]
    strategies: [main-thread, schedulable]

    """

  /// Frames that take nearly a period: a twentieth more, and every second one is dropped.
  static let edge = """
    scenario: edge
    display: {refresh: 60 Hz, render: 16 ms}
    duration: 1 s
    services: {files: {}}
    workloads:
      - name: tap
        arrival: {every: 500 ms, start: 400 ms}
        steps: [{service: files, cpu: 100 us}]
        respond_within: 100 ms
    strategies: [main-thread]

    """

  /// With its expectations of the virtual engine.
  static func expecting(_ expectation: String) -> String {
    text + "expect:\n  virtual: {\(expectation)}\n"
  }
}
