/// Keys of JSON objects, matched by their bytes and identified by their numbers in a list; faster than making strings.
public struct JSONKeys: Sendable {
  /// The longest key that is distinguished.
  public static let longest = 32

  /// The bytes of a key in four integers, and their number.
  private struct Packed: Equatable {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let count: Int

    init(_ bytes: Span<UInt8>) {
      count = bytes.count
      words.0 = Self.word(bytes, 0)
      if count > 8 { words.1 = Self.word(bytes, 8) }
      if count > 16 { words.2 = Self.word(bytes, 16) }
      if count > 24 { words.3 = Self.word(bytes, 24) }
    }

    private static func word(_ bytes: Span<UInt8>, _ start: Int) -> UInt64 {
      var word: UInt64 = 0
      for index in start..<min(start + 8, bytes.count) { word = word << 8 | UInt64(bytes[index]) }
      return word
    }

    static func == (left: Self, right: Self) -> Bool {
      left.count == right.count && left.words == right.words
    }

    /// The first slot to look in a table of a power of two slots.
    func slot(in slots: Int) -> Int {
      let mixed = (words.0 ^ words.1 &* 31 ^ words.2 &* 37 ^ words.3 &* 41) &* 0x9E37_79B9_7F4A_7C15
      return Int(mixed >> 32) & (slots - 1)
    }
  }

  private var table: [(key: Packed, number: Int)?]

  /// The keys, each at most `longest` bytes.
  public init(_ keys: [String]) {
    var slots = 16
    while slots < keys.count * 4 { slots *= 2 }
    table = Array(repeating: nil, count: slots)
    for (number, key) in keys.enumerated() {
      let bytes = Array(key.utf8)
      precondition(
        bytes.count <= Self.longest, "a key is short enough to be distinguished from others")
      let packed = Packed(bytes.span)
      var slot = packed.slot(in: slots)
      while table[slot] != nil { slot = (slot + 1) & (slots - 1) }
      table[slot] = (packed, number)
    }
  }

  /// The number of the key in `bytes`; nil if the list does not have it.
  func number(of bytes: Span<UInt8>) -> Int? {
    guard bytes.count <= Self.longest else { return nil }
    let packed = Packed(bytes)
    var slot = packed.slot(in: table.count)
    while let (key, number) = table[slot] {
      if key == packed { return number }
      slot = (slot + 1) & (table.count - 1)
    }
    return nil
  }
}
