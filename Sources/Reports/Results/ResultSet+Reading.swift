internal import FrameBudget
public import Parsing

extension ResultSet {
  /// More rows than any comparison has.
  static let mostRows = 1_000_000

  /// Reads a `summary.csv`, wherever its columns stand.
  public init(_ source: consuming ByteSource) throws(InputError) {
    var reader = LineReader(source)
    var fields = CSVFields()
    var columns: ResultColumns?
    var rows: [ResultRow] = []
    let file = reader.name
    try reader.forEach { (line, number) throws(InputError) in
      do throws(InputError) {
        if line.isEmpty { return }
        try fields.split(line)
        let texts = fields.texts(of: line)
        guard let columns else { return columns = try ResultColumns(texts) }
        guard rows.count < Self.mostRows else {
          throw InputError("more than \(Self.mostRows) rows")
        }
        rows.append(try columns.row(texts))
      } catch {
        throw InputError(error.reason, file: file, line: number)
      }
    }
    guard let columns, !rows.isEmpty else { throw InputError("holds no results", file: file) }
    self.init(rows: rows, metrics: columns.metricNames)
  }
}

/// Where the columns of a results file stand.
private struct ResultColumns {
  private let names: [String]
  private let places: [String: Int]
  private let metrics: [(name: String, place: Int)]

  var metricNames: [String] { metrics.map(\.name) }

  init(_ names: [String]) throws(InputError) {
    self.names = names
    places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    let missing = ReportRow.keyNames.filter { !names.contains($0) }
    guard missing.isEmpty else {
      throw InputError("is no summary.csv: it has no column '\(missing[0])'")
    }
    let texts = Set(ReportRow.keyNames + ["status", "workload"])
    metrics = names.enumerated().filter { !texts.contains($1) }.map { ($1, $0) }
  }

  func row(_ fields: [String]) throws(InputError) -> ResultRow {
    guard fields.count == names.count else {
      throw InputError(
        "the row has \(fields.count) fields where the header has \(names.count); is it cut off?")
    }
    func text(_ name: String) -> String { places[name].map { fields[$0] } ?? "" }
    guard text("schema") == String(ReportRow.schema) else {
      throw InputError(
        "schema \(InputError.quoted(text("schema"))) is not known; read is \(ReportRow.schema)")
    }
    var numbers: [String: Double] = [:]
    for (name, place) in metrics where !fields[place].isEmpty {
      numbers[name] = try Self.number(fields[place], name)
    }
    return ResultRow(
      scenario: text("scenario"), strategy: text("strategy"), options: text("options"),
      changes: text("changes"), engine: text("engine"), cores: text("cores"),
      repetition: text("repetition"), seed: text("seed"), status: text("status"),
      refreshHz: Double(text("refresh_hz")), durationMilliseconds: Double(text("duration_ms")),
      numbers: numbers)
  }

  private static func number(_ text: String, _ column: String) throws(InputError) -> Double {
    if let number = Double(text), number.isFinite { return number }
    throw InputError("\(InputError.quoted(text)) in column \(column) is not a number")
  }
}
