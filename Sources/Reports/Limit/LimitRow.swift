public import FrameBudget

/// The largest load that one strategy bears, and what ended the next one.
public struct LimitRow: Sendable {
  /// A run of the search: it says what all of them were runs of.
  let run: ReportRow
  /// What of the scenario is the load.
  public let path: String
  public let range: ClosedRange<Int>
  public let outcome: LoadSearch.Outcome

  public init(
    _ run: ReportRow, path: String, range: ClosedRange<Int>, outcome: LoadSearch.Outcome
  ) {
    self.run = run
    self.path = path
    self.range = range
    self.outcome = outcome
  }

  var log: RunLog { run.log }
  var cores: Int { run.cores }
  var changes: String { run.changes }

  /// What the load is counted in: what items of the workload are called of which it says how many arrive.
  var item: String? {
    let parts = path.split(separator: ".")
    guard parts.count == 4, parts[0] == "workloads", ["once", "batch"].contains(parts[3]) else {
      return nil
    }
    return log.items.first { $0.workload == parts[1] }?.item
  }
}
