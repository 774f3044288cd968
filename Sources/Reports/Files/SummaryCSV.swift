internal import FrameBudget

/// `summary.csv`: a line for each run, with every metric of the catalogue. Later columns follow the earlier ones, so a new
/// metric is the last column.
public enum SummaryCSV {
  static let format = LineFormat<ReportRow>(
    ReportRow.keys + metrics(MetricCatalog.part(through: .lateBegins)) + [.learned]
      + Column<ReportRow>.ranges
      + metrics(MetricCatalog.part(after: .lateBegins, through: .inpIsBound)) + [.like]
      + metrics(MetricCatalog.part(after: .inpIsBound)))

  private static func metrics(_ metrics: ArraySlice<Metric>) -> [Column<ReportRow>] {
    metrics.map { metric in
      Column(metric.name, metric.formula, metric.unit) { metric.value($0.metrics) }
    }
  }

  public static let header = format.header

  public static func line(_ row: ReportRow) -> String { format.line(row) }

  /// Appends the line of `row` to the file's bytes.
  public static func append(_ row: ReportRow, to bytes: inout [UInt8]) {
    format.append(row, to: &bytes)
  }

  public static func text(_ rows: [ReportRow]) -> String { format.text(rows) }
}

/// `workloads.csv`: a line for each workload of each run, with the metrics of its items.
public enum WorkloadsCSV {
  /// A workload of a run.
  struct Row {
    let run: ReportRow
    let log: ItemLog
    let items: ItemMetrics
  }

  /// The column with the name of the workload, after the keys of its run.
  static let workload = "workload"
  /// The column with the name of an item, after the metrics of earlier schemas.
  static let item = "item"

  static let format = LineFormat<Row>(
    ReportRow.keys.map { $0.of(\.run) } + columns.prefix(behindOlder)
      + [Column.learned.of(\.run)] + columns.dropFirst(behindOlder))

  /// The columns about the workload, which are keys in `run.json`.
  static let columns: [Column<Row>] =
    [Column(workload, "its name") { .text($0.log.workload) }]
    + metrics.prefix(behindItem) + [
      Column(item, "the name of one of its items; empty if the scenario has none") {
        $0.log.item.map(MetricValue.text)
      }
    ] + metrics.dropFirst(behindItem)

  private static let metrics = MetricCatalog.items.map { metric in
    Column<Row>(metric.name, metric.formula, metric.unit) { metric.value($0.items) }
  }

  /// The position of the columns that were added after the mark of recordings.
  private static let behindOlder =
    columns.firstIndex { $0.name == Metric.interactions.name } ?? columns.count

  /// The position of the metrics that were added later.
  private static let behindItem =
    MetricCatalog.items.firstIndex { $0.name == Metric.content(.p50).name } ?? metrics.count

  static func rows(_ run: ReportRow) -> [Row] {
    zip(run.log.items, run.metrics.workloads).map { Row(run: run, log: $0, items: $1.items) }
  }

  public static let header = format.header

  public static func lines(_ row: ReportRow) -> String { rows(row).map(format.line).joined() }

  /// Appends the lines of `row` to the file's bytes.
  public static func append(_ row: ReportRow, to bytes: inout [UInt8]) {
    for row in rows(row) { format.append(row, to: &bytes) }
  }

  public static func text(_ rows: [ReportRow]) -> String { header + rows.map(lines).joined() }
}
