internal import FrameBudgetParsing

/// Reads lines of text from left to right.
enum TextScan {
  static func first(of byte: Unicode.Scalar, in line: Span<UInt8>, from start: Int) -> Int? {
    let wanted = UInt8(ascii: byte)
    var index = start
    while index < line.count {
      if line[index] == wanted { return index }
      index += 1
    }
    return nil
  }

  static func last(of byte: Unicode.Scalar, in line: Span<UInt8>, before end: Int) -> Int? {
    let wanted = UInt8(ascii: byte)
    var index = end
    while index > 0 {
      index -= 1
      if line[index] == wanted { return index }
    }
    return nil
  }

  /// The end of the text before `end`, without trailing spaces.
  static func endOfText(_ line: Span<UInt8>, before end: Int) -> Int {
    var index = end
    while index > 0, line[index - 1] == 0x20 { index -= 1 }
    return index
  }

  static func take(_ byte: Unicode.Scalar, _ line: Span<UInt8>, _ at: inout Int) -> Bool {
    guard at < line.count, line[at] == UInt8(ascii: byte) else { return false }
    at += 1
    return true
  }

  /// Whether the line continues with `text`, which is then skipped.
  static func takeText(_ text: StaticString, _ line: Span<UInt8>, _ at: inout Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at + count <= line.count else { return false }
    let found = line.extracting(at..<(at + count))
    let isThere = text.withUTF8Buffer { wanted in
      for index in found.indices where unsafe wanted[index] != found[index] { return false }
      return true
    }
    if isThere { at += count }
    return isThere
  }

  /// Skips spaces; returns false if there are none.
  static func takeSpaces(_ line: Span<UInt8>, _ at: inout Int) -> Bool {
    let start = at
    while at < line.count, line[at] == 0x20 { at += 1 }
    return at > start
  }

  /// Skips characters other than spaces.
  static func takeWord(_ line: Span<UInt8>, _ at: inout Int) {
    while at < line.count, line[at] != 0x20 { at += 1 }
  }

  /// An integer of at most 18 digits.
  static func number(_ line: Span<UInt8>, _ at: inout Int) -> Int? {
    let start = at
    var value = 0
    while at < line.count, at - start < 18, line[at] &- UInt8(ascii: "0") <= 9 {
      value = value * 10 + Int(line[at] - UInt8(ascii: "0"))
      at += 1
    }
    return at > start ? value : nil
  }

  /// A hexadecimal number of at most 16 digits.
  static func hexadecimal(_ line: Span<UInt8>, _ at: inout Int) -> UInt64? {
    let start = at
    var value: UInt64 = 0
    while at < line.count, at - start < 16,
      let digit = Character(Unicode.Scalar(line[at])).hexDigitValue
    {
      value = value << 4 | UInt64(digit)
      at += 1
    }
    return at > start ? value : nil
  }

  /// An instant in seconds with decimals, as nanoseconds; nil, without advancing `at`, if there is none.
  static func seconds(_ line: Span<UInt8>, _ at: inout Int) -> Int64? {
    var end = at
    guard number(line, &end) != nil, take(".", line, &end), number(line, &end) != nil else {
      return nil
    }
    let point = FixedPoint.parse(line, at..<end, places: 9)
    guard let value = point.value(in: InputTime.instants) else { return nil }
    at = end
    return value
  }
}
