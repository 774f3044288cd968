/// Reads JSON (RFC 8259) from front to back without building a tree; callers skip what they do not need.
///
///     try reader.object { reader, key throws(InputError) in
///       if key == "Runs" { try reader.array(readRun) } else { try reader.skip() }
///     }
///
/// Files with millions of objects are read without a closure per value, and without a string per key:
///
///     try reader.beginArray()
///     while try reader.nextElement() {
///       try reader.beginObject()
///       while let key = try reader.nextMember(of: keys) { try read(key, &reader) }
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
  /// Whether an object or array has just begun, so that no comma precedes its next value.
  private var isFirst = false
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
    try begin(open)
    while try advance(orEnd: close) { try body(&self) }
  }

  /// Begins an object, of which `nextMember` passes all members.
  public mutating func beginObject() throws(InputError) { try begin("{") }

  /// Begins an array, of which `nextElement` passes all elements.
  public mutating func beginArray() throws(InputError) { try begin("[") }

  /// Advances to the next element of the innermost array, which must then be read or skipped; false at the array's end.
  public mutating func nextElement() throws(InputError) -> Bool { try advance(orEnd: "]") }

  /// Advances to the next member of the innermost object whose key is in `keys`, and skips others; returns the key's number, and
  /// nil at the object's end. The member's value must then be read or skipped.
  public mutating func nextMember(of keys: JSONKeys) throws(InputError) -> Int? {
    while true {
      let number: Int?
      let short = Self.shortKey(
        in: bytes.span.extracting(0..<filled), from: index, isFirst: isFirst, of: keys)
      if let short {
        (number, index) = short
        isFirst = false
      } else {
        guard try advance(orEnd: "}") else { return nil }
        number = try key(in: keys)
        try expect(":")
      }
      if let number { return number }
      try skip()
    }
  }

  /// The number of the next member's key, and the place of its value, if the key has fewer than eight bytes; nil for others, if
  /// there is an error, and if not all of this is in memory.
  @inline(__always)
  private static func shortKey(
    in text: Span<UInt8>, from start: Int, isFirst: Bool, of keys: JSONKeys
  ) -> (number: Int?, value: Int)? {
    var place = endOfSpace(text, from: start)
    if !isFirst {
      guard place < text.count, text[place] == UInt8(ascii: ",") else { return nil }
      place = endOfSpace(text, from: place + 1)
    }
    guard place < text.count, text[place] == UInt8(ascii: "\""),
      let word = ByteWord(text, at: place + 1)
    else { return nil }
    let count = word.plainCount
    let end = place + 1 + count
    guard count < ByteWord.size, !word.isBeyondASCII(within: count),
      text[end] == UInt8(ascii: "\"")
    else { return nil }
    place = endOfSpace(text, from: end + 1)
    guard place < text.count, text[place] == UInt8(ascii: ":") else { return nil }
    return (
      keys.number(ofShort: word.integer(of: count), count: count),
      endOfSpace(text, from: place + 1)
    )
  }

  private mutating func begin(_ open: Unicode.Scalar) throws(InputError) {
    try expect(open)
    depth += 1
    guard depth <= Self.deepest else { throw failure("nested more than \(Self.deepest) deep") }
    isFirst = true
  }

  /// Advances to the next value of the innermost object or array; false after the end of all.
  @inline(__always)
  private mutating func advance(orEnd close: Unicode.Scalar) throws(InputError) -> Bool {
    let byte = try peek()
    if byte == UInt8(ascii: ","), !isFirst {
      index += 1
      return true
    }
    if byte != UInt8(ascii: close) {
      guard isFirst else { throw failure("'\(close)' is expected here") }
      isFirst = false
      return true
    }
    index += 1
    isFirst = false
    depth -= 1
    return false
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
    case .string: try skipText()
    case .number: _ = try numberRange()
    case .boolean, .null: _ = try word()
    }
  }

  /// The end of the value that begins here; nil unless it is wholly in memory and valid.
  private var endOfValue: Int? {
    JSONSkipping.end(of: bytes.span.extracting(0..<filled), from: index, depth: depth)
  }

  private mutating func skipText() throws(InputError) {
    let text = try text()
    if !text.isPlain { _ = try unescaped(text) }
  }

  private static func skipMember(_ reader: inout Self) throws(InputError) {
    try reader.skipText()
    try reader.expect(":")
    try reader.skip()
  }

  public mutating func string() throws(InputError) -> String {
    let text = try text()
    return try text.isPlain ? String(decoding: bytes[text.range], as: UTF8.self) : unescaped(text)
  }

  /// Reads a string; returns its number in `names`.
  public mutating func string(in names: inout InternedNames) throws(InputError) -> Int {
    if let range = plainText() { return names.intern(bytes.span.extracting(range)) }
    let text = try text()
    return try text.isPlain
      ? names.intern(bytes.span.extracting(text.range)) : names.intern(unescaped(text))
  }

  /// Reads a string; returns its only byte, nil for other strings.
  public mutating func letter() throws(InputError) -> UInt8? {
    if let range = plainText() { return range.count == 1 ? bytes[range.lowerBound] : nil }
    let text = try text()
    guard text.isPlain else {
      _ = try unescaped(text)
      return nil
    }
    return text.range.count == 1 ? bytes[text.range.lowerBound] : nil
  }

  /// Reads a string or number; returns a hash that distinguishes it from nearly all others.
  public mutating func fingerprint() throws(InputError) -> UInt64 {
    guard try kind() == .string else {
      let range = try numberRange()
      return Self.fingerprint(bytes.span.extracting(range))
    }
    if let range = plainText() { return Self.fingerprint(bytes.span.extracting(range)) }
    let text = try text()
    return try text.isPlain
      ? Self.fingerprint(bytes.span.extracting(text.range))
      : Self.fingerprint(Array(unescaped(text).utf8).span)
  }

  /// A hash (FNV-1a) that distinguishes the bytes from nearly all others.
  public static func fingerprint(_ bytes: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    return hash
  }

  private mutating func key(in keys: JSONKeys) throws(InputError) -> Int? {
    let text = try text()
    return try text.isPlain
      ? keys.number(of: text.range, in: bytes.span.extracting(0..<filled))
      : keys.number(of: unescaped(text))
  }

  /// The content of a string.
  private struct Text {
    /// Its range in `bytes`, valid until more is read.
    let range: Range<Int>
    /// Whether it has neither escapes nor characters beyond ASCII; `unescaped` reads and checks others.
    let isPlain: Bool
  }

  /// Reads a string that begins here, is all in memory, and has neither escapes nor characters beyond ASCII; nil for others.
  @inline(__always)
  private mutating func plainText() -> Range<Int>? {
    let range = Self.plainText(in: bytes.span.extracting(0..<filled), from: index)
    if let range { index = range.upperBound + 1 }
    return range
  }

  @inline(__always)
  private static func plainText(in text: Span<UInt8>, from quote: Int) -> Range<Int>? {
    let start = quote + 1
    guard start < text.count, text[quote] == UInt8(ascii: "\"") else { return nil }
    var seen: UInt8 = 0
    let end = endOfText(text, from: start, &seen)
    guard seen < 0x80, end < text.count, text[end] == UInt8(ascii: "\"") else { return nil }
    return start..<end
  }

  /// Reads a string.
  private mutating func text() throws(InputError) -> Text {
    guard try peek() == UInt8(ascii: "\"") else { throw failure("a string is expected here") }
    if let range = plainText() { return Text(range: range, isPlain: true) }
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
    return Text(range: range, isPlain: seen < 0x80)
  }

  /// The string that was just read, without its escapes.
  private func unescaped(_ text: Text) throws(InputError) -> String {
    guard let string = Self.unescaped(bytes[text.range]) else {
      throw failure("a string with an invalid escape, or not UTF-8")
    }
    return string
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
    let first = try peek()
    if let (number, end) = FixedPoint.short(
      bytes.span.extracting(0..<filled), from: index, places: places)
    {
      index = end
      return .value(number)
    }
    if first == UInt8(ascii: "n") {
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
    return try token(Self.endOfNumber)
  }

  private mutating func word() throws(InputError) -> String {
    _ = try peek()
    let range = try token { text, start in
      var end = start
      while end < text.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[end]) {
        end += 1
      }
      return end
    }
    let word = String(decoding: bytes[range], as: UTF8.self)
    guard ["true", "false", "null"].contains(word) else {
      throw failure("true, false or null is expected here")
    }
    return word
  }

  /// Skips a token, of which `end` finds the end in a text; returns its range.
  private mutating func token(
    _ end: (Span<UInt8>, Int) -> Int
  ) throws(InputError) -> Range<Int> {
    token = index
    repeat {
      index = end(bytes.span.extracting(0..<filled), index)
      if index < filled { break }
    } while try more()
    defer { token = .max }
    return token..<index
  }

  /// The place of the first byte from `start` on that cannot belong to a number, or the end.
  static func endOfNumber(_ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count {
      if let word = ByteWord(text, at: index) {
        index += word.digitCount
        if word.digitCount == ByteWord.size { continue }
      }
      guard isOfNumber(text[index]) else { return index }
      index += 1
    }
    return index
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

  /// The next byte that is not white space.
  @inline(__always)
  private mutating func peek() throws(InputError) -> UInt8 {
    if index < filled, bytes[index] > 0x20 { return bytes[index] }
    return try peekBehindSpace()
  }

  private mutating func peekBehindSpace() throws(InputError) -> UInt8 {
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

  /// The place of the first byte from `start` on that is not white space, or the end.
  @inline(__always)
  static func endOfSpace(_ text: Span<UInt8>, from start: Int) -> Int {
    start < text.count && text[start] > 0x20 ? start : endOfLongSpace(text, from: start)
  }

  private static func endOfLongSpace(_ text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < text.count {
      switch text[index] {
      case 0x20:
        // Most white space is the indentation of lines.
        index += ByteWord(text, at: index)?.count(ofLeading: 0x20) ?? 1
      case 0x09, 0x0A, 0x0D: index += 1
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
    let ends = ByteWord.count(of: UInt8(ascii: "\n"), in: span)
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
