internal import FrameBudget

/// The fields of one line of comma-separated values (RFC 4180), as ranges of that line.
///
/// Reused from line to line, so that splitting does not allocate.
public struct CSVFields {
  public static let maxFields = 512

  public private(set) var count = 0
  /// Whether the line of the last split ended within quotes.
  public private(set) var isOpen = false
  private var starts: [Int32]
  private var ends: [Int32]

  public init() {
    starts = Array(repeating: 0, count: Self.maxFields)
    ends = starts
  }

  /// The bytes of the field at `index` in the split line, without its quotes.
  public func range(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(ends[index]) }

  /// Splits `line`, which has no line break.
  public mutating func split(_ line: Span<UInt8>) throws(InputError) {
    count = 0
    isOpen = false
    var start = 0
    var index = 0
    while index < line.count {
      let byte = line[index]
      if byte == UInt8(ascii: ",") {
        try append(start, index)
        start = index + 1
      } else if byte == UInt8(ascii: "\""), index == start {
        index = try appendQuoted(line, from: index + 1)
        if index == line.count { return }
        start = index + 1
      }
      index += 1
    }
    try append(start, line.count)
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
    starts[count] = Int32(truncatingIfNeeded: start)
    ends[count] = Int32(truncatingIfNeeded: end)
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

  /// Calls `body` with the fields of each record, without empty lines; errors give the line where a record begins.
  public mutating func forEach(
    _ body: ([String]) throws(InputError) -> Void
  ) throws(InputError) {
    var record = Record()
    let file = name
    try lines.forEach { (line, number) throws(InputError) in
      do throws(InputError) {
        if let fields = try record.add(line, number: number), fields != [""] { try body(fields) }
      } catch {
        throw InputError(error.reason, file: file, line: record.start)
      }
    }
    guard record.isOpen else { return }
    throw InputError("a quoted field is not closed", file: file, line: record.start)
  }
}

/// Joins lines until no quoted field is open.
private struct Record {
  private(set) var start = 0
  private var bytes: [UInt8] = []
  private var fields = CSVFields()

  var isOpen: Bool { !bytes.isEmpty }

  /// The fields of the record that ends with `line`; nil while it continues.
  mutating func add(_ line: Span<UInt8>, number: Int) throws(InputError) -> [String]? {
    guard isOpen else { return try begin(line, number: number) }
    guard bytes.count + line.count < LineReader.longestLine else {
      throw InputError("the record is longer than \(LineReader.longestLine) bytes")
    }
    bytes.append(UInt8(ascii: "\n"))
    for index in line.indices { bytes.append(line[index]) }
    // Within quotes a quote that does not end them is doubled.
    let quotes = line.indices.count { line[$0] == UInt8(ascii: "\"") }
    guard quotes % 2 == 1 else { return nil }
    let record = bytes
    bytes = []
    return try fields.record(record.span)
  }

  private mutating func begin(_ line: Span<UInt8>, number: Int) throws(InputError) -> [String]? {
    start = number
    do throws(InputError) {
      return try fields.record(line)
    } catch {
      guard fields.isOpen else { throw error }
      bytes = line.indices.map { line[$0] }
      return nil
    }
  }
}

extension CSVFields {
  /// The fields of `record`, whose end may be a CR.
  fileprivate mutating func record(_ record: Span<UInt8>) throws(InputError) -> [String] {
    let endsInReturn = !record.isEmpty && record[record.count - 1] == UInt8(ascii: "\r")
    let record = record.extracting(0..<(endsInReturn ? record.count - 1 : record.count))
    try split(record)
    return texts(of: record).map(CSVText.plain)
  }
}
