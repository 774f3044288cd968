/// The raw records of comma-separated values, byte for byte with their line feeds, in constant memory, for copying.
/// `CSVRecords` parses them.
public struct RawRecords: ~Copyable {
  private static let chunk = 1 << 15
  private static let longest = 1 << 24

  private var source: ByteSource
  private var buffer: [UInt8] = []
  private var start = 0
  private var filled = 0

  public init(_ source: consuming ByteSource) { self.source = source }

  public var name: String { source.name }

  /// The number of bytes after the last complete record, once `next` has returned nil.
  public var torn: Int { filled - start }

  /// The next complete record; nil after the last.
  public mutating func next() throws(InputError) -> [UInt8]? {
    var length = 0
    var isQuoted = false
    while true {
      if let end = end(from: &length, &isQuoted) {
        defer { start = end }
        return Array(buffer[start..<end])
      }
      guard length <= Self.longest else {
        throw InputError("a record is longer than \(Self.longest >> 20) MB", file: name)
      }
      guard try fill() else { return nil }
    }
  }

  /// The end of the record, of which `length` bytes were examined; nil if more must be read.
  private func end(from length: inout Int, _ isQuoted: inout Bool) -> Int? {
    let span = buffer.span
    while start + length < filled {
      let byte = span[start + length]
      length += 1
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: "\n"), !isQuoted { return start + length }
    }
    return nil
  }

  /// Reads more bytes after those in memory; false at the end.
  private mutating func fill() throws(InputError) -> Bool {
    buffer.removeSubrange(..<start)
    filled -= start
    start = 0
    buffer += repeatElement(0, count: max(0, filled + Self.chunk - buffer.count))
    let count = try source.read(into: &buffer, from: filled)
    filled += count
    return count > 0
  }
}
