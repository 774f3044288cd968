/// Protocol buffers as they stand in bytes: fields with numbers, each a number or bytes of its own.
///
/// What a field means is up to who asks; those that nobody asks for are passed.
public enum Wire {
  /// A field's value.
  public struct Value: Sendable {
    /// What it is as a number; 0 of bytes.
    public let number: UInt64
    /// Where its bytes are in the message; nil of a number.
    public let bytes: Range<Int>?

    /// As a number with a sign.
    public var signed: Int64 { Int64(bitPattern: number) }
    /// As a number that fits a count of ours; numbers below zero, and beyond 63 bits, are broken ones: 0.
    public var count: Int { Int(exactly: number) ?? 0 }
  }

  /// Calls `body` with each field of the message in `range` of `bytes`.
  public static func forEachField(
    of bytes: Span<UInt8>, in range: Range<Int>,
    _ body: (Int, Value) throws(InputError) -> Void
  ) throws(InputError) {
    var at = range.lowerBound
    while at < range.upperBound {
      let tag = try varint(bytes, &at, range.upperBound)
      // Five bits of 64 are beyond what field numbers have.
      let field = Int(truncatingIfNeeded: tag >> 3 & 0x1FFF_FFFF)
      guard field > 0 else { throw InputError("a field without a number at byte \(at)") }
      switch tag & 7 {
      case 0:
        try body(field, Value(number: try varint(bytes, &at, range.upperBound), bytes: nil))
      case 1: try body(field, try fixed(8, bytes, &at, range.upperBound))
      case 2:
        let length = try varint(bytes, &at, range.upperBound)
        guard length <= UInt64(range.upperBound - at) else { throw cutOff(at) }
        let end = at + Int(length)
        try body(field, Value(number: 0, bytes: at..<end))
        at = end
      case 5: try body(field, try fixed(4, bytes, &at, range.upperBound))
      default: throw InputError("no kind of field is \(tag & 7) at byte \(at)")
      }
    }
  }

  /// Calls `body` with each of the numbers that stand one behind the other in `range` of `bytes`.
  public static func forEachNumber(
    of bytes: Span<UInt8>, in range: Range<Int>, _ body: (UInt64) throws(InputError) -> Void
  ) throws(InputError) {
    var at = range.lowerBound
    while at < range.upperBound { try body(try varint(bytes, &at, range.upperBound)) }
  }

  /// A number of seven bits to a byte, the lowest first.
  static func varint(
    _ bytes: Span<UInt8>, _ at: inout Int, _ end: Int
  ) throws(InputError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < end, shift < 64 {
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    guard shift >= 64 else { throw cutOff(at) }
    throw InputError("a number of more than 64 bits at byte \(at)")
  }

  private static func fixed(
    _ count: Int, _ bytes: Span<UInt8>, _ at: inout Int, _ end: Int
  ) throws(InputError) -> Value {
    guard count <= end - at else { throw cutOff(at) }
    var value: UInt64 = 0
    for offset in 0..<count { value |= UInt64(bytes[at + offset]) << UInt64(8 * offset) }
    at += count
    return Value(number: value, bytes: nil)
  }

  private static func cutOff(_ at: Int) -> InputError {
    InputError("a message ends within a field at byte \(at)")
  }
}
