internal import FrameBudget
public import Parsing

extension ResultSet {
  /// The limit for rows of a comparison.
  static let maxRows = 1_000_000

  /// Reads a `summary.csv` or a `workloads.csv`, in any order of columns.
  public init(_ source: consuming ByteSource) throws(InputError) {
    var rows: [ResultRow] = []
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
    _ source: consuming ByteSource, _ body: (ResultRow) throws(InputError) -> Void
  ) throws(InputError) {
    _ = try read(source, body)
  }

  /// Throws if the file cannot be read, in constant memory.
  public static func requireReadable(_ source: consuming ByteSource) throws(InputError) {
    _ = try read(source) { _ in }
  }

  private static func read(
    _ source: consuming ByteSource, _ body: (ResultRow) throws(InputError) -> Void
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
  /// The columns with numbers: metrics and their ranges, with the position of each.
  private let numbered: [String]
  private let names: RowNumbers.Names
  private let numbers: [Int]

  /// A file of workloads does not have the status of its runs, and has no rows if a scenario has no workloads.
  var isOfWorkloads: Bool { places.has(WorkloadsCSV.workload) }

  init(_ names: [String]) throws(InputError) {
    let keys = RunKey.allCases.map(\.name)
    let needed = keys + (names.contains(WorkloadsCSV.workload) ? [] : [Metric.status.name])
    places = try ColumnPlaces(names, needed: needed, of: "summary.csv")
    let texts = Set(
      keys + [
        Metric.status.name, WorkloadsCSV.workload, WorkloadsCSV.item, Column.learned.name,
        Column.like.name,
      ])
    numbered = names.filter { !texts.contains($0) }
    metrics = numbered.filter { !ResultRow.rangeNames.contains($0) }
    self.names = RowNumbers.Names(numbered)
    numbers = numbered.compactMap(places.place)
  }

  func row(_ fields: [String]) throws(InputError) -> ResultRow {
    try places.require(fields)
    func text(_ name: String) -> String { places.text(fields, name) }
    func text(_ key: RunKey) -> String { places.text(fields, key) }
    let schema = try Self.schema(text(.schema))
    func number(_ name: String) throws(InputError) -> Double? {
      text(name).isEmpty ? nil : try Self.number(text(name), name)
    }
    var values: [Double?] = []
    values.reserveCapacity(numbers.count)
    for (place, name) in zip(numbers, numbered) {
      values.append(fields[place].isEmpty ? nil : try Self.number(fields[place], name))
    }
    return ResultRow(
      schema: schema, scenario: text(.scenario), strategy: text(.strategy), options: text(.options),
      changes: text(.changes), engine: text(.engine), cores: text(.cores),
      repetition: text(.repetition), seed: text(.seed), warmupFrames: text(.warmup),
      workload: text(WorkloadsCSV.workload), item: text(WorkloadsCSV.item),
      learned: text(Column.learned.name),
      platform: ScreenPlatform(rawValue: text(Column.like.name)),
      status: isOfWorkloads ? RunLog.Status.complete.rawValue : text(Metric.status.name),
      refreshHz: try number(RunKey.refresh.name),
      durationMilliseconds: try number(RunKey.duration.name),
      numbers: RowNumbers(values, in: names))
  }

  private static func schema(_ text: String) throws(InputError) -> Int {
    guard let schema = ReportRow.schema(text) else {
      throw InputError(
        "schema \(InputError.quoted(text)) is not supported; supported: 1 to \(MetricCatalog.schema)"
      )
    }
    return schema
  }

  private static func number(_ text: String, _ column: String) throws(InputError) -> Double {
    guard let number = InputNumber.decimal(text) else {
      throw InputError("\(InputError.quoted(text)) in column \(column) is not a number")
    }
    guard number.magnitude < InputNumber.greatest else {
      throw InputError(
        "\(InputError.quoted(text)) in column \(column) is too large for a run")
    }
    return number
  }
}
