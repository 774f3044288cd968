/// Reads JSON (RFC 8259) from front to back without building a tree; callers skip what they do not need.
///
///     try reader.object { reader, key throws(InputError) in
///       if key == "Runs" { try reader.array(readRun) } else { try reader.skip() }
///     }
///
/// A text may be of any size: memory of the parts already read is released.
public struct JSONReader: ~Copyable {
  public static let deepest = 128
  /// The limit for a string or number in a text that is read in chunks.
  public static let longestToken = 1 << 26
  private static let chunk = 1 << 18

  public enum Kind: Sendable { case object, array, string, number, boolean, null }

  /// The part of the text that is in memory.
  private(set) var bytes: [UInt8]
  /// The number of valid `bytes`.
  private var filled: Int
  private var index = 0
  /// The start of the current string or number, which must stay in memory.
  private var token = Int.max
  private var depth = 0
  private var source: ByteSource
  private var isWhole: Bool
  /// The number of lines in the released text, and the bytes of its last line.
  private var lines = 0
  private var columns = 0

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    filled = bytes.count
    isWhole = true
    source = ByteSource([], name: "")
    if bytes.starts(with: Self.byteOrderMark) { index = 3 }
  }

  /// Reads the text of `source` in chunks.
  public init(_ source: consuming ByteSource) throws(InputError) {
    self.init(pieces: source)
    try self.source.decodeIfUTF16()
    let opening = try self.source.peek(1 << 12)
    try BinaryFile.refuse(opening[...])
    _ = try more()
    if opening.starts(with: Self.byteOrderMark) { index = 3 }
  }

  private init(pieces source: consuming ByteSource) {
    self.source = source
    bytes = [UInt8](repeating: 0, count: Self.chunk)
    filled = 0
    isWhole = false
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether a file with these first bytes is JSON, not a table.
  public static func isJSON(_ opening: [UInt8]) -> Bool {
    let start = opening.starts(with: byteOrderMark) ? opening.dropFirst(3) : opening[...]
    let first = start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// The kind of the next value.
  public mutating func kind() throws(InputError) -> Kind {
    switch try peek() {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    default: throw failure("a JSON value is expected here")
    }
  }

  /// Reads an object; `body` reads or skips the value of each key.
  public mutating func object(
    _ body: (inout Self, String) throws(InputError) -> Void
  ) throws(InputError) {
    try list(from: "{", to: "}") { (reader) throws(InputError) in
      let key = try reader.string()
      try reader.expect(":")
      try body(&reader, key)
    }
  }

  /// Reads an object; `body` receives the number of each key in `keys` and reads or skips its value.
  public mutating func members(
    _ keys: JSONKeys, _ body: (inout Self, Int?) throws(InputError) -> Void
  ) throws(InputError) {
    try list(from: "{", to: "}") { (reader) throws(InputError) in
      let number = try reader.key(in: keys)
      try reader.expect(":")
      try body(&reader, number)
    }
  }

  /// Reads an array; `body` reads or skips each element.
  public mutating func array(
    _ body: (inout Self) throws(InputError) -> Void
  ) throws(InputError) {
    try list(from: "[", to: "]", body)
  }

  /// The elements of an array, each of which `element` reads.
  public mutating func elements<Element>(
    _ element: (inout Self) throws(InputError) -> Element
  ) throws(InputError) -> [Element] {
    var elements: [Element] = []
    try array { (reader) throws(InputError) in elements.append(try element(&reader)) }
    return elements
  }

  private mutating func list(
    from open: Unicode.Scalar, to close: Unicode.Scalar,
    _ body: (inout Self) throws(InputError) -> Void
  ) throws(InputError) {
    try expect(open)
    depth += 1
    guard depth <= Self.deepest else { throw failure("nested more than \(Self.deepest) deep") }
    if try peek() == UInt8(ascii: close) {
      index += 1
    } else {
      try body(&self)
      while try peek() == UInt8(ascii: ",") {
        index += 1
        try body(&self)
      }
      try expect(close)
    }
    depth -= 1
  }

  /// Skips the next value of any kind.
  public mutating func skip() throws(InputError) {
    let kind = try kind()
    if let end = endOfValue {
      index = end
      return
    }
    // It is not all in memory yet, or has an error, which reading it finds.
    switch kind {
    case .object: try list(from: "{", to: "}", Self.skipMember)
    case .array: try array { (reader) throws(InputError) in try reader.skip() }
    case .string: _ = try text()
    case .number: _ = try numberRange()
    case .boolean, .null: _ = try word()
    }
  }

  /// The end of the value that begins here; nil unless it is wholly in memory and valid.
  private var endOfValue: Int? {
    JSONSkipping.end(of: bytes.span.extracting(0..<filled), from: index, depth: depth)
  }

  private static func skipMember(_ reader: inout Self) throws(InputError) {
    _ = try reader.text()
    try reader.expect(":")
    try reader.skip()
  }

  public mutating func string() throws(InputError) -> String {
    switch try text() {
    case .plain(let range): String(decoding: bytes[range], as: UTF8.self)
    case .unescaped(let string): string
    }
  }

  /// Reads a string; returns its number in `names`.
  public mutating func string(in names: inout InternedNames) throws(InputError) -> Int {
    switch try text() {
    case .plain(let range): names.intern(bytes.span.extracting(range))
    case .unescaped(let string): names.intern(string)
    }
  }

  /// Reads a string; returns its only byte, nil for other strings.
  public mutating func letter() throws(InputError) -> UInt8? {
    guard case .plain(let range) = try text(), range.count == 1 else { return nil }
    return bytes[range.lowerBound]
  }

  /// Reads a string or number; returns a hash that distinguishes it from nearly all others.
  public mutating func fingerprint() throws(InputError) -> UInt64 {
    guard try kind() == .string else {
      let range = try numberRange()
      return Self.fingerprint(bytes.span.extracting(range))
    }
    switch try text() {
    case .plain(let range): return Self.fingerprint(bytes.span.extracting(range))
    case .unescaped(let string): return Self.fingerprint(Array(string.utf8).span)
    }
  }

  /// A hash (FNV-1a) that distinguishes the bytes from nearly all others.
  public static func fingerprint(_ bytes: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    return hash
  }

  private mutating func key(in keys: JSONKeys) throws(InputError) -> Int? {
    switch try text() {
    case .plain(let range): keys.number(of: bytes.span.extracting(range))
    case .unescaped(let string): keys.number(of: Array(string.utf8).span)
    }
  }

  /// The content of a string.
  private enum Text {
    /// Its range in `bytes`, valid until more is read.
    case plain(Range<Int>)
    case unescaped(String)
  }

  /// Reads a string; makes a `String` only if it has escapes or characters beyond ASCII.
  private mutating func text() throws(InputError) -> Text {
    guard try peek() == UInt8(ascii: "\"") else { throw failure("a string is expected here") }
    index += 1
    token = index
    var seen: UInt8 = 0
    while try !passText(&seen) {
      // The byte after a backslash belongs to it.
      guard try more() else { throw failure("a string is not closed") }
    }
    let range = token..<index
    token = .max
    index += 1
    guard seen >= 0x80 else { return .plain(range) }
    guard let text = Self.unescaped(bytes[range]) else {
      throw failure("a string with an invalid escape, or not UTF-8")
    }
    return .unescaped(text)
  }

  /// Advances to the closing quote; false if more must be read first. `seen` gets the high bit from bytes beyond ASCII.
  private mutating func passText(_ seen: inout UInt8) throws(InputError) -> Bool {
    index = Self.endOfText(bytes.span.extracting(0..<filled), from: index, &seen)
    guard index < filled else { return false }
    switch bytes[index] {
    case UInt8(ascii: "\""): return true
    case UInt8(ascii: "\\"): return false
    default: throw failure("a string is not closed")
    }
  }

  /// The place of the closing quote, of a byte that is invalid in strings, or of a backslash that is the last byte.
  static func endOfText(
    _ text: Span<UInt8>, from start: Int, _ seen: inout UInt8
  ) -> Int {
    var index = start
    while index < text.count {
      if let word = ByteWord(text, at: index) {
        let plain = word.plainCount
        if word.isBeyondASCII(within: plain) { seen |= 0x80 }
        index += plain
        if plain == ByteWord.size { continue }
      }
      let byte = text[index]
      if byte == UInt8(ascii: "\"") || byte < 0x20 { return index }
      if byte == UInt8(ascii: "\\") {
        seen |= 0x80
        if index + 1 == text.count { return index }
        index += 1
      }
      seen |= byte
      index += 1
    }
    return index
  }

  /// Reads a number in units of 10 to the power `-places`; `null` is missing.
  public mutating func fixedPoint(places: Int) throws(InputError) -> FixedPoint {
    if try kind() == .null {
      _ = try word()
      return .missing
    }
    let range = try numberRange()
    return FixedPoint.parse(bytes.span, range, places: places)
  }

  public mutating func number() throws(InputError) -> Double {
    guard let value = Double(try numberText()), value.isFinite else {
      throw failure("a number is expected here")
    }
    return value
  }

  /// Reads a number as text, because it may have more digits than a number type holds.
  public mutating func numberText() throws(InputError) -> String {
    let range = try numberRange()
    return String(decoding: bytes[range], as: UTF8.self)
  }

  public mutating func boolean() throws(InputError) -> Bool {
    switch try word() {
    case "true": return true
    case "false": return false
    default: throw failure("true or false is expected here")
    }
  }

  /// Throws unless only white space is left.
  public mutating func end() throws(InputError) {
    if try next() != nil { throw failure("there is more text after the end of the JSON value") }
  }

  private mutating func numberRange() throws(InputError) -> Range<Int> {
    guard try kind() == .number else { throw failure("a number is expected here") }
    return try token(where: Self.isOfNumber)
  }

  private mutating func word() throws(InputError) -> String {
    _ = try peek()
    let range = try token { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    let word = String(decoding: bytes[range], as: UTF8.self)
    guard ["true", "false", "null"].contains(word) else {
      throw failure("true, false or null is expected here")
    }
    return word
  }

  /// Skips all bytes for which `belongs` is true; returns their range.
  private mutating func token(where belongs: (UInt8) -> Bool) throws(InputError) -> Range<Int> {
    token = index
    repeat {
      var end = index
      while end < filled, belongs(bytes[end]) { end += 1 }
      index = end
      if end < filled { break }
    } while try more()
    defer { token = .max }
    return token..<index
  }

  static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(InputError) {
    guard try peek() == UInt8(ascii: scalar) else { throw failure("'\(scalar)' is expected here") }
    index += 1
  }

  private mutating func peek() throws(InputError) -> UInt8 {
    guard let byte = try next() else { throw failure("the JSON text ends too early") }
    return byte
  }

  /// The next byte that is not white space; nil at the end.
  private mutating func next() throws(InputError) -> UInt8? {
    var passed = 0
    repeat {
      let start = index
      index = Self.endOfSpace(bytes.span.extracting(0..<filled), from: index)
      if index < filled { return bytes[index] }
      passed += index - start
      guard passed <= Self.longestToken else {
        throw failure("more than \(Self.longestToken >> 20) MB of white space")
      }
    } while try more()
    return nil
  }

  private static func endOfSpace(_ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count {
      switch text[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return index
      }
    }
    return index
  }

  // MARK: Chunks

  /// Reads more of the text after the part that must stay in memory; false at its end.
  private mutating func more() throws(InputError) -> Bool {
    guard !isWhole else { return false }
    discard(min(token, index))
    if filled == bytes.count {
      guard filled < Self.longestToken else {
        throw failure("a string or number of more than \(Self.longestToken >> 20) MB")
      }
      bytes.append(contentsOf: repeatElement(0, count: filled))
    }
    let count = try source.read(into: &bytes, from: filled)
    filled += count
    isWhole = count == 0
    return count > 0
  }

  /// Removes the first `count` bytes from memory.
  private mutating func discard(_ count: Int) {
    guard count > 0 else { return }
    (lines, columns) = place(count)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      // Both ranges are within the array, and copying allows them to overlap.
      guard let base = bytes.baseAddress else { return }
      unsafe base.copyMemory(from: base + count, byteCount: filled - count)
    }
    filled -= count
    index -= count
    if token != .max { token -= count }
  }

  /// The number of lines before the byte at `offset`, and of bytes before it on its line.
  private func place(_ offset: Int) -> (lines: Int, columns: Int) {
    let span = bytes.span.extracting(0..<offset)
    var ends = 0
    var index = 0
    while let word = ByteWord(span, at: index) {
      ends += word.count(of: UInt8(ascii: "\n"))
      index += ByteWord.size
    }
    while index < offset {
      if span[index] == UInt8(ascii: "\n") { ends += 1 }
      index += 1
    }
    guard ends > 0 else { return (lines, columns + offset) }
    var start = offset
    while start > 0, span[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return (lines + ends, offset - start)
  }

  /// An error at the current place.
  public func failure(_ reason: String) -> InputError {
    let place = place(min(index, filled))
    return InputError(reason, line: place.lines + 1, column: place.columns + 1)
  }
}
