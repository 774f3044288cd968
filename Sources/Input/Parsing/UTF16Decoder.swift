/// Converts UTF-16 to UTF-8 in pieces.
struct UTF16Decoder {
  private let isBigEndian: Bool
  /// The first byte of a unit whose second one has not come yet.
  private var byte: UInt8?
  /// The first unit of a pair whose second one has not come yet.
  private var high: UInt16?

  /// Nil unless a text of UTF-16 begins with `mark`.
  init?(mark: [UInt8]) {
    guard mark == [0xFF, 0xFE] || mark == [0xFE, 0xFF] else { return nil }
    isBigEndian = mark[0] == 0xFE
  }

  /// The text of the next `bytes` in UTF-8; nil if they, or all of them after the last ones, are not UTF-16.
  mutating func text(of bytes: ArraySlice<UInt8>, isLast: Bool) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for next in bytes {
      guard let first = byte.take() else {
        byte = next
        continue
      }
      let unit =
        isBigEndian ? UInt16(first) << 8 | UInt16(next) : UInt16(next) << 8 | UInt16(first)
      guard append(unit, to: &text) else { return nil }
    }
    return isLast && (byte != nil || high != nil) ? nil : text
  }

  /// Appends a unit; false if it does not fit to the one before it.
  private mutating func append(_ unit: UInt16, to text: inout [UInt8]) -> Bool {
    if unit < 0x80, high == nil {
      text.append(UInt8(unit))
      return true
    }
    if let high = high.take() {
      guard UTF16.isTrailSurrogate(unit) else { return false }
      text += String(decoding: [high, unit], as: UTF16.self).utf8
    } else if UTF16.isLeadSurrogate(unit) {
      high = unit
    } else if let scalar = Unicode.Scalar(unit) {
      text += String(Character(scalar)).utf8
    } else {
      return false
    }
    return true
  }
}
