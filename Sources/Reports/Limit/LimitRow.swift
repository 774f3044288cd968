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
}
