package import FrameBudget
package import FrameBudgetParsing

/// A line of a file: a value that is written and read back equal.
///
/// Its columns are one table, from which the file, JSON and the reader follow. A column that is missing in the file of an
/// earlier version leaves its property as `init()` sets it.
package protocol FileRecord: Equatable, Sendable {
  /// The line without any cells.
  init()
  /// In the order of the file, without the schema.
  static var columns: [Column<Self>] { get }
  /// The kind of file, for errors.
  static var file: String { get }
  /// The columns without which a file is of another kind.
  static var required: [String] { get }
  /// The most lines of a file.
  static var maxLines: Int { get }
  /// Throws if cells contradict one another.
  func check() throws(InputError)
}

extension FileRecord {
  package func check() throws(InputError) {}

  /// The lines of a file, which has its columns in any order. Throws without any, unless the file may be empty.
  static func read(
    _ source: consuming ByteSource, mayBeEmpty: Bool = false
  ) throws(InputError) -> [Self] {
    var records: [Self] = []
    let name = source.name
    var places: ColumnPlaces?
    var lines = CSVRecords(source)
    try lines.forEach { (fields) throws(InputError) in
      guard let places else {
        return places = try ColumnPlaces(fields, needed: ["schema"] + required, of: file)
      }
      try places.require(fields.count)
      guard records.count < maxLines else { throw InputError("more than \(maxLines) rows") }
      let schema = places.text(fields, "schema")
      guard ReportRow.schema(schema) != nil else {
        throw InputError("schema \(InputError.quoted(schema)) is not known")
      }
      var record = Self()
      for column in columns where places.has(column.name) {
        try column.read?(&record, places.text(fields, column.name))
      }
      try record.check()
      records.append(record)
    }
    guard mayBeEmpty || !records.isEmpty else { throw InputError("holds no lines", file: name) }
    return records
  }
}

/// A value in a cell of a file.
package protocol CellValue: Sendable {
  /// Nil for an empty cell.
  var cell: MetricValue? { get }
  /// The value of the text of a cell.
  static func read(_ text: String, in column: String) throws(InputError) -> Self
}

extension CellValue {
  fileprivate static func required(
    _ text: String, in column: String, _ kind: String, _ value: (String) -> Self?
  ) throws(InputError) -> Self {
    guard !text.isEmpty else { throw InputError("column \(column) is empty") }
    guard let value = value(text) else {
      throw InputError("\(InputError.quoted(text)) in column \(column) is not \(kind)")
    }
    return value
  }
}

extension String: CellValue {
  package var cell: MetricValue? { .text(self) }
  package static func read(_ text: String, in column: String) -> String { text }
}

extension Int: CellValue {
  package var cell: MetricValue? { .count(self) }
  /// A count.
  package static func read(_ text: String, in column: String) throws(InputError) -> Int {
    try read(text, in: column, from: InputNumber.counts)
  }

  /// A number that may be negative.
  fileprivate static func signed(_ text: String, in column: String) throws(InputError) -> Int {
    let most = InputNumber.counts.upperBound
    return try read(text, in: column, from: -most...most)
  }

  private static func read(
    _ text: String, in column: String, from range: ClosedRange<Int>
  ) throws(InputError) -> Int {
    let kind = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return try required(text, in: column, kind) { InputNumber.whole($0, in: range) }
  }
}

extension UInt64: CellValue {
  package var cell: MetricValue? { .text(String(self)) }
  package static func read(_ text: String, in column: String) throws(InputError) -> UInt64 {
    try required(text, in: column, "a seed") { InputNumber.seed($0) }
  }
}

extension Double: CellValue {
  package var cell: MetricValue? { .real(self) }
  package static func read(_ text: String, in column: String) throws(InputError) -> Double {
    try required(text, in: column, "a number") { InputNumber.real($0) }
  }

  /// The number as a cell shows it, so that it is read back equal.
  package var asWritten: Double { Double(MetricValue.real(self).description) ?? self }
}

extension Bool: CellValue {
  package var cell: MetricValue? { .count(self ? 1 : 0) }
  package static func read(_ text: String, in column: String) throws(InputError) -> Bool {
    try required(text, in: column, "0 or 1") { ["0": false, "1": true][$0] }
  }
}

extension RefreshRate: CellValue {
  package var cell: MetricValue? { .real(hertz) }
  package static func read(_ text: String, in column: String) throws(InputError) -> RefreshRate {
    try required(text, in: column, "a rate") { RefreshRate(printed: $0) }
  }
}

extension Optional: CellValue where Wrapped: CellValue {
  package var cell: MetricValue? { flatMap(\.cell) }
  package static func read(_ text: String, in column: String) throws(InputError) -> Wrapped? {
    guard !text.isEmpty else { return nil }
    return try Wrapped.read(text, in: column)
  }
}

extension CellValue where Self: RawRepresentable<String> {
  package var cell: MetricValue? { .text(rawValue) }
  package static func read(_ text: String, in column: String) throws(InputError) -> Self {
    try required(text, in: column, "a \(column)") { Self(rawValue: $0) }
  }
}

