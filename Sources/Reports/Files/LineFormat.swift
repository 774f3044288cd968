internal import FrameBudget

/// A file with a line for each row: the one table from which follow its header, its lines, its keys in JSON, and what
/// the documentation says of it.
struct LineFormat<Row>: Sendable {
  let columns: [Column<Row>]

  init(_ columns: [Column<Row>]) { self.columns = columns }

  var header: String { CSV.line(columns.map(\.name)) }

  func line(_ row: Row) -> String { CSV.line(cells(row)) }

  func text(_ rows: [Row]) -> String { header + rows.map(line).joined() }

  /// The cells of a line; of what is no such row, as many empty ones.
  func cells(_ row: Row?) -> [String] {
    columns.map { column in row.flatMap(column.value)?.description ?? "" }
  }

  /// Rows for programs, called `name` in JSON.
  func records(_ name: String, _ rows: [Row]) -> RecordTable {
    RecordTable(name, schema: MetricCatalog.schema, columns.dropFirst(), rows)
  }

  /// The row in JSON: the file has its schema once.
  func json(_ row: Row) -> JSON {
    let told = columns.filter { $0.name != RunKey.schema.name }
    return .object(told.map { JSON.member($0.name, $0.value(row)) })
  }
}
