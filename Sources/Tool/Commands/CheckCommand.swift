internal import ArgumentParser
internal import FrameBudget
internal import Reports

/// Validates scenario files.
struct CheckCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate scenario files.",
    discussion: """
      Says in one line what each scenario is. Errors go to standard error, each with its line and column; \
      the exit status is that of the first.

      EXAMPLES:
        framebudget check my.yaml
        framebudget check scenarios/*.yaml
        framebudget check - < my.yaml
      """)

  @Argument(help: "Paths, - for standard input, or names of shipped scenarios.")
  var scenarios: [String]

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    var status = ExitStatus.success
    for argument in scenarios {
      do {
        let scenario = try ScenarioSource(argument, on: console).scenario()
        try console.print("\(argument): \(summary(scenario))\n")
      } catch {
        if error.status == .cannotWrite { throw error }
        console.complain(error.message)
        if status == .success { status = error.status }
      }
    }
    return status
  }

  private func summary(_ scenario: Scenario) -> String {
    let length = Figure.span(milliseconds: scenario.duration.inMilliseconds)
    let counts = [
      (scenario.services.count, "service"), (scenario.workloads.count, "workload"),
      (scenario.strategies.count, "strategy"),
    ].map(English.count)
    return "ok: \(scenario.display.refresh), \(length), " + counts.joined(separator: ", ")
  }
}
