internal import FrameBudget

extension LimitRow {
  /// The largest loads as `limit.csv` and `limit --format json` have them: a row for each search.
  public static func table(_ rows: [LimitRow]) -> RecordTable {
    RecordTable(
      "limits", schema: MetricCatalog.schema,
      columns: rows.first?.fields.map(\.name) ?? [], rows: rows.map { $0.fields.map(\.value) })
  }

  /// `run.json` of searches: as that of runs, with the largest loads and without the runs that found them.
  public static func runJSON(_ rows: [LimitRow], _ circumstances: Circumstances) -> String {
    let isReal = rows.contains { $0.log.engine == .real }
    let warnings = isReal ? MeasurementWarnings.machine(circumstances) : []
    let head = RunJSON.head(MetricCatalog.schema, circumstances, warnings.map(\.description))
    return JSON.object(head + [("runs", .array([])), table(rows).member]).written() + "\n"
  }

  /// What stands in files, in the order of the columns.
  private var fields: [(name: String, value: MetricValue?)] {
    // The file has its schema once; the repetition came later than the other columns.
    let keys = run.keys.filter { !["schema", "repetition", "warmup_frames"].contains($0.name) }
    return keys.map { ($0.name, $0.value) } + [
      ("path", .text(path)), ("from", .count(range.lowerBound)), ("to", .count(range.upperBound)),
      ("largest", outcome.largest.map(MetricValue.count)),
      ("ended_at", outcome.end.map { .count($0.load) }),
      ("ended_by", outcome.end.map { .text($0.overload.name) }),
      ("why", outcome.end.map { .text($0.overload.description) }),
      ("runs", .count(outcome.runs)), ("repetition", .count(run.repetition)),
    ]
  }
}
