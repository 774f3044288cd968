import FrameBudget
import FrameBudgetParsing

/// A value in an export of Instruments.
struct XctraceCell {
  /// The text for people, such as `Main Thread (0x2732bb) (TestApp, pid: 12345)`.
  var label: String
  /// The value, if it is a whole number: in nanoseconds for times.
  var number: Int64?
  /// Its parts by the names of their elements, as places in `XctraceTables.cells`.
  var parts: [(name: String, place: Int)] = []
}

/// Reads the tables of `xctrace export` (Xcode 26 and 27), row by row. A cell that occurs again is a reference to the first one.
///
/// The names of its elements are those of Instruments' engineering types; a column is found by its mnemonic.
struct XctraceTables {
  /// The cells so far: later rows refer to them.
  private(set) var cells: [XctraceCell] = []
  private var places: [String: Int] = [:]
  /// The table of the current row: the name of its schema, and the numbers of its columns.
  private(set) var schema = ""
  private var columns: [String: Int] = [:]
  /// The cells of the current row; nil for those without a value.
  private var row: [Int?] = []

  /// Parts of backtraces, which no reader needs.
  private static let ignored: Set = ["frame", "text-addresses", "text-address", "binary"]

  /// Whether a file with these first bytes may be one.
  static func isExport(_ opening: [UInt8]) -> Bool {
    XMLReader.isXML(opening)
      && String(decoding: opening, as: UTF8.self).contains("<trace-query-result")
  }

  static let withoutRows = InputError(
    "is an export of Instruments without a row, so nothing of that kind was recorded; export another table, such as "
      + "xctrace export --xpath '/trace-toc/run/data/table[@schema=\"hitches\"]'")

  /// Calls `body` with itself for each row.
  static func read(
    _ source: consuming ByteSource, _ body: (borrowing Self) throws(InputError) -> Void
  ) throws(InputError) {
    var reader = XMLReader(source)
    var tables = Self()
    while let event = try reader.next() {
      guard case .begin(let name, let attributes) = event else { continue }
      switch name {
      case "trace-query-result", "node": break
      case "schema": try tables.readSchema(attributes["name"] ?? "", &reader)
      case "row":
        try tables.readRow(&reader)
        do throws(InputError) {
          try body(tables)
        } catch {
          throw reader.failure(error.reason)
        }
      default: throw reader.failure("<\(name)> is not a part of an export of Instruments")
      }
    }
  }

  private mutating func readSchema(
    _ name: String, _ reader: inout XMLReader
  ) throws(InputError) {
    schema = name
    columns = [:]
    var depth = 1
    var isMnemonic = false
    while depth > 0, let event = try reader.next() {
      switch event {
      case .begin(let name, _):
        depth += 1
        isMnemonic = name == "mnemonic"
      case .text(let text): if isMnemonic { columns[text] = columns.count }
      case .end:
        depth -= 1
        isMnemonic = false
      }
    }
  }

  private mutating func readRow(_ reader: inout XMLReader) throws(InputError) {
    row = []
    while let event = try reader.next() {
      switch event {
      case .begin(let name, let attributes): row.append(try readCell(name, attributes, &reader))
      case .text: break
      case .end: return
      }
    }
  }

  /// Reads an element up to its end; nil for one without a value.
  private mutating func readCell(
    _ name: String, _ attributes: [String: String], _ reader: inout XMLReader
  ) throws(InputError) -> Int? {
    var cell = XctraceCell(label: attributes["fmt"] ?? "")
    // Taken before those within it, so that cells are in the order of the file.
    let known = attributes["ref"]
    loop: while let event = try reader.next() {
      switch event {
      case .begin(let inner, let attributes):
        if let place = try readCell(inner, attributes, &reader) {
          cell.parts.append((inner, place))
        }
      case .text(let text):
        cell.number = InputNumber.whole(text, in: Int.min...Int.max).map { Int64($0) }
        if cell.label.isEmpty { cell.label = text }
      case .end: break loop
      }
    }
    if name == "sentinel" || Self.ignored.contains(name) { return nil }
    if let known {
      guard let place = places[known] else {
        throw reader.failure("the export has no element with the id \(InputError.quoted(known))")
      }
      return place
    }
    guard cells.count < Self.maxCells else {
      throw reader.failure("more than \(Self.maxCells) different values; export a part of the time")
    }
    if let identity = attributes["id"] { places[identity] = cells.count }
    cells.append(cell)
    return cells.count - 1
  }

  private static let maxCells = 1 << 23

  // MARK: The current row

  private func place(_ column: String) -> Int? {
    columns[column].flatMap { $0 < row.count ? row[$0] : nil }
  }

  /// The cell in a column; nil if it has no value, or the table has no such column.
  func cell(_ column: String) -> XctraceCell? { place(column).map { cells[$0] } }

  func label(_ column: String) -> String? { cell(column)?.label }

  /// The instant in a column, in nanoseconds since the recording's start.
  func instant(_ column: String) throws(InputError) -> Int64 {
    guard let number = cell(column)?.number, InputTime.instants.contains(number) else {
      throw InputError("the column '\(column)' has no instant")
    }
    return number
  }

  func length(_ column: String = "duration") throws(InputError) -> Int64 {
    guard let number = cell(column)?.number, InputTime.spans.contains(number) else {
      throw InputError("the column '\(column)' has no duration")
    }
    return number
  }

  private func part(_ name: String, of cell: XctraceCell) -> XctraceCell? {
    cell.parts.first { $0.name == name }.map { cells[$0.place] }
  }

  /// The process in a column, such as `TestApp (12345)`.
  func process(_ column: String = "process") -> RecordedProcess? {
    guard let cell = cell(column) else { return nil }
    return process(of: cell)
  }

  private func process(of cell: XctraceCell) -> RecordedProcess? {
    guard let number = part("pid", of: cell)?.number.flatMap(Int.init(exactly:)) else { return nil }
    return RecordedProcess(number: number, name: Self.name(cell.label, before: " (\(number))"))
  }

  /// The thread in a column, with its name, such as `Main Thread`.
  func thread(
    _ column: String = "thread"
  ) -> (number: Int, name: String, process: RecordedProcess?)? {
    guard let cell = cell(column),
      let number = part("tid", of: cell)?.number.flatMap(Int.init(exactly:))
    else { return nil }
    return (
      number, Self.name(cell.label, before: " (0x"),
      part("process", of: cell).flatMap { process(of: $0) }
    )
  }

  /// The text before the last `mark`, or all of it.
  static func name(_ label: String, before mark: String) -> String {
    label.ranges(of: mark).first.map { String(label[..<$0.lowerBound]) } ?? label
  }
}
