public import FrameBudget

/// The largest load that one strategy bears, and what ended the next one.
public struct LimitRow: Sendable {
  /// A run of the search: it says what all of them were runs of.
  let run: ReportRow
  /// What of the scenario is the load.
  public let path: String
  public let range: ClosedRange<Int>
  public let outcome: LoadSearch.Outcome
  /// The run with the largest load that is borne; nil if none is.
  let borne: ReportRow?

  /// - Parameters:
  ///   - run: any run of the search.
  ///   - path: what of the scenario is the load.
  ///   - range: the loads that were allowed.
  ///   - outcome: what was found.
  ///   - borne: the run with the largest load that is borne; nil if none is.
  public init(
    _ run: ReportRow, path: String, range: ClosedRange<Int>, outcome: LoadSearch.Outcome,
    borne: ReportRow? = nil
  ) {
    self.borne = borne
    self.run = run
    self.path = path
    self.range = range
    self.outcome = outcome
  }

  /// Whose screen the scenario has.
  public var platform: ScreenPlatform? { log.platform }

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
