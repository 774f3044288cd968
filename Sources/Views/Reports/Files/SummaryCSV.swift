internal import FrameBudget

/// `summary.csv`: a line for each run, with every metric of the catalogue. Later columns follow the earlier ones.
public enum SummaryCSV {
  static let format = LineFormat<RunRecord>(
    [
      RunRecord.keys, metrics(MetricCatalog.part(through: .lateBegins)), [.learned],
      RunRecord.ranges, metrics(MetricCatalog.part(after: .lateBegins, through: .inpIsBound)),
      [.like], metrics(MetricCatalog.part(after: .inpIsBound, through: .itemsReplaced)),
      [.movedKept, .partsInMemory],
      metrics(MetricCatalog.part(after: .itemsReplaced, through: .partsLeft)),
      RunRecord.margins + [.rangeKind], metrics(MetricCatalog.part(after: .partsLeft)),
      [.periodsLater, .waitsFor],
    ].flatMap(\.self))

  private static func metrics(_ metrics: ArraySlice<Metric>) -> [Column<RunRecord>] {
    metrics.map { RunRecord.column($0) }
  }

  public static let header = format.header

  /// The cells that distinguish the run from others.
  static func keys(_ row: ReportRow) -> [String] {
    let keys = row.keys
    return RunRecord.keys.map { $0.value(keys)?.description ?? "" }
  }

  /// Appends the line of `row` to the file's bytes.
  public static func append(_ row: ReportRow, to bytes: inout [UInt8]) {
    format.append(row.summary, to: &bytes)
  }

  public static func text(_ rows: [ReportRow]) -> String { format.text(rows.map(\.summary)) }
}

/// `workloads.csv`: a line for each workload of each run, with the metrics of its items.
public enum WorkloadsCSV {
  static let format = LineFormat<RunRecord>(
    RunRecord.keys + columns.prefix(behindOlder) + [.learned] + columns.dropFirst(behindOlder))

  /// The columns about the workload, which are keys in `run.json`.
  static let columns: [Column<RunRecord>] =
    [.workload] + metrics.prefix(behindItem) + [.item] + metrics.dropFirst(behindItem)

  private static let metrics = MetricCatalog.items.map {
    RunRecord.column($0, in: ReportRow.itemNames)
  }

  /// The position of the columns that were added after the mark of recordings.
  private static let behindOlder =
    columns.firstIndex { $0.name == Metric.interactions.name } ?? columns.count

  /// The position of the metrics that were added later.
  private static let behindItem =
    MetricCatalog.items.firstIndex { $0.name == Metric.content(.p50).name } ?? metrics.count

  public static let header = format.header

  public static func lines(_ row: ReportRow) -> String {
    row.workloads.map(format.line).joined()
  }

  /// Appends the lines of `row` to the file's bytes.
  public static func append(_ row: ReportRow, to bytes: inout [UInt8]) {
    for workload in row.workloads { format.append(workload, to: &bytes) }
  }

  public static func text(_ rows: [ReportRow]) -> String { header + rows.map(lines).joined() }
}
