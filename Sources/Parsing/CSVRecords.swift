internal import FrameBudget

/// Records of comma-separated values (RFC 4180), in constant memory; a quoted field may go on over several lines.
///
/// For files with names that people chose; what guards those from spreadsheets (`CSVText`) is taken off.
///
/// Recorded logs have a record on each line: `LineReader` is faster.
public struct CSVRecords: ~Copyable {
  private var lines: LineReader

  public init(_ source: consuming ByteSource) {
    lines = LineReader(source, keepsReturns: true)
  }

  public var name: String { lines.name }

  /// Calls `body` with the fields of each record, empty lines left out; errors say where a record begins.
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

/// The lines of one record, joined until no quoted field is open.
private struct Record {
  private(set) var start = 0
  private var bytes: [UInt8] = []
  private var fields = CSVFields()

  var isOpen: Bool { !bytes.isEmpty }

  /// The fields of the record that ends with `line`; nil while it goes on.
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
