internal import FrameBudget

/// The fields of one line of comma-separated values (RFC 4180), as ranges of that line.
///
/// Reused from line to line, so that splitting does not allocate.
public struct CSVFields {
  /// The limit for the fields of a line, above those of any log: Unreal's profiler writes a column for each of its statistics.
  public static let maxFields = 1 << 12

  public private(set) var count = 0
  /// Whether the line of the last split ended within quotes.
  public private(set) var isOpen = false
  private var places: [(start: Int32, end: Int32)]

  public init() {
    places = Array(repeating: (0, 0), count: Self.maxFields)
  }

  /// The bytes of the field at `index` in the split line, without its quotes.
  public func range(_ index: Int) -> Range<Int> {
    Int(places[index].start)..<Int(places[index].end)
  }

  /// Splits `line`, which has no line break.
  public mutating func split(_ line: Span<UInt8>) throws(InputError) {
    count = 0
    isOpen = false
    var start = 0
    while true {
      if start < line.count, line[start] == UInt8(ascii: "\"") {
        let end = try appendQuoted(line, from: start + 1)
        if end == line.count { return }
        start = end + 1
      } else {
        let end = ByteWord.first(UInt8(ascii: ","), in: line, from: start)
        try append(start, end)
        if end == line.count { return }
        start = end + 1
      }
    }
  }

  /// Appends a field after its opening quote, and returns the place of the comma after it.
  private mutating func appendQuoted(
    _ line: Span<UInt8>, from start: Int
  ) throws(InputError) -> Int {
    var index = start
    while index < line.count {
      if line[index] == UInt8(ascii: "\"") {
        let next = index + 1
        if next == line.count || line[next] == UInt8(ascii: ",") {
          try append(start, index)
          return next
        }
        guard line[next] == UInt8(ascii: "\"") else {
          throw InputError("a quoted field continues after its closing quote")
        }
        index = next
      }
      index += 1
    }
    isOpen = true
    throw InputError("a quoted field is not closed on its line")
  }

  private mutating func append(_ start: Int, _ end: Int) throws(InputError) {
    guard count < Self.maxFields else {
      throw InputError("the line has more than \(Self.maxFields) fields")
    }
    places[count] = (Int32(truncatingIfNeeded: start), Int32(truncatingIfNeeded: end))
    count += 1
  }

  /// The field at `index` of `line` as text.
  public func text(_ index: Int, of line: Span<UInt8>) -> String {
    let bytes = line.extracting(range(index))
    guard bytes.indices.contains(where: { bytes[$0] == UInt8(ascii: "\"") }) else {
      return unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      text.append(bytes[index])
      // Within quotes a doubled quote means one quote.
      let isDoubled =
        bytes[index] == UInt8(ascii: "\"") && index + 1 < bytes.count
        && bytes[index + 1] == UInt8(ascii: "\"")
      index += isDoubled ? 2 : 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// All fields of `line` as text.
  public func texts(of line: Span<UInt8>) -> [String] {
    (0..<count).map { text($0, of: line) }
  }
}

/// Records of comma-separated values (RFC 4180), in constant memory; a quoted field may span several lines.
///
/// For files with names that users chose; removes the protection against spreadsheet formulas (`CSVText`).
///
/// Recorded logs have one record per line, for which `LineReader` is faster.
public struct CSVRecords: ~Copyable {
  private var lines: LineReader

  public init(_ source: consuming ByteSource) {
    lines = LineReader(source, keepsReturns: true)
  }

  public var name: String { lines.name }

  /// Calls `body` with the fields of each record and the text that they are ranges of, without empty lines; errors give the
  /// line where a record begins.
  public mutating func forEachRecord(
    _ body: (CSVFields, Span<UInt8>) throws(InputError) -> Void
  ) throws(InputError) {
    var record = Record()
    let file = name
    try lines.forEach { (line, number) throws(InputError) in
      do throws(InputError) {
        try record.add(line, number: number, body)
      } catch {
        throw InputError(error.reason, file: file, line: record.start)
      }
    }
    guard record.isOpen else { return }
    throw InputError("a quoted field is not closed", file: file, line: record.start)
  }

  /// The same with the fields as texts.
  public mutating func forEach(
    _ body: ([String]) throws(InputError) -> Void
  ) throws(InputError) {
    try forEachRecord { (fields, line) throws(InputError) in try body(fields.plain(of: line)) }
  }
}

/// Joins lines until no quoted field is open.
private struct Record {
  private(set) var start = 0
  private var bytes: [UInt8] = []
  private var fields = CSVFields()

  var isOpen: Bool { !bytes.isEmpty }

  /// Passes the fields of the record that ends with `line` to `body`, unless it continues on the next line.
  mutating func add(
    _ line: Span<UInt8>, number: Int, _ body: (CSVFields, Span<UInt8>) throws(InputError) -> Void
  ) throws(InputError) {
    guard isOpen else { return try begin(line, number: number, body) }
    guard bytes.count + line.count < LineReader.longestLine else {
      throw InputError("the record is longer than \(LineReader.longestLine) bytes")
    }
    bytes.append(UInt8(ascii: "\n"))
    for index in line.indices { bytes.append(line[index]) }
    // Within quotes a quote that does not end them is doubled.
    let quotes = line.indices.count { line[$0] == UInt8(ascii: "\"") }
    guard quotes % 2 == 1 else { return }
    let record = bytes
    bytes = []
    let text = record.span.extracting(0..<record.span.countWithoutReturn)
    try fields.split(text)
    if !fields.isBlank { try body(fields, text) }
  }

  private mutating func begin(
    _ line: Span<UInt8>, number: Int, _ body: (CSVFields, Span<UInt8>) throws(InputError) -> Void
  ) throws(InputError) {
    start = number
    let text = line.extracting(0..<line.countWithoutReturn)
    do throws(InputError) {
      try fields.split(text)
    } catch {
      guard fields.isOpen else { throw error }
      bytes = line.indices.map { line[$0] }
      return
    }
    if !fields.isBlank { try body(fields, text) }
  }
}

extension CSVFields {
  /// Whether the line is empty.
  fileprivate var isBlank: Bool { count == 1 && range(0).isEmpty }

  /// The field at `index` of `line` as text, without the protection against spreadsheet formulas.
  public func plain(_ index: Int, of line: Span<UInt8>) -> String {
    CSVText.plain(text(index, of: line))
  }

  /// All fields of `line` in the same form.
  public func plain(of line: Span<UInt8>) -> [String] { (0..<count).map { plain($0, of: line) } }
}

extension Span<UInt8> {
  /// The number of bytes before a CR at the end of a line.
  fileprivate var countWithoutReturn: Int {
    !isEmpty && self[count - 1] == UInt8(ascii: "\r") ? count - 1 : count
  }
}
