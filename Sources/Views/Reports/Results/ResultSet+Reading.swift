internal import FrameBudget
public import FrameBudgetParsing

extension ResultSet {
  /// The limit for rows of a comparison.
  static let maxRows = 1_000_000

  /// Reads a `summary.csv`, `workloads.csv` or `spans.csv`, in any order of columns.
  public init(_ source: consuming ByteSource) throws(InputError) {
    var rows: [RunRecord] = []
    let metrics = try Self.readResults(source) { rows.append($0) }
    self.init(rows: rows, metrics: metrics)
  }

  /// Passes each row of a `summary.csv` or a `workloads.csv` to `body`, in constant memory, and returns the metrics of its columns.
  /// Throws if it has too many rows, or none.
  static func readResults(
    _ source: consuming ByteSource, _ body: (RunRecord) -> Void
  ) throws(InputError) -> [String] {
    var count = 0
    let name = source.name
    let columns = try read(source) { (row) throws(InputError) in
      guard count < maxRows else { throw InputError("more than \(maxRows) rows") }
      count += 1
      body(row)
    }
    guard let columns, columns.isOfParts || count > 0 else {
      throw InputError("holds no results", file: name)
    }
    return columns.metrics
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
    try records.forEachRecord { (fields, line) throws(InputError) in
      guard let row = try columns?.row(fields, line) else {
        return columns = try ResultColumns(fields.plain(of: line))
      }
      try body(row)
    }
    return columns
  }
}

/// The positions of the columns of a results file.
private struct ResultColumns {
  private let places: ColumnPlaces
  let metrics: [String]
  /// The columns with texts.
  private var texts: [TextColumn]
  /// The row before the next one, which shares most of its texts.
  private var newest = RunRecord()
  /// The columns with numbers, metrics and their ranges: their names and positions.
  private let numbered: [String]
  private let names: RowNumbers.Names
  private let numbers: [Int]

  /// A file of workloads or spans does not have the status of its runs, and has no rows if a scenario has no workloads.
  let isOfParts: Bool

  init(_ names: [String]) throws(InputError) {
    isOfParts = [Column<RunRecord>.workload, .span].contains { names.contains($0.name) }
    let needed = RunKey.allCases.map(\.name) + (isOfParts ? [] : [Metric.status.name])
    let places = try ColumnPlaces(names, needed: needed, of: "summary.csv")
    // The schema determines how the rest is read.
    let order = [RunKey.schema.name] + names.filter { $0 != RunKey.schema.name }
    texts = order.distinct().compactMap { name in
      guard let place = places.place(name), let column = RunRecord.texts[name] else { return nil }
      return TextColumn(place: place, column: column)
    }
    numbered = names.filter { RunRecord.texts[$0] == nil }
    metrics = numbered.filter { !StatedRanges.names.contains($0) }
    self.names = RowNumbers.Names(numbered)
    numbers = numbered.compactMap(places.place)
    self.places = places
  }

  mutating func row(_ fields: CSVFields, _ line: Span<UInt8>) throws(InputError) -> RunRecord {
    try places.require(fields.count)
    for index in texts.indices { try texts[index].read(fields, line, into: &newest) }
    var values: [Double] = []
    values.reserveCapacity(numbers.count)
    for (index, place) in numbers.enumerated() {
      values.append(
        fields.range(place).isEmpty
          ? .nan : try InputNumber.cell(fields, place, of: line, numbered[index]))
    }
    newest.numbers = RowNumbers(cells: values, in: names)
    try newest.check()
    return newest
  }
}

/// A column with texts, which are read where they differ from those of the row before.
private struct TextColumn {
  let place: Int
  let column: Column<RunRecord>
  /// The bytes of the newest field; nil before the first row.
  private var newest: [UInt8]?

  init(place: Int, column: Column<RunRecord>) {
    (self.place, self.column) = (place, column)
  }

  mutating func read(
    _ fields: CSVFields, _ line: Span<UInt8>, into record: inout RunRecord
  ) throws(InputError) {
    let bytes = line.extracting(fields.range(place))
    if let newest, Self.areEqual(newest.span, bytes) { return }
    try column.read?(&record, fields.plain(place, of: line))
    newest = bytes.indices.map { bytes[$0] }
  }

  private static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return left.indices.allSatisfy { left[$0] == right[$0] }
  }
}
