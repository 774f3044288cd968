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
    guard index <= text.count &- Self.size else { return nil }
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
  func isBeyondASCII(within count: Int) -> Bool { integer(of: count) & Self.highs != 0 }

  /// The number of bytes before the first one that is not `byte`.
  @inline(__always)
  func count(ofLeading byte: UInt8) -> Int {
    (bits ^ Self.ones &* UInt64(byte)).trailingZeroBitCount / 8
  }

  /// The number of bytes before the first one that is not a decimal digit.
  @inline(__always)
  var digitCount: Int {
    let digits = bits ^ Self.ones &* 0x30
    let others = ((digits & ~Self.highs) &+ Self.ones &* 0x76 | digits) & Self.highs
    return others.trailingZeroBitCount / 8
  }

  /// The decimal number in the first `count` bytes, which are digits.
  @inline(__always)
  func number(ofDigits count: Int) -> UInt64 {
    // Zeros before the first digit, which is the lowest byte. Then pairs, fours and all eight are joined.
    guard count > 0 else { return 0 }
    let digits = (bits ^ Self.ones &* 0x30) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    let pairs = digits &* 10 &+ digits >> 8
    let mask: UInt64 = 0x0000_00FF_0000_00FF
    let odd = (pairs & mask) &* (100 + 1_000_000 << 32)
    let even = (pairs >> 16 & mask) &* (1 + 10_000 << 32)
    return (odd &+ even) >> 32
  }

  /// The first `count` bytes as an integer.
  @inline(__always)
  func integer(of count: Int) -> UInt64 {
    guard count < Self.size else { return bits }
    return bits & ~(UInt64.max &<< UInt64(truncatingIfNeeded: count &* 8))
  }

  /// The bytes of `text` from `index` on as an integer; of fewer than eight, the last eight bytes of the text, or all.
  @inline(__always)
  static func integer(of text: Span<UInt8>, from index: Int) -> UInt64 {
    if let word = ByteWord(text, at: max(0, min(index, text.count - size))) { return word.bits }
    var bits: UInt64 = 0
    for place in text.indices { bits = bits << 8 | UInt64(text[place]) }
    return bits
  }

  /// Whether both texts have the same bytes.
  @inline(__always)
  static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    var index = 0
    while index < left.count {
      guard integer(of: left, from: index) == integer(of: right, from: index) else { return false }
      index += size
    }
    return true
  }

  /// The number of bytes of `text` that are `byte`.
  static func count(of byte: UInt8, in text: Span<UInt8>) -> Int {
    let wanted = Block(repeating: byte)
    var (count, index) = (0, 0)
    while index <= text.count - Block.scalarCount {
      // Each byte of the sum counts those at its place in at most 255 blocks.
      let last = min(text.count - Block.scalarCount, index + 254 * Block.scalarCount)
      var sum = Block.zero
      while index <= last {
        // Safe: the block is in the text, and integers have no invalid values; the bytes of a mask are -1 or 0.
        let block = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: Block.self)
        sum &-= unsafe unsafeBitCast(block .== wanted, to: Block.self)
        index += Block.scalarCount
      }
      for place in sum.indices { count += Int(sum[place]) }
    }
    while index < text.count {
      if text[index] == byte { count += 1 }
      index += 1
    }
    return count
  }

  private typealias Block = SIMD16<UInt8>

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
