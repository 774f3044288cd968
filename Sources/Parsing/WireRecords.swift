/// The messages that stand one behind the other in a file of any size, in memory for one of them.
public struct WireRecords: ~Copyable {
  /// No message of a recording that people have is anywhere near as long.
  public static let longest = 1 << 26
  private static let chunk = 1 << 18

  private var source: ByteSource
  private var buffer: [UInt8]
  private var start = 0
  private var filled = 0
  /// Where in the file the buffer begins.
  private var offset = 0

  public init(_ source: consuming ByteSource) {
    self.source = source
    buffer = [UInt8](repeating: 0, count: Self.chunk)
  }

  /// Calls `body` with each message that is the field `field` of the file, its place, and where in the file it begins.
  public mutating func forEach(
    field wanted: Int, _ body: (Span<UInt8>, Int) throws(InputError) -> Void
  ) throws(InputError) {
    while try fill(1) {
      let tag = try varint()
      guard tag & 7 == 2 else { throw failure("no message begins") }
      let length = try varint()
      guard length <= UInt64(Self.longest) else {
        throw failure("a message of more than \(Self.longest >> 20) MB")
      }
      let place = offset + start
      guard try fill(Int(length)) else {
        throw failure("is cut off: of \(length) bytes of a message \(filled - start) are there,")
      }
      if tag >> 3 == UInt64(wanted) {
        do throws(InputError) {
          try body(buffer.span.extracting(start..<(start + Int(length))), place)
        } catch {
          throw InputError("\(error.reason) of the message at byte \(place)")
        }
      }
      start += Int(length)
    }
  }

  private mutating func varint() throws(InputError) -> UInt64 {
    // Of those that are shorter, what follows is there or the file ends.
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

  /// Reads on until so many bytes are there behind `start`; false where the file ends before.
  private mutating func fill(_ count: Int) throws(InputError) -> Bool {
    while filled - start < count {
      if start > 0 { letGo() }
      // As far as what comes needs it: a message may claim any length.
      if filled == buffer.count {
        buffer.append(contentsOf: repeatElement(0, count: min(filled, count - filled)))
      }
      let read = try source.read(into: &buffer, from: filled)
      if read == 0 { return false }
      filled += read
    }
    return true
  }

  private mutating func letGo() {
    for index in 0..<(filled - start) { buffer[index] = buffer[start + index] }
    offset += start
    filled -= start
    start = 0
  }

  private func failure(_ reason: String) -> InputError {
    InputError("\(reason) at byte \(offset + start)")
  }
}
