internal import FrameBudget

/// The columns of `summary.csv` and `workloads.csv`, as a table in Markdown.
public enum ColumnTable {
  public static let markdown =
    "| column | unit | what it is |\n|---|---|---|\n"
    + ReportRow.columns.map { line($0.name, unit: "", $0.meaning) }.joined()
    + MetricCatalog.all.map { line($0.name, unit: $0.unit.rawValue, meaning($0)) }.joined()

  private static func meaning(_ metric: Metric) -> String {
    let isOfWorkloads = MetricCatalog.items.contains { $0.name == metric.name }
    return metric.formula + (isOfWorkloads ? " (also in workloads.csv)" : "")
  }

  private static func line(_ name: String, unit: String, _ meaning: String) -> String {
    // A bar would end the cell.
    let cells = ["`\(name)`", unit, meaning].map {
      $0.split(separator: "|").joined(separator: "\\|")
    }
    return "| \(cells.joined(separator: " | ")) |\n"
  }
}
