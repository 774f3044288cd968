internal import FrameBudget

/// `summary.csv`: a line for each run, with every metric of the catalogue.
public enum SummaryCSV {
  static let format = LineFormat<ReportRow>(
    ReportRow.keys
      + MetricCatalog.all.map { metric in
        Column(metric.name, metric.formula, metric.unit) { metric.value($0.metrics) }
      } + [.learned] + Column<ReportRow>.ranges)

  public static let header = format.header

  public static func line(_ row: ReportRow) -> String { format.line(row) }

  public static func text(_ rows: [ReportRow]) -> String { format.text(rows) }
}
