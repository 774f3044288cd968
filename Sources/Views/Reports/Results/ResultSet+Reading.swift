internal import FrameBudget
public import FrameBudgetParsing

extension ResultSet {
  /// The limit for rows of a comparison.
  static let maxRows = 1_000_000

  /// Reads a `summary.csv` or a `workloads.csv`, in any order of columns.
  public init(_ source: consuming ByteSource) throws(InputError) {
    var rows: [RunRecord] = []
    let name = source.name
    let columns = try Self.read(source) { (row) throws(InputError) in
      guard rows.count < Self.maxRows else { throw InputError("more than \(Self.maxRows) rows") }
      rows.append(row)
    }
    guard let columns, columns.isOfWorkloads || !rows.isEmpty else {
      throw InputError("holds no results", file: name)
    }
    self.init(rows: rows, metrics: columns.metrics)
  }

  /// Passes each row of a `summary.csv` to `body`, in constant memory.
  static func forEach(
    _ source: consuming ByteSource, _ body: (RunRecord) throws(InputError) -> Void
  ) throws(InputError) {
    _ = try read(source, body)
  }

  /// Throws if the file cannot be read, in constant memory.
  public static func requireReadable(_ source: consuming ByteSource) throws(InputError) {
    _ = try read(source) { _ in }
  }

  private static func read(
    _ source: consuming ByteSource, _ body: (RunRecord) throws(InputError) -> Void
  ) throws(InputError) -> ResultColumns? {
    var records = CSVRecords(source)
    var columns: ResultColumns?
    try records.forEach { (fields) throws(InputError) in
      guard let columns else { return columns = try ResultColumns(fields) }
      try body(try columns.row(fields))
    }
    return columns
  }
}

/// The positions of the columns of a results file.
private struct ResultColumns {
  private let places: ColumnPlaces
  let metrics: [String]
  /// The columns with texts.
  private let texts: [(place: Int, column: Column<RunRecord>)]
  /// The columns with numbers, metrics and their ranges: their names and positions.
  private let numbered: [String]
  private let names: RowNumbers.Names
  private let numbers: [Int]

  /// A file of workloads does not have the status of its runs, and has no rows if a scenario has no workloads.
  var isOfWorkloads: Bool { places.has(Column.workload.name) }

  init(_ names: [String]) throws(InputError) {
    let isOfWorkloads = names.contains(Column.workload.name)
    let needed = RunKey.allCases.map(\.name) + (isOfWorkloads ? [] : [Metric.status.name])
    let places = try ColumnPlaces(names, needed: needed, of: "summary.csv")
    // The schema determines how the rest is read.
    let order = [RunKey.schema.name] + names.filter { $0 != RunKey.schema.name }
    texts = order.distinct().compactMap { name in
      guard let place = places.place(name), let column = RunRecord.texts[name] else { return nil }
      return (place, column)
    }
    numbered = names.filter { RunRecord.texts[$0] == nil }
    metrics = numbered.filter { !RunRecord.rangeNames.contains($0) }
    self.names = RowNumbers.Names(numbered)
    numbers = numbered.compactMap(places.place)
    self.places = places
  }

  func row(_ fields: [String]) throws(InputError) -> RunRecord {
    try places.require(fields)
    var record = RunRecord()
    for (place, column) in texts { try column.read?(&record, fields[place]) }
    var values: [Double?] = []
    values.reserveCapacity(numbers.count)
    for (place, name) in zip(numbers, numbered) {
      values.append(fields[place].isEmpty ? nil : try InputNumber.cell(fields[place], name))
    }
    record.numbers = RowNumbers(values, in: names)
    return record
  }
}
