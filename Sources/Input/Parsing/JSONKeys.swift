/// Keys of JSON objects, matched by their bytes and identified by their numbers in a list; faster than making strings.
public struct JSONKeys: Sendable {
  /// The longest key that is distinguished.
  public static let longest = 32

  /// A key: its bytes in integers, the first eight apart.
  private struct Entry {
    let first: UInt64
    let rest: (UInt64, UInt64, UInt64)
    /// The number of bytes; of a free place -1.
    let count: Int
    let number: Int

    static let free = Entry(first: 0, rest: (0, 0, 0), count: -1, number: -1)
  }

  /// A hash table: a key at the place of its first bytes, or at the next free one.
  private var table: [Entry]
  private let shift: UInt64

  /// The keys, each at most `longest` bytes.
  public init(_ keys: [String]) {
    var bits = 4
    while 1 << bits < keys.count * 4 { bits += 1 }
    shift = UInt64(64 - bits)
    table = Array(repeating: .free, count: 1 << bits)
    for (number, key) in keys.enumerated() {
      let bytes = Array(key.utf8)
      precondition(
        bytes.count <= Self.longest, "a key is short enough to be distinguished from others")
      let first = Self.word(bytes.span, 0..<bytes.count, 0)
      var place = place(of: first)
      while table[place].count >= 0 { place = (place + 1) & (table.count - 1) }
      table[place] = Entry(
        first: first, rest: Self.rest(bytes.span, 0..<bytes.count), count: bytes.count,
        number: number)
    }
  }

  /// The first place to look for a key with these first bytes.
  @inline(__always)
  private func place(of first: UInt64) -> Int {
    Int(truncatingIfNeeded: (first &* 0x9E37_79B9_7F4A_7C15) &>> shift)
  }

  private static func rest(_ text: Span<UInt8>, _ range: Range<Int>) -> (UInt64, UInt64, UInt64) {
    (word(text, range, 8), word(text, range, 16), word(text, range, 24))
  }

  /// Eight bytes of the key in `range`, or those that it has, from `start` on.
  private static func word(_ text: Span<UInt8>, _ range: Range<Int>, _ start: Int) -> UInt64 {
    guard start < range.count else { return 0 }
    let first = range.lowerBound + start
    let count = min(ByteWord.size, range.count - start)
    if let word = ByteWord(text, at: first) { return word.integer(of: count) }
    var word: UInt64 = 0
    for place in 0..<count { word |= UInt64(text[first + place]) << UInt64(place * 8) }
    return word
  }

  /// The number of a key of `count` bytes, fewer than eight, in an integer; nil if the list does not have it.
  @inline(__always)
  func number(ofShort key: UInt64, count: Int) -> Int? {
    var place = place(of: key)
    while table[place].count >= 0 {
      if table[place].first == key, table[place].count == count { return table[place].number }
      place = (place + 1) & (table.count - 1)
    }
    return nil
  }

  /// The number of the key; nil if the list does not have it.
  func number(of key: String) -> Int? {
    let bytes = Array(key.utf8)
    return number(of: 0..<bytes.count, in: bytes.span)
  }

  /// The number of the key in `range` of `text`; nil if the list does not have it.
  func number(of range: Range<Int>, in text: Span<UInt8>) -> Int? {
    guard range.count <= Self.longest else { return nil }
    let first = Self.word(text, range, 0)
    var place = place(of: first)
    while table[place].count >= 0 {
      if table[place].first == first, table[place].count == range.count,
        table[place].rest == Self.rest(text, range)
      {
        return table[place].number
      }
      place = (place + 1) & (table.count - 1)
    }
    return nil
  }
}
