internal import FrameBudget
internal import RealTime
internal import Reports

/// Looks for the largest load that each strategy bears.
struct LimitSearch: Sendable {
  let source: ScenarioSource
  let request: Comparison.Request
  let load: LoadPath
  let options: RealEngine.Options

  /// The run of each search, by strategy and engine, with so much load.
  func runs(at load: Int) throws(ToolError) -> [PlannedRun] { try comparison(at: load).runs }

  /// All of them, with the least load.
  func leastLoad() throws(ToolError) -> Comparison { try comparison(at: load.range.lowerBound) }

  private func comparison(at load: Int) throws(ToolError) -> Comparison {
    var request = request
    request.hidden.append(self.load.override(load))
    return try Comparison(source, request)
  }

  /// The longest that searches in real time can take, one after the other.
  func longestRealTime() throws(ToolError) -> TimeSpan {
    let length = try leastLoad().runs.filter { $0.engine == .real }
      .reduce(TimeSpan.zero) { $0 + $1.length }
    return length * LoadSearch.mostRuns(in: load.range)
  }

  /// The search at place `index`; searches on the virtual engine may be made at the same time.
  func result(_ index: Int, showing bar: ProgressBar? = nil) -> Result<LimitRow, ToolError> {
    Result { () throws(ToolError) in
      var last: ReportRow?
      var borne: ReportRow?
      let outcome = try LoadSearch.largest(in: load.range) { load throws(ToolError) in
        let row = try run(load, index, bar)
        last = row
        let overload = Overload.of(row.metrics)
        // Loads that are borne grow.
        if overload == nil { borne = row }
        return overload
      }
      guard let last else { preconditionFailure("a search makes at least one run") }
      return LimitRow(
        last, path: load.variation.path, range: load.range, outcome: outcome, borne: borne)
    }
  }

  private func run(_ load: Int, _ index: Int, _ bar: ProgressBar?) throws(ToolError) -> ReportRow {
    let runs = try runs(at: load)
    let run = runs[index]
    let label = "\(run.plan.strategy.label) at \(load)"
    bar?.begin("\(index + 1)/\(runs.count) \(label)", lasting: run.scenario.duration)
    let row = try run.made(options, progress: bar?.progress ?? RunProgress())
    if let signal = Interruption.signal {
      throw ToolError(.interrupted(by: signal), "\(label) was interrupted")
    }
    guard row.log.violations.isEmpty else {
      throw ToolError(
        .invalidRun, "\(label) is invalid: \(row.log.violations.joined(separator: "; "))")
    }
    return row
  }
}
