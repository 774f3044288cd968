internal import FrameBudget
internal import Parsing
internal import Reports

/// What `check` found out about a scenario.
struct CheckedScenario {
  /// As it was asked for.
  let name: String
  let outcome: Result<Scenario, ToolError>

  /// For people: what it is, in a line, and its doubts below; nothing for one that is broken, which is an error.
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
    Column(RunKey.scenario.name, "as it was asked for") { checked in .text(checked.name) },
    Column("ok", "1 if nothing is wrong with it, else 0") { .count($0.scenario == nil ? 0 : 1) },
    column(RunKey.refresh.name, RunKey.refresh.meaning) { .real($0.display.refresh.hertz) },
    column(RunKey.duration.name, "D, the measured part") { .real($0.duration.inMilliseconds) },
    column("services", "how many there are, copies included") { .count($0.services.count) },
    column("workloads", "the same of workloads") { .count($0.workloads.count) },
    column("strategies", "those it names") { .count($0.strategies.count) },
    column("doubts", "what is no error") { .text($0.doubts.joined(separator: "; ")) },
    Column("error", "all that is wrong with it") { $0.error.map { .text($0.message) } },
  ]

  /// Empty of one that is broken.
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
  /// What is no error, and may well be meant.
  fileprivate var doubts: [String] {
    missedArrivals + slowSecondStage
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
