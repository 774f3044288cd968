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
    RecordTable(
      "scenarios",
      columns: [
        RunKey.scenario.name, "ok", RunKey.refresh.name, RunKey.duration.name, "services",
        "workloads", "strategies",
        "doubts", "error",
      ], rows: checked.map(\.row))
  }

  private var row: [MetricValue?] {
    switch outcome {
    case .success(let scenario):
      [
        .text(name), .count(1), .real(scenario.display.refresh.hertz),
        .real(scenario.duration.inMilliseconds), .count(scenario.services.count),
        .count(scenario.workloads.count), .count(scenario.strategies.count),
        .text(scenario.doubts.joined(separator: "; ")), nil,
      ]
    case .failure(let error):
      [.text(name), .count(0), nil, nil, nil, nil, nil, nil, .text(error.message)]
    }
  }
}

extension Scenario {
  /// What is no error, and may well be meant.
  fileprivate var doubts: [String] {
    missedArrivals
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
