/// Finds the ends of JSON values that are wholly in memory, without reading them.
///
/// Accepts exactly what `JSONReader` accepts, and leaves all errors to it.
struct JSONSkipping {
  /// Deeper values are left to the reader.
  private static let deepest = 64

  /// The levels around the current value, the innermost as the lowest bit: 1 is an object, 0 an array.
  private var levels: UInt64 = 0
  private var depth = 0
  private let room: Int
  private var index: Int

  private init(from start: Int, depth: Int) {
    index = start
    room = min(Self.deepest, JSONReader.deepest - depth)
  }

  /// The place after the value at `start`, which is `depth` levels deep; nil if it has an error or may continue after `text`.
  static func end(of text: Span<UInt8>, from start: Int, depth: Int) -> Int? {
    var skipping = Self(from: start, depth: depth)
    repeat {
      guard skipping.passValue(text) else { return nil }
    } while skipping.depth > 0
    return skipping.index
  }

  /// Advances over a value, or to the first value in it; then over the ends of all that it ends, to the next value.
  private mutating func passValue(_ text: Span<UInt8>) -> Bool {
    guard index < text.count else { return false }
    switch text[index] {
    case UInt8(ascii: "\""): return passString(text) && passEnds(text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      index = JSONReader.endOfNumber(text, from: index + 1)
      return index < text.count && passEnds(text)
    case UInt8(ascii: "{"): return passOpening(text, isObject: 1)
    case UInt8(ascii: "["): return passOpening(text, isObject: 0)
    case UInt8(ascii: "t"): return passWord("true", text) && passEnds(text)
    case UInt8(ascii: "f"): return passWord("false", text) && passEnds(text)
    case UInt8(ascii: "n"): return passWord("null", text) && passEnds(text)
    default: return false
    }
  }

  private mutating func passOpening(_ text: Span<UInt8>, isObject: UInt64) -> Bool {
    guard depth < room else { return false }
    levels = levels << 1 | isObject
    depth += 1
    passSpace(text, from: index + 1)
    guard index < text.count else { return false }
    if text[index] == closing { return passEnds(text) }
    return isObject == 0 || passKey(text)
  }

  /// The byte that ends the innermost level.
  private var closing: UInt8 { levels & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  /// Advances behind a value: over the ends of levels, and over a comma to the next value.
  private mutating func passEnds(_ text: Span<UInt8>) -> Bool {
    while depth > 0 {
      passSpace(text, from: index)
      guard index < text.count else { return false }
      if text[index] == UInt8(ascii: ",") {
        passSpace(text, from: index + 1)
        return levels & 1 == 0 || passKey(text)
      }
      guard text[index] == closing else { return false }
      index += 1
      levels >>= 1
      depth -= 1
    }
    return true
  }

  /// Advances over a key and its colon to its value.
  private mutating func passKey(_ text: Span<UInt8>) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: "\""), passString(text) else {
      return false
    }
    passSpace(text, from: index)
    guard index < text.count, text[index] == UInt8(ascii: ":") else { return false }
    passSpace(text, from: index + 1)
    return true
  }

  private mutating func passString(_ text: Span<UInt8>) -> Bool {
    var seen: UInt8 = 0
    let start = index + 1
    index = JSONReader.endOfText(text, from: start, &seen)
    guard index < text.count, text[index] == UInt8(ascii: "\"") else { return false }
    if seen >= 0x80, !JSONReader.isValid(text.extracting(start..<index)) { return false }
    index += 1
    return true
  }

  private mutating func passWord(_ word: StaticString, _ text: Span<UInt8>) -> Bool {
    let end = index + word.utf8CodeUnitCount
    guard end < text.count, !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[end]) else {
      return false
    }
    let bytes = text.extracting(index..<end)
    index = end
    return word.withUTF8Buffer { word in
      bytes.indices.allSatisfy { unsafe word[$0] == bytes[$0] }
    }
  }

  @inline(__always)
  private mutating func passSpace(_ text: Span<UInt8>, from start: Int) {
    index = JSONReader.endOfSpace(text, from: start)
  }
}