extension Learned.Replay: CellValue {}

/// A property that a column reads and writes.
package typealias PropertyPath<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

extension Column {
  /// A column that is written from a property and read into it.
  package init<Value: CellValue>(
    _ name: String, _ meaning: String, _ unit: Metric.Unit = .none,
    at property: PropertyPath<Row, Value>
  ) {
    self.init(name, meaning, unit) { $0[keyPath: property].cell }
    read = { (row, text) throws(InputError) in
      row[keyPath: property] = try Value.read(text, in: name)
    }
  }

  /// The column of a key of runs.
  package init<Value: CellValue>(_ key: RunKey, at property: PropertyPath<Row, Value>) {
    self.init(key.name, key.meaning, at: property)
  }

  /// A column with a number that may be negative.
  init(
    _ name: String, _ meaning: String, signed property: PropertyPath<Row, Int>
  ) {
    self.init(name, meaning) {
      .count($0[keyPath: property])
    } read: { (row, text) throws(InputError) in
      row[keyPath: property] = try Int.signed(text, in: name)
    }
  }

  /// The same, empty for nil.
  init(
    _ name: String, _ meaning: String, signed property: PropertyPath<Row, Int?>
  ) {
    self.init(name, meaning) {
      $0[keyPath: property].map(MetricValue.count)
    } read: { (row, text) throws(InputError) in
      row[keyPath: property] = text.isEmpty ? nil : try Int.signed(text, in: name)
    }
  }

  /// A column that is written by `value`, and read by `read` after those before it.
  package init(
    _ name: String, _ meaning: String,
    _ value: @escaping @Sendable (Row) -> MetricValue?,
    read: @escaping @Sendable (inout Row, String) throws(InputError) -> Void
  ) {
    self.init(name, meaning, .none, value)
    self.read = read
  }

  /// A column with a list, whose elements do not contain `separator`. Skips texts that are no elements.
  package init<Element>(
    _ name: String, _ meaning: String, separator: String = String(CellList.separator),
    list property: PropertyPath<Row, [Element]>,
    _ text: @escaping @Sendable (Element) -> String,
    reading element: @escaping @Sendable (String) -> Element?
  ) {
    self.init(name, meaning) {
      .text($0[keyPath: property].map(text).joined(separator: separator))
    }
    read = { (row, text) throws(InputError) in
      row[keyPath: property] = text.split(separator: separator).compactMap { element(String($0)) }
    }
  }

  /// The same column for a row that contains this one.
  package func of<Outer>(_ part: PropertyPath<Outer, Row>) -> Column<Outer> {
    var column = Column<Outer>(name, meaning, unit) { [value] in value($0[keyPath: part]) }
    if let read {
      column.read = { (row, text) throws(InputError) in try read(&row[keyPath: part], text) }
    }
    return column
  }
}

/// The app and the machine of a question, which every answer states.
package struct QuestionSubject: Equatable, Sendable {
  package var scenario = ""
  package var refresh = RefreshRate(60)
  /// In milliseconds.
  package var duration = 0.0
  package var seed: UInt64 = 0
  /// The number of cores.
  package var cores = 0
  /// How well the replay of a learned scenario matches the recording, and the recording.
  package var replay: Learned.Replay?
  package var source: String?

  package init() {}

  /// - Parameters:
  ///   - scenario: the app.
  ///   - cores: the number of cores of the machine.
  package init(_ scenario: Scenario, cores: Int) {
    self.scenario = scenario.name
    refresh = scenario.display.refresh
    duration = scenario.duration.inMilliseconds
    seed = scenario.seed
    self.cores = cores
    (replay, source) = (scenario.learned?.replay, scenario.learned?.source)
  }

  /// `camera-upload: 60 Hz, 10 s`
  package func title(_ changes: String = "") -> String {
    "\(scenario)\(changes): \(refresh), \(Figure.span(milliseconds: duration))"
  }

  /// ` after 10 s`, the length of its runs; nothing in files of earlier versions, which do not have it.
  package var lasting: String {
    duration > 0 ? " after \(Figure.span(milliseconds: duration))" : ""
  }

  /// `; learned from trace.json, replay good`, or nothing.
  package var origin: String { Learned.origin(source, replay) }
}

/// The columns of a question's subject, for the tables of answers.
package enum SubjectColumn {
  package static let scenario = Column<QuestionSubject>(.scenario, at: \.scenario)
  package static let refresh = Column<QuestionSubject>(.refresh, at: \.refresh)
  package static let duration = Column<QuestionSubject>(.duration, at: \.duration)
  package static let seed = Column<QuestionSubject>(.seed, at: \.seed)
  package static let cores = Column<QuestionSubject>(.cores, at: \.cores)
  /// Those of the run and the machine.
  static let settings = [refresh, duration, seed, cores]
  package static let replay = Column<QuestionSubject>("learned", Learned.markMeaning, at: \.replay)
  package static let source = Column<QuestionSubject>(
    "learned_from", "the recording that the scenario was learned from", at: \.source)
}
