public import FrameBudget

/// The largest load that one strategy bears, and what ended the next one.
public struct LimitRow: Sendable {
  /// A run of the search: it says what all of them were runs of.
  private let run: ReportRow
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

  /// What stands in files, in the order of the columns.
  var fields: [(name: String, value: MetricValue?)] {
    let keys = run.keys.filter { !["repetition", "warmup_frames"].contains($0.name) }
    return keys.map { ($0.name, $0.value) } + [
      ("path", .text(path)), ("from", .count(range.lowerBound)), ("to", .count(range.upperBound)),
      ("largest", outcome.largest.map(MetricValue.count)),
      ("ended_at", outcome.end.map { .count($0.load) }),
      ("ended_by", outcome.end.map { .text($0.overload.name) }),
      ("why", outcome.end.map { .text($0.overload.description) }),
      ("runs", .count(outcome.runs)),
    ]
  }
}
