internal import FrameBudget

extension LimitRow {
  /// The largest loads as `limit.csv` and `limit --format json` have them: a row for each search.
  public static func table(_ rows: [LimitRow]) -> RecordTable {
    var table = LimitCSV.format.records("limits", rows)
    table.verdict = LimitVerdict(RepeatedSearch.grouped(rows).map(\.typical)).json
    return table
  }

  /// `run.json` of searches: as that of runs, with the largest loads and without the runs that found them.
  public static func runJSON(_ rows: [LimitRow], _ circumstances: Circumstances) -> String {
    let isReal = rows.contains { $0.log.engine == .real }
    let warnings = isReal ? MeasurementWarnings.machine(circumstances) : []
    let head = RunJSON.head(MetricCatalog.schema, circumstances, warnings.map(\.description))
    return JSON.object(head + [("runs", .array([])), table(rows).member]).written() + "\n"
  }
}
