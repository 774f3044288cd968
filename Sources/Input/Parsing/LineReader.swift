#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Lines of a text of any size, in constant memory: UTF-8, or UTF-16 with a byte order mark, terminated by LF or CR LF, without
/// the byte order mark.
public struct LineReader: ~Copyable {
  /// The limit for a line, far above those of real logs.
  public static let longestLine = 1 << 16
  private static let chunk = 1 << 18
  /// The limit for consecutive empty lines, which no real text reaches.
  private static let maxEmptyLines = 1 << 22

  private var source: ByteSource
  private var buffer: [UInt8]
  private var filled = 0
  private var lines = 0
  /// The number of consecutive empty lines.
  private var empty = 0
  private let keepsReturns: Bool
  /// Whether to skip lines that are too long or not UTF-8.
  private let passesWrongLines: Bool
  /// Whether the next bytes belong to a skipped line.
  private var isPassing = false

  public init(_ source: consuming ByteSource) { self.init(source, keepsReturns: false) }

  /// Skips lines that are too long or not UTF-8, in a file that is only partly text.
  public init(passingWrongLines source: consuming ByteSource) {
    self.init(source, keepsReturns: false, passesWrongLines: true)
  }

  /// With `keepsReturns`, lines that end in CR LF keep the CR, because it may be inside quotes.
  init(_ source: consuming ByteSource, keepsReturns: Bool, passesWrongLines: Bool = false) {
    self.source = source
    self.keepsReturns = keepsReturns
    self.passesWrongLines = passesWrongLines
    buffer = [UInt8](repeating: 0, count: Self.longestLine + Self.chunk)
  }

  public var name: String { source.name }

  /// Calls `body` with each line and its number, counted from 1.
  public mutating func forEach(
    _ body: (Span<UInt8>, Int) throws(InputError) -> Void
  ) throws(InputError) {
    try forEachWhile { (line, number) throws(InputError) in
      try body(line, number)
      return true
    }
  }

  /// Calls `body` with each line and its number until it returns false; a later call continues after that line.
  public mutating func forEachWhile(
    _ body: (Span<UInt8>, Int) throws(InputError) -> Bool
  ) throws(InputError) {
    do throws(InputError) {
      while true {
        let end = lastNewline()
        guard try emit(upTo: end, body) else { return }
        if try !fill() { break }
      }
      if filled > 0 { _ = try emit(upTo: filled, body) }
    } catch {
      throw error.of(source.name)
    }
  }

  /// Reads more bytes after those in memory; false at the end.
  private mutating func fill() throws(InputError) -> Bool {
    let isFirst = lines == 0 && filled == 0
    if isFirst { try source.decodeIfUTF16() }
    var count = try source.read(into: &buffer, from: filled)
    // Bytes that were only looked at come by themselves.
    if isFirst, count > 0 { count += try source.read(into: &buffer, from: filled + count) }
    filled += count
    if isFirst {
      try BinaryFile.refuse(buffer[..<filled])
      dropByteOrderMark()
    }
    return count > 0
  }

  private func lastNewline() -> Int {
    let span = buffer.span
    var end = filled
    while end > 0, span[end - 1] != UInt8(ascii: "\n") { end -= 1 }
    return end
  }

  /// Passes the complete lines in the first `end` bytes to `body` and keeps the rest; false if `body` returned false.
  private mutating func emit(
    upTo end: Int, _ body: (Span<UInt8>, Int) throws(InputError) -> Bool
  ) throws(InputError) -> Bool {
    let isASCII = Self.isASCII(buffer.span.extracting(0..<end))
    var start = 0
    var continues = true
    while continues, start < end {
      let newline = Self.newline(in: buffer, from: start, to: end)
      lines += 1
      continues = try handOut(start..<newline, isASCII: isASCII, body)
      start = newline + 1
    }
    // An incomplete line must leave room for the rest of it.
    if continues, filled - end > Self.longestLine {
      guard passesWrongLines else { throw tooLong(lines + 1) }
      isPassing = true
      start = filled
    }
    keep(from: min(start, filled))
    return continues
  }

  private mutating func handOut(
    _ range: Range<Int>, isASCII: Bool, _ body: (Span<UInt8>, Int) throws(InputError) -> Bool
  ) throws(InputError) -> Bool {
    if isPassing {
      isPassing = false
      return true
    }
    empty = range.isEmpty ? empty + 1 : 0
    guard empty <= Self.maxEmptyLines else {
      throw InputError("more than \(Self.maxEmptyLines) empty lines in a row", line: lines)
    }
    guard range.count <= Self.longestLine else {
      if passesWrongLines { return true }
      throw tooLong(lines)
    }
    var line = buffer.span.extracting(range)
    if !isASCII, (try? UTF8Span(validating: line)) == nil {
      if passesWrongLines { return true }
      throw InputError("the line is not UTF-8 text", line: lines)
    }
    if !keepsReturns, line.count > 0, line[line.count - 1] == UInt8(ascii: "\r") {
      line = line.extracting(0..<(line.count - 1))
    }
    return try body(line, lines)
  }

  private mutating func keep(from start: Int) {
    let rest = filled - start
    if start > 0 { for index in 0..<rest { buffer[index] = buffer[start + index] } }
    filled = rest
  }

  private func tooLong(_ line: Int) -> InputError {
    InputError("the line is longer than \(Self.longestLine) bytes", line: line)
  }

  private mutating func dropByteOrderMark() {
    if filled >= 3, Array(buffer[0..<3]) == [0xEF, 0xBB, 0xBF] { keep(from: 3) }
  }

  private static func isASCII(_ bytes: Span<UInt8>) -> Bool {
    var all: UInt8 = 0
    for index in bytes.indices { all |= bytes[index] }
    return all < 0x80
  }

  /// The place of the first newline in `start..<end`, or `end`.
  private static func newline(in buffer: [UInt8], from start: Int, to end: Int) -> Int {
    unsafe buffer.withUnsafeBytes { bytes in
      // `start < end <= bytes.count`, so memchr stays within the array and its result does too.
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, CInt(UInt8(ascii: "\n")), end - start)
      else { return end }
      return unsafe UnsafeRawPointer(found) - base
    }
  }
}
