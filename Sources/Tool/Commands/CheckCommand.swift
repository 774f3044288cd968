internal import ArgumentParser
internal import FrameBudget
internal import Parsing
internal import Reports

/// Validates scenario files.
struct CheckCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate scenario files.",
    discussion: """
      Says in one line what each scenario is, names workloads whose nested locks can leave them waiting for each other for \
      ever, and with --sketch draws who runs where under each of its strategies. Errors go to standard error, each with its line and column; \
      the exit status is that of the first.

      EXAMPLES:
        framebudget check my.yaml
        framebudget check scenarios/*.yaml
        framebudget check - < my.yaml
        framebudget check --sketch my.yaml
      """)

  @Argument(help: "Paths, - for standard input, or names of shipped scenarios.")
  var scenarios: [String]

  @Flag(help: "Draw each strategy: threads, locks, and the way that items take.")
  var sketch = false

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    var status = ExitStatus.success
    for argument in scenarios {
      do {
        let scenario = try ScenarioSource(argument, on: console).scenario()
        let drawn = sketch ? sketches(scenario) : ""
        try console.print(
          "\(argument.printable): \(summary(scenario))\n\(doubts(scenario))\(drawn)")
      } catch {
        if [.cannotWrite, .unread].contains(error.status) { throw error }
        console.complain(error.message)
        if status == .success { status = error.status }
      }
    }
    return status
  }

  private func sketches(_ scenario: Scenario) -> String {
    scenario.strategies.map { strategy in
      let text = ArrangementSketch(scenario, under: strategy.arrangement).text
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return "\n\(strategy.label)\n" + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }.joined()
  }

  /// What is no error, and may well be meant.
  private func doubts(_ scenario: Scenario) -> String {
    let missed = scenario.missedArrivals.map { "  \($0)\n" }
    return missed.joined()
      + scenario.strategies.flatMap { strategy in
        strategy.arrangement.lockOrderConflicts(in: scenario).map { conflict in
          "  \(strategy.label) can deadlock: "
            + conflict.words(in: scenario, under: strategy.arrangement) + "\n"
        }
      }.joined()
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
