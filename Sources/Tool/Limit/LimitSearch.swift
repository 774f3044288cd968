internal import FrameBudget
internal import RealTime
internal import Reports

/// Looks for the largest load that each strategy bears.
struct LimitSearch: Sendable {
  let source: ScenarioSource
  let request: Comparison.Request
  let load: LoadPath

  /// How many searches there are: one for each strategy and engine.
  func count() throws(ToolError) -> Int { try comparison(load.range.lowerBound).runs.count }

  /// The search at place `index`; searches on the virtual engine may be made at the same time.
  func row(_ index: Int) throws(ToolError) -> LimitRow {
    var last: ReportRow?
    let outcome = try LoadSearch.largest(in: load.range) { load throws(ToolError) in
      let row = try run(load, index)
      last = row
      return Overload.of(row.metrics)
    }
    guard let last else { preconditionFailure("a search makes at least one run") }
    return LimitRow(last, path: load.variation.path, range: load.range, outcome: outcome)
  }

  private func run(_ load: Int, _ index: Int) throws(ToolError) -> ReportRow {
    let run = try comparison(load).runs[index]
    let row = try run.made(RealEngine.Options(), progress: RunProgress())
    if let signal = Interruption.signal {
      throw ToolError(.interrupted(by: signal), "interrupted; what it looked for is not known yet")
    }
    guard row.log.violations.isEmpty else {
      let label = "\(run.plan.strategy.label) at \(load)"
      throw ToolError(
        .invalidRun, "\(label) is invalid: \(row.log.violations.joined(separator: "; "))")
    }
    return row
  }

  private func comparison(_ load: Int) throws(ToolError) -> Comparison {
    var request = request
    request.hidden.append(self.load.override(load))
    return try Comparison(source, request)
  }
}
