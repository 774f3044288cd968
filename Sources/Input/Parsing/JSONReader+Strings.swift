extension JSONReader {
  /// Whether the escapes and the encoding of a string are right.
  static func isValid(_ content: Span<UInt8>) -> Bool {
    unescaped(content.indices.map { content[$0] }[...]) != nil
  }

  /// The content of a JSON string; nil if an escape or the encoding is wrong.
  static func unescaped(_ content: ArraySlice<UInt8>) -> String? {
    guard content.contains(UInt8(ascii: "\\")) else {
      return String(validating: content, as: UTF8.self)
    }
    var units: [UInt8] = []
    var rest = content
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        units.append(byte)
        continue
      }
      guard let scalar = escape(&rest) else { return nil }
      units += Array(String(scalar).utf8)
    }
    return String(validating: units, as: UTF8.self)
  }

  private static func escape(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let letter = rest.popFirst() else { return nil }
    switch letter {
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return codePoint(&rest)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    default: return nil
    }
  }

  /// Four hexadecimal digits, or two such escapes that are a surrogate pair.
  private static func codePoint(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let high = hexadecimal(&rest) else { return nil }
    guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
    guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"),
      let low = hexadecimal(&rest), (0xDC00..<0xE000).contains(low)
    else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  private static func hexadecimal(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
