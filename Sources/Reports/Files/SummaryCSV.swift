internal import FrameBudget

/// `summary.csv`: a line for each run, with every metric of the catalogue.
public enum SummaryCSV {
  public static let header = CSV.line(ReportRow.keyNames + MetricCatalog.all.map(\.name))

  public static func line(_ row: ReportRow) -> String {
    let metrics = MetricCatalog.all.map { $0.value(row.metrics)?.description ?? "" }
    return CSV.line(row.keys.map(\.value.description) + metrics)
  }

  public static func text(_ rows: [ReportRow]) -> String { header + rows.map(line).joined() }
}
