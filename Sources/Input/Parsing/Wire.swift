/// Protocol buffers in the wire format: numbered fields, each a number or bytes.
///
/// The caller knows what a field means; unknown fields are skipped.
public enum Wire {
  /// A field's value.
  public struct Value: Sendable {
    /// The value as a number; 0 for bytes.
    public let number: UInt64
    /// The range of its bytes in the message; nil for a number.
    public let bytes: Range<Int>?

    /// The value as a signed number.
    public var signed: Int64 { Int64(bitPattern: number) }
    /// The value as a count; 0 for numbers that are invalid as counts: negative ones, or beyond 63 bits.
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
      // Field numbers have 29 bits.
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
      default: throw InputError("unknown wire type \(tag & 7) at byte \(at)")
      }
    }
  }

  /// Calls `body` with each of the packed numbers in `range` of `bytes`.
  public static func forEachNumber(
    of bytes: Span<UInt8>, in range: Range<Int>, _ body: (UInt64) throws(InputError) -> Void
  ) throws(InputError) {
    var at = range.lowerBound
    while at < range.upperBound { try body(try varint(bytes, &at, range.upperBound)) }
  }

  /// A number with seven bits per byte, the lowest first.
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

/// The messages of a file of any size, one in memory at a time.
public struct WireRecords: ~Copyable {
  /// The limit for a message, far above those of real recordings.
  public static let longest = 1 << 26
  private static let chunk = 1 << 18

  private var source: ByteSource
  private var buffer: [UInt8]
  private var start = 0
  private var filled = 0
  /// The offset of the buffer in the file.
  private var offset = 0

  public init(_ source: consuming ByteSource) {
    self.source = source
    buffer = [UInt8](repeating: 0, count: Self.chunk)
  }

  /// Calls `body` with each message in the field `wanted` of the file, and with the offset of the message in the file.
  public mutating func forEach(
    field wanted: Int, _ body: (Span<UInt8>, Int) throws(InputError) -> Void
  ) throws(InputError) {
    while try fill(1) {
      let tag = try varint()
      guard tag & 7 == 2 else { throw failure("expected a message") }
      let length = try varint()
      guard length <= UInt64(Self.longest) else {
        throw failure("a message of more than \(Self.longest >> 20) MB")
      }
      let position = offset + start
      guard try fill(Int(length)) else {
        throw failure("is cut off: a message has \(filled - start) of \(length) bytes,")
      }
      if tag >> 3 == UInt64(wanted) {
        do throws(InputError) {
          try body(buffer.span.extracting(start..<(start + Int(length))), position)
        } catch {
          throw InputError("\(error.reason) of the message at byte \(position)")
        }
      }
      start += Int(length)
    }
  }

  private mutating func varint() throws(InputError) -> UInt64 {
    // A shorter result means that the file ends.
    _ = try fill(10)
    var at = start
    let value: UInt64
    do throws(InputError) {
      value = try Wire.varint(buffer.span, &at, filled)
    } catch {
      throw failure("is cut off, or no recording: a number does not end")
    }
    start = at
    return value
  }

  /// Reads until `count` bytes follow `start`; false if the file ends before.
  private mutating func fill(_ count: Int) throws(InputError) -> Bool {
    while filled - start < count {
      if start > 0 { discard() }
      // Grows only as bytes arrive, because a message may claim any length.
      if filled == buffer.count {
        buffer.append(contentsOf: repeatElement(0, count: min(filled, count - filled)))
      }
      let read = try source.read(into: &buffer, from: filled)
      if read == 0 { return false }
      filled += read
    }
    return true
  }

  private mutating func discard() {
    for index in 0..<(filled - start) { buffer[index] = buffer[start + index] }
    offset += start
    filled -= start
    start = 0
  }

  private func failure(_ reason: String) -> InputError {
    InputError("\(reason) at byte \(offset + start)")
  }
}
