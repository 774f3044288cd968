internal import FrameBudget

/// The columns of files, as tables in Markdown.
public enum ColumnTable {
  /// Those of `summary.csv` and `workloads.csv`.
  public static let markdown = table(SummaryCSV.format.columns.map(line))

  /// What means something else than in earlier schemas, as a list in Markdown.
  public static let changes =
    "\nWhat means something else since an earlier schema (`compare` of results from before and after does not gate it):"
    + "\n\n"
    + MetricCatalog.meaningChanges.map { change in
      let names = change.metrics.map { "`\($0.name)`" }.joined(separator: ", ")
      let source = change.source == .imports ? " of imported logs" : ""
      return "- schema \(change.schema): \(names)\(source): \(change.change)\n"
    }.joined()

  /// Those of the other files, as far as they are not in `markdown`.
  public static let others = [
    section("A per-frame file (`--frames`)", FramesCSV.columns),
    section("`seeds.csv` (`run --summary`)", SeedSummary.format.columns),
    section("`limit --format csv`", LimitCSV.format.columns),
    section("`import --format csv`", ImportCSV.format.columns),
    section("`compare --format csv`", ComparisonCSV.format.columns),
    section("`bench --format csv`", BenchCSV.columns) + BenchCSV.copyColumns.map(line).joined(),
  ].joined()

  private static func section<Row>(_ title: String, _ columns: [Column<Row>]) -> String {
    let known = Set(SummaryCSV.format.columns.map(\.name))
    return "\n\(title):\n\n" + table(columns.filter { !known.contains($0.name) }.map(line))
  }

  private static func table(_ lines: [String]) -> String {
    "| column | unit | what it is |\n|---|---|---|\n" + lines.joined()
  }

  private static func line<Row>(_ column: Column<Row>) -> String {
    let isOfWorkloads = MetricCatalog.items.contains { $0.name == column.name }
    let meaning = column.meaning + (isOfWorkloads ? " (also in workloads.csv)" : "")
    // A bar would end the cell.
    let cells = ["`\(column.name)`", column.unit.rawValue, meaning].map {
      $0.split(separator: "|").joined(separator: "\\|")
    }
    return "| \(cells.joined(separator: " | ")) |\n"
  }
}
