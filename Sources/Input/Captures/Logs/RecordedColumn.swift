public import FrameBudget
public import FrameBudgetParsing

/// The durations in one column of a log of any format.
public enum RecordedColumn {
  /// The limit of values: five hours at 60 Hz.
  public static let maxValues = 1 << 20

  /// Reads `column`, in nanoseconds.
  ///
  /// The suffix of the column's name is its unit: `_ns`, `_us`, `_s`, otherwise milliseconds, as usual in frame logs. Rows
  /// without a value are skipped; a negative value or one above a day is an error.
  public static func read(
    _ source: consuming ByteSource, column: String
  ) throws(InputError) -> [Int64] {
    try source.unpack()
    var lines = LineReader(source)
    let name = lines.name
    var fields = CSVFields()
    var timeColumn: TimeColumn?
    var width = 0
    try lines.forEachWhile { (line, number) throws(InputError) in
      guard (try? fields.split(line)) != nil else { return true }
      let header = LogHeader(fields.texts(of: line))
      width = header.names.count
      timeColumn = header.time((column.lowercased(), places(of: column)))
      return timeColumn == nil && number < 200
    }
    guard let timeColumn else {
      throw InputError("has no column \(InputError.quoted(column))", file: name)
    }
    let spans = try values(of: timeColumn, width: width, in: &lines, fields)
    guard !spans.isEmpty else {
      throw InputError("has no value in column \(InputError.quoted(column))", file: name)
    }
    return spans
  }

  /// The same as the durations of a scenario.
  public static func durations(
    _ source: consuming ByteSource, column: String
  ) throws(InputError) -> RecordedDurations {
    let file = source.name
    let spans = try read(source, column: column).map(TimeSpan.init(nanoseconds:))
    if let durations = RecordedDurations(spans) { return durations }
    throw InputError("holds no durations", file: file)
  }

  private static func values(
    of column: TimeColumn, width: Int, in lines: inout LineReader, _ fields: CSVFields
  ) throws(InputError) -> [Int64] {
    var fields = fields
    var spans: [Int64] = []
    try lines.forEach { (line, number) throws(InputError) in
      if line.isEmpty { return }
      do throws(InputError) {
        try fields.split(line)
        try fields.require(width)
        let point = try fields.time(column, of: line)
        if point == .missing { return }
        guard let span = point.value(in: InputTime.spans) else {
          throw InputError(
            "\(InputError.quoted(fields.text(column.index, of: line))) is not a duration")
        }
        guard spans.count < maxValues else {
          throw InputError("more than \(maxValues) values")
        }
        spans.append(span)
      } catch {
        throw InputError(error.reason, line: number)
      }
    }
    return spans
  }

  private static func places(of column: String) -> Int {
    let units = [("_ns", 0), ("_us", 3), ("_s", 9)]
    return units.first { column.lowercased().hasSuffix($0.0) }?.1 ?? 6
  }
}
