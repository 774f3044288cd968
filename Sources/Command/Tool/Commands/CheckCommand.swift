internal import ArgumentParser
internal import FrameBudget
internal import FrameBudgetParsing
internal import FrameBudgetReports

/// Validates scenario files.
struct CheckCommand: ToolCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate scenario files.",
    discussion: """
      Prints one line about each scenario, with warnings about workloads that can deadlock, a second stage that takes \
      longer than a period, answers that must be late, and keys without effect. With --sketch it draws the threads of each strategy. Errors go to standard error, each with its \
      line and column; the exit status is that of the first error.

      EXAMPLES:
        framebudget check my.yaml
        framebudget check scenarios/*.yaml
        framebudget check - < my.yaml
        framebudget check --sketch my.yaml
        framebudget check scenarios/*.yaml --format json -o checked.json
      """)

  @Argument(
    help: "Paths, - for standard input, or names of shipped scenarios.", completion: .scenario)
  var scenarios: [String]

  @Flag(help: "Draw each strategy: threads, locks, and the path of items.")
  var sketch = false

  @OptionGroup var output: OutputOptions<OutputFormat>

  @OptionGroup var target: FileOptions

  func validate() throws {
    guard !sketch || output.format == .table else {
      throw ValidationError("--sketch draws for people; leave out --format")
    }
  }

  func perform(on console: Console) throws(ToolError) -> ExitStatus {
    var place = try target.open(on: console, quiet: output.quiet)
    var checked: [CheckedScenario] = []
    var status = ExitStatus.success
    for argument in scenarios {
      do throws(ToolError) {
        let scenario = try ScenarioSource(argument, on: console).scenario()
        checked.append(CheckedScenario(name: argument, outcome: .success(scenario)))
      } catch {
        if [.cannotWrite, .unread].contains(error.status) { throw error }
        console.printError(error.message)
        if status == .success { status = error.status }
        checked.append(CheckedScenario(name: argument, outcome: .failure(error)))
      }
    }
    try place.write(
      output.format.text(
        CheckedScenario.table(checked), checked.map { $0.text(sketch: sketch) }.joined()))
    return status
  }
}

/// The result of checking one scenario.
struct CheckedScenario {
  /// The name from the command line.
  let name: String
  let outcome: Result<Scenario, ToolError>

  /// For people: a line about the scenario, then its doubts. Empty for an invalid one, whose errors are reported separately.
  func text(sketch: Bool) -> String {
    guard case .success(let scenario) = outcome else { return "" }
    let length = Figure.span(milliseconds: scenario.duration.inMilliseconds)
    let counts = [
      (scenario.services.count, "service"), (scenario.workloads.count, "workload"),
      (scenario.strategies.count, "strategy"),
    ].map(English.count)
    let summary = "ok: \(scenario.display.refresh), \(length), " + counts.joined(separator: ", ")
    return "\(name.printable): \(summary)\n" + scenario.doubts.map { "  \($0)\n" }.joined()
      + (sketch ? scenario.sketches : "")
  }

  /// For programs.
  static func table(_ checked: [CheckedScenario]) -> RecordTable {
    RecordTable("scenarios", columns, checked)
  }

  private static let columns = [
    Column(RunKey.scenario.name, "name as given") { checked in .text(checked.name) },
    Column("ok", "1 if it is valid, else 0") { .count($0.scenario == nil ? 0 : 1) },
    column(RunKey.refresh.name, RunKey.refresh.meaning) { .real($0.display.refresh.hertz) },
    column(RunKey.duration.name, "D, the measured duration") { .real($0.duration.inMilliseconds) },
    column("services", "number of services, including copies") { .count($0.services.count) },
    column("workloads", "number of workloads, including copies") { .count($0.workloads.count) },
    column("strategies", "number of its strategies") { .count($0.strategies.count) },
    column("doubts", "warnings") { .text($0.doubts.joined(separator: "; ")) },
    Column("error", "its errors") { $0.error.map { .text($0.message) } },
  ]

  /// Empty for an invalid scenario.
  private static func column(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (Scenario) -> MetricValue
  ) -> Column<CheckedScenario> {
    Column(name, meaning) { $0.scenario.map(value) }
  }

  private var scenario: Scenario? { try? outcome.get() }

  private var error: ToolError? {
    if case .failure(let error) = outcome { error } else { nil }
  }
}

extension Scenario {
  /// Suspicious, but possibly intended.
  fileprivate var doubts: [String] {
    missedArrivals + slowSecondStage + traps + keysWithoutEffect + sharingWithoutEffect
      + strategies.flatMap { strategy in
        strategy.arrangement.lockOrderConflicts(in: self).map { conflict in
          "\(strategy.label) can deadlock: "
            + conflict.words(in: self, under: strategy.arrangement)
        }
      }
  }

  fileprivate var sketches: String {
    strategies.map { strategy in
      let text = ArrangementSketch(self, under: strategy.arrangement).text
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return "\n\(strategy.label)\n" + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }.joined()
  }
}
