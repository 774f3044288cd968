internal import FrameBudget

/// `summary.csv`: a line for each run, with every metric of the catalogue. Those of later schemas stand behind what was there.
public enum SummaryCSV {
  static let format = LineFormat<ReportRow>(
    ReportRow.keys + metrics(of: 1...2) + [.learned] + Column<ReportRow>.ranges
      + metrics(of: 3...MetricCatalog.schema) + [.like])

  private static func metrics(of schemas: ClosedRange<Int>) -> [Column<ReportRow>] {
    schemas.flatMap(MetricCatalog.added).map { metric in
      Column(metric.name, metric.formula, metric.unit) { metric.value($0.metrics) }
    }
  }

  public static let header = format.header

  public static func line(_ row: ReportRow) -> String { format.line(row) }

  public static func text(_ rows: [ReportRow]) -> String { format.text(rows) }
}
