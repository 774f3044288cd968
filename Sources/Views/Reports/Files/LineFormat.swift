internal import FrameBudget
internal import FrameBudgetParsing

/// A file with a line for each row. This table determines its header, its lines, its keys in JSON, and its part of the
/// documentation.
struct LineFormat<Row>: Sendable {
  let columns: [Column<Row>]

  init(_ columns: [Column<Row>]) { self.columns = columns }

  var header: String { CSV.line(columns.map(\.name)) }

  func line(_ row: Row) -> String {
    var bytes: [UInt8] = []
    append(row, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the line of `row` to a file.
  func append(_ row: Row, to bytes: inout [UInt8]) {
    // In place: copying the columns would take a third of the time.
    for place in columns.indices {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      columns[place].value(row)?.append(to: &bytes, in: .csv)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  func text(_ rows: [Row]) -> String { header + rows.map(line).joined() }

  /// The cells of a line; empty cells if there is no row.
  func cells(_ row: Row?) -> [String] {
    columns.map { column in row.flatMap(column.value)?.description ?? "" }
  }

  /// Rows for programs, called `name` in JSON.
  func records(_ name: String, _ rows: [Row]) -> RecordTable {
    RecordTable(name, schema: MetricCatalog.schema, columns.dropFirst(), rows)
  }

  /// The row in JSON, without the schema, which the file has once.
  func json(_ row: Row) -> JSON {
    let members = columns.filter { $0.name != RunKey.schema.name }
    return .object(members.map { JSON.member($0.name, $0.value(row)) })
  }
}

/// Comma-separated values with the quotes of RFC 4180; lines end in a line feed, as Unix tools expect.
enum CSV {
  static func line(_ fields: [String]) -> String {
    var line = ""
    for (place, field) in fields.enumerated() {
      if place > 0 { line += "," }
      line += OutputContext.csv.escaped(field)
    }
    return line + "\n"
  }
}

/// The columns of files, as tables in Markdown.
public enum ColumnTable {
  /// The columns of `summary.csv` and `workloads.csv`.
  public static let markdown = table(SummaryCSV.format.columns.map(line))

  /// Columns with another meaning than in earlier schemas, as a list in Markdown.
  public static let changes =
    "\nMetrics with changed meanings (`compare` does not gate them between results from before and after the change):"
    + "\n\n"
    + MetricCatalog.meaningChanges.map { change in
      let names = change.metrics.map { "`\($0.name)`" }.joined(separator: ", ")
      let source = change.source == .imports ? " of imported logs" : ""
      return "- schema \(change.schema): \(names)\(source): \(change.change)\n"
    }.joined()

  /// The columns of the other files, except those in `markdown`.
  public static let others = [
    section("A per-frame file (`--frames`)", FramesCSV.columns),
    section("`spans.csv` (`measure`)", SpansCSV.columns),
    section("`seeds.csv` (`run --summary`)", SeedSummary.format.columns),
    section("`limit --format csv`", LimitRecord.columns),
    section("`import --format csv`", ImportCSV.format.columns),
    section("`compare --format csv`", ComparisonCSV.format.columns),
    section("`history.csv`", HistoryRecord.columns),
    section("`history --format csv`, after the columns of `compare`", HistoryCSV.own),
    section("`bench --format csv`", BenchCSV.columns) + BenchCSV.copyColumns.map(line).joined(),
  ].joined()

  private static func section<Row>(_ title: String, _ columns: [Column<Row>]) -> String {
    let known = Set(SummaryCSV.format.columns.map(\.name))
    return "\n\(title):\n\n" + table(columns.filter { !known.contains($0.name) }.map(line))
  }

  private static func table(_ lines: [String]) -> String {
    "| column | unit | meaning |\n|---|---|---|\n" + lines.joined()
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
