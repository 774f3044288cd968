/// Eight bytes of a text, which are examined together. The first byte is the lowest one.
struct ByteWord {
  private let bits: UInt64

  static let size = 8
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The bytes of `text` from `index` on; nil if there are fewer than eight.
  @inline(__always)
  init?(_ text: Span<UInt8>, at index: Int) {
    precondition(index >= 0, "an index of the text")
    guard index <= text.count - Self.size else { return nil }
    // Safe: all eight bytes are in the text, and an integer has no invalid values.
    bits = UInt64(
      littleEndian: unsafe text.bytes.unsafeLoadUnaligned(
        fromByteOffset: index, as: UInt64.self))
  }

  /// The number of bytes before the first one that ends a string in JSON, begins an escape, or is invalid there.
  @inline(__always)
  var plainCount: Int {
    // The lowest bit that is set is right; a higher one may be set by a borrow from it.
    let special = zeros(bits ^ Self.ones &* 0x22) | zeros(bits ^ Self.ones &* 0x5C) | below0x20
    return special == 0 ? Self.size : special.trailingZeroBitCount / 8
  }

  /// Whether one of the first `count` bytes is not ASCII.
  @inline(__always)
  func isBeyondASCII(within count: Int) -> Bool {
    bits & Self.highs & ~(UInt64.max << UInt64(count * 8)) != 0
  }

  /// The number of bytes that are `byte`.
  @inline(__always)
  func count(of byte: UInt8) -> Int {
    let different = bits ^ Self.ones &* UInt64(byte)
    let lows = ~Self.highs
    return (~((different & lows) &+ lows | different) & Self.highs).nonzeroBitCount
  }

  /// The number of bytes before the first one that is `byte`; eight if none is.
  @inline(__always)
  func count(before byte: UInt8) -> Int {
    zeros(bits ^ Self.ones &* UInt64(byte)).trailingZeroBitCount / 8
  }

  /// The place of the first `byte` in `text` from `start` on, or the end.
  @inline(__always)
  static func first(_ byte: UInt8, in text: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while let word = ByteWord(text, at: index) {
      let count = word.count(before: byte)
      index += count
      if count < size { return index }
    }
    while index < text.count, text[index] != byte { index += 1 }
    return index
  }

  /// The high bit of the first byte of `bits` that is 0, and of none before it.
  @inline(__always)
  private func zeros(_ bits: UInt64) -> UInt64 { (bits &- Self.ones) & ~bits & Self.highs }

  /// The same for bytes below 0x20.
  @inline(__always)
  private var below0x20: UInt64 { (bits &- Self.ones &* 0x20) & ~bits & Self.highs }
}
