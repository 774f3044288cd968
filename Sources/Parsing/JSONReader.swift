/// Reads JSON (RFC 8259) from front to back without building a tree; what nobody asks for is skipped.
///
///     try reader.object { reader, key throws(InputError) in
///       if key == "Runs" { try reader.array(readRun) } else { try reader.skip() }
///     }
public struct JSONReader {
  public static let deepest = 128

  public enum Kind: Sendable { case object, array, string, number, boolean, null }

  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// Whether a file that begins like this is JSON, rather than a table.
  public static func isJSON(_ opening: [UInt8]) -> Bool {
    let start = opening.starts(with: [0xEF, 0xBB, 0xBF]) ? opening.dropFirst(3) : opening[...]
    let first = start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  /// What kind of value comes next.
  public mutating func kind() throws(InputError) -> Kind {
    switch try peek() {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    default: throw failure("a JSON value should stand here")
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

  /// Passes over the next value, whatever it is.
  public mutating func skip() throws(InputError) {
    switch try kind() {
    case .object: try object { (reader, _) throws(InputError) in try reader.skip() }
    case .array: try array { (reader) throws(InputError) in try reader.skip() }
    case .string: _ = try string()
    case .number: _ = try numberRange()
    case .boolean, .null: _ = try word()
    }
  }

  public mutating func string() throws(InputError) -> String {
    guard try peek() == UInt8(ascii: "\"") else { throw failure("a string should stand here") }
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] >= 0x20 {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
      throw failure("a string is not closed")
    }
    let content = bytes[start..<index]
    index += 1
    guard let text = Self.unescaped(content) else {
      throw failure("a string with an invalid escape, or not UTF-8")
    }
    return text
  }

  /// A number in units of 10 to the power `-places`; `null` is missing.
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
      throw failure("a number should stand here")
    }
    return value
  }

  /// A number as it is written, for one that may have more digits than a number type holds.
  public mutating func numberText() throws(InputError) -> String {
    let range = try numberRange()
    return String(decoding: bytes[range], as: UTF8.self)
  }

  public mutating func boolean() throws(InputError) -> Bool {
    switch try word() {
    case "true": return true
    case "false": return false
    default: throw failure("true or false should stand here")
    }
  }

  /// Fails unless nothing but white space is left.
  public mutating func end() throws(InputError) {
    skipSpace()
    if index < bytes.count { throw failure("there is more behind the end of the JSON value") }
  }

  private mutating func numberRange() throws(InputError) -> Range<Int> {
    guard try kind() == .number else { throw failure("a number should stand here") }
    let start = index
    while index < bytes.count, "+-.eE0123456789".utf8.contains(bytes[index]) { index += 1 }
    return start..<index
  }

  private mutating func word() throws(InputError) -> String {
    _ = try peek()
    let start = index
    while index < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index]) {
      index += 1
    }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    guard ["true", "false", "null"].contains(word) else {
      throw failure("true, false or null should stand here")
    }
    return word
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(InputError) {
    guard try peek() == UInt8(ascii: scalar) else { throw failure("'\(scalar)' should stand here") }
    index += 1
  }

  private mutating func peek() throws(InputError) -> UInt8 {
    skipSpace()
    guard index < bytes.count else { throw failure("the JSON text ends too early") }
    return bytes[index]
  }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }

  /// An error at the place that has been reached.
  public func failure(_ reason: String) -> InputError {
    let read = bytes.prefix(index)
    let line = read.count { $0 == UInt8(ascii: "\n") } + 1
    let start = read.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return InputError(reason, line: line, column: read.count - start + 1)
  }
}
