internal import FrameBudget
internal import Reports
internal import Scenarios

/// What steps that do real work cost in a comparison's runs, on average.
///
/// The mean, because predicted times are sums of it: a median would leave out what a few slow ones add.
struct StepCosts {
  let costs: [ScenarioFile.StepCost]
  /// A comment for the head of the scenario's copy.
  let heading: String

  /// Checks before a long run that there will be something to write, and where.
  static func check(_ comparison: Comparison, file: String) throws(ToolError) {
    let steps = comparison.runs.first?.scenario.workloads.flatMap(\.steps) ?? []
    guard steps.contains(where: { $0.task != nil }) else {
      throw ToolError(
        .usage, "--measure-steps: no step of the scenario does real work, such as 'do: sha256'")
    }
    try NewFile.requireAbsent(file)
  }

  init(_ rows: [ReportRow]) {
    let measured = rows.flatMap(\.log.totals.stepMeasurements)
    let steps = Set(measured.map { [$0.workload, $0.step] })
      .sorted { $0.lexicographicallyPrecedes($1) }
    var times = 0
    costs = steps.map { step in
      let spans = measured.filter { [$0.workload, $0.step] == step }.flatMap(\.costs)
      times = max(times, spans.count)
      let sum = spans.reduce(TimeSpan.zero, +)
      return ScenarioFile.StepCost(
        workload: step[0], step: step[1], cpu: sum.divided(by: Double(spans.count)))
    }
    heading =
      "# The cpu of steps that do real work is what they took when run, on average of "
      + "up to \(times) times each.\n"
  }
}

extension RunCommand {
  /// Writes the scenario with the costs that were measured, if any were.
  func writeCosts(_ outcome: inout RunOutcome, _ source: ScenarioSource, to file: String) {
    let measured = StepCosts(outcome.rows)
    guard !measured.costs.isEmpty, outcome.writeFailure == nil else { return }
    do throws(ToolError) {
      try NewFile.write(measured.heading + source.text(with: measured.costs), to: file)
    } catch {
      outcome.writeFailure = error
    }
  }
}
