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

  /// Checks before a long run that there will be something to write.
  static func check(_ comparison: Comparison) throws(ToolError) {
    let steps = comparison.runs.first?.scenario.workloads.flatMap(\.steps) ?? []
    guard steps.contains(where: { $0.task != nil }) else {
      throw ToolError(
        .usage, "--measure-steps: no step of the scenario does real work, such as 'do: sha256'")
    }
  }

  /// Steps of all copies of a workload are one step of the file.
  init(_ rows: [ReportRow], of workloads: PerWorkload<Workload>) {
    let measured = rows.flatMap(\.log.totals.stepMeasurements)
    let names = workloads.mapValues { $0.fileName }
    var spans: [Place: [TimeSpan]] = [:]
    for step in measured {
      spans[Place(workload: names[step.workload], step: step.step), default: []] += step.costs
    }
    costs = spans.sorted { $0.key < $1.key }.map { place, spans in
      let sum = spans.reduce(TimeSpan.zero, +)
      return ScenarioFile.StepCost(
        workload: place.workload, step: place.step, cpu: sum.divided(by: Double(spans.count)))
    }
    let times = spans.values.map(\.count).max() ?? 0
    heading =
      "# The cpu of steps that do real work is what they took when run, on average of "
      + "up to \(times) times each.\n"
  }
}

private struct Place: Hashable, Comparable {
  let workload: String
  let step: Int

  static func < (left: Place, right: Place) -> Bool {
    (left.workload, left.step) < (right.workload, right.step)
  }
}

extension RunCommand {
  /// Writes the scenario with the costs that were measured, if any were.
  func writeCosts(
    _ outcome: inout RunOutcome, of comparison: Comparison, _ source: ScenarioSource,
    to file: consuming NewFile
  ) {
    let workloads = comparison.runs.first?.scenario.workloads ?? []
    let measured = StepCosts(outcome.rows, of: workloads)
    guard !measured.costs.isEmpty, outcome.writeFailure == nil else { return }
    do throws(ToolError) {
      try file.write(measured.heading + source.text(with: measured.costs))
      try file.commit()
    } catch {
      outcome.writeFailure = error
    }
  }
}
