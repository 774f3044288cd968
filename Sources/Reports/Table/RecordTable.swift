internal import FrameBudget

/// Rows under named columns, for programs: as CSV, or as JSON with the columns as keys.
public struct RecordTable: Sendable {
  /// What the rows are called in JSON.
  let name: String
  /// The version of the columns, added at the end and never renamed; the first column, and JSON has it once.
  let schema: Int
  private let columns: [String]
  /// Nil where a column does not apply.
  private let rows: [[MetricValue?]]
  /// What the rows come to, which JSON has before them; nil where nobody judges them.
  var verdict: JSON?
  /// What JSON calls that.
  static let verdict = "verdict"

  package init<Row>(
    _ name: String, schema: Int = 1, _ columns: some Collection<Column<Row>>, _ rows: [Row]
  ) {
    self.name = name
    self.schema = schema
    self.columns = columns.map(\.name)
    self.rows = rows.map { row in columns.map { $0.value(row) } }
  }

  public var csv: String {
    let head = CSV.line(["schema"] + columns)
    return head
      + rows.map { CSV.line([String(schema)] + $0.map { $0?.description ?? "" }) }.joined()
  }

  public var json: String {
    let judged = verdict.map { [(name: Self.verdict, value: $0)] } ?? []
    return JSON.object([("schema", .number(String(schema)))] + judged + [member]).written() + "\n"
  }

  /// The rows under their name.
  var member: (name: String, value: JSON) {
    let objects = rows.map { row in JSON.object(zip(columns, row).map(JSON.member)) }
    return (name, .array(objects))
  }
}
