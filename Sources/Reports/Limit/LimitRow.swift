public import FrameBudget

/// The largest load that one strategy sustains, and what ended the search.
public struct LimitRow: Sendable {
  /// Any run of the search, for the properties that all of them share.
  let run: ReportRow
  /// The path of the load in the scenario.
  public let path: String
  public let range: ClosedRange<Int>
  public let outcome: LoadSearch.Outcome
  /// The run with the largest sustained load; nil if no load is sustained.
  let sustained: ReportRow?

  /// - Parameters:
  ///   - run: any run of the search.
  ///   - path: the path of the load in the scenario.
  ///   - range: the allowed loads.
  ///   - outcome: the result of the search.
  ///   - sustained: the run with the largest sustained load; nil if no load is sustained.
  public init(
    _ run: ReportRow, path: String, range: ClosedRange<Int>, outcome: LoadSearch.Outcome,
    sustained: ReportRow? = nil
  ) {
    self.sustained = sustained
    self.run = run
    self.path = path
    self.range = range
    self.outcome = outcome
  }

  /// The platform of the scenario's screen.
  public var platform: ScreenPlatform? { log.platform }

  var log: RunLog { run.log }
  var cores: Int { run.cores }
  var changes: String { run.changes }

  /// The unit of the load: the name of the items of the workload whose number is the load.
  var item: String? {
    let parts = path.split(separator: ".")
    guard parts.count == 4, parts[0] == "workloads", ["once", "batch"].contains(parts[3]) else {
      return nil
    }
    return log.items.first { $0.workload == parts[1] }?.item
  }
}

extension LimitRow {
  /// The largest loads as in `limit.csv` and `limit --format json`: a row for each search.
  public static func table(_ rows: [LimitRow]) -> RecordTable {
    var table = LimitCSV.format.records("limits", rows)
    table.verdict = LimitVerdict(RepeatedSearch.grouped(rows).map(\.typical)).json
    return table
  }

  /// `run.json` of searches: like that of runs, with the largest loads and without the runs of the searches.
  public static func runJSON(_ rows: [LimitRow], _ circumstances: Circumstances) -> String {
    let isReal = rows.contains { $0.log.engine == .real }
    let warnings = isReal ? MeasurementWarnings.machine(circumstances) : []
    let head = RunJSON.head(MetricCatalog.schema, circumstances, warnings.map(\.description))
    return JSON.object(head + [("runs", .array([])), table(rows).member]).written() + "\n"
  }
}

/// The largest loads as CSV: a line for each strategy.
enum LimitCSV {
  static let endedAt = "ended_at"
  static let endedBy = "ended_by"

  /// The keys of the search's runs, without those that differ between runs.
  static let format = LineFormat<LimitRow>(
    ReportRow.keys.filter { ![RunKey.repetition.name, RunKey.warmup.name].contains($0.name) }
      .map { $0.of(\.run) } + [
        Column("path", "the path of the load in the scenario") { .text($0.path) },
        Column("from", "the smallest load of the search") { .count($0.range.lowerBound) },
        Column("to", "the largest load of the search") { .count($0.range.upperBound) },
        Column("largest", "the largest load that was sustained; empty if none was") {
          $0.outcome.largest.map(MetricValue.count)
        },
        Column(endedAt, "the next load, which was not sustained; empty if all were") {
          $0.outcome.end.map { .count($0.load) }
        },
        Column(endedBy, "the kind of limit") {
          $0.outcome.end.map { .text($0.overload.name) }
        },
        Column("why", "the same as a sentence") {
          $0.outcome.end.map { .text($0.overload.description) }
        },
        Column("runs", "number of runs of the search", .count) { .count($0.outcome.runs) },
        // Added after the other columns.
        Column(RunKey.repetition.name, RunKey.repetition.meaning) { .count($0.run.repetition) },
        Column.learned.of(\.run),
      ])
}
