internal import FrameBudget

/// The columns of `summary.csv` and `workloads.csv`, as a table in Markdown.
public enum ColumnTable {
  public static let markdown =
    "| column | unit | what it is |\n|---|---|---|\n"
    + ReportRow.columns.map { line($0.name, unit: "", $0.meaning) }.joined()
    + MetricCatalog.all.map { line($0.name, unit: $0.unit.rawValue, meaning($0)) }.joined()

  /// What means something else than in earlier schemas, as a list in Markdown.
  public static let changes =
    "\nWhat means something else since an earlier schema (`compare` of results from before and after does not gate it):"
    + "\n\n"
    + MetricCatalog.meaningChanges.map { change in
      let names = change.metrics.map { "`\($0)`" }.joined(separator: ", ")
      let source = change.source == .imports ? " of imported logs" : ""
      return "- schema \(change.schema): \(names)\(source): \(change.change)\n"
    }.joined()

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
