internal import FrameBudget
internal import FrameBudgetParsing

/// A capture of sysprof: a header, then what the format calls frames, one in memory at a time. They are called records here.
///
/// The numbers are those of `sysprof-capture-types.h`, where the format is defined.
struct SysprofCapture: ~Copyable {
  /// Integers have the order of bytes of the machine that recorded, but the magic number has always this one.
  private static let magic: [UInt8] = [0x5E, 0x97, 0xCA, 0xFD]
  private static let header = 256
  private static let chunk = 1 << 18

  static func isCapture(_ opening: [UInt8]) -> Bool { opening.starts(with: magic) }

  /// Whether the recorder came to its end; if it was killed, the last records may be missing.
  private(set) var isFinished = false
  private var source: ByteSource
  private var buffer = [UInt8](repeating: 0, count: Self.chunk)
  private var start = 0
  private var filled = 0
  /// The offset of the buffer in the file.
  private var offset = 0

  /// Reads the header.
  init(_ source: consuming ByteSource) throws(InputError) {
    self.source = source
    let opening = try self.source.peek(Self.header)
    guard opening.count == Self.header, Self.isCapture(opening) else {
      throw InputError("is cut off: a sysprof capture begins with \(Self.header) bytes")
    }
    guard opening[4] == 1 else {
      throw InputError("is a sysprof capture of version \(opening[4]); only version 1 is read")
    }
    guard opening[5] & 1 == 1 else {
      throw InputError("is a sysprof capture of a big-endian machine, which is not read")
    }
    isFinished = SysprofRecord.integer(opening.span, at: 80, bytes: 8) != 0
    guard try fill(Self.header) else { throw failure("is cut off in its header") }
    start = Self.header
  }

  /// Calls `body` with each record, and with the offset of the record in the file.
  mutating func forEach(
    _ body: (SysprofRecord, Span<UInt8>) throws(InputError) -> Void
  ) throws(InputError) {
    while try fill(1) {
      guard try fill(SysprofRecord.opening) else {
        throw failure("is cut off: a record has \(filled - start) bytes,")
      }
      let length = Int(SysprofRecord.integer(buffer.span, at: start, bytes: 2))
      guard length >= SysprofRecord.opening else { throw failure("a record of \(length) bytes") }
      guard try fill(length) else {
        throw failure("is cut off: a record has \(filled - start) of \(length) bytes,")
      }
      let place = start..<(start + length)
      let record = SysprofRecord(buffer.span.extracting(place))
      do throws(InputError) {
        try body(record, buffer.span.extracting(place))
      } catch {
        throw failure(error.reason)
      }
      start += length
    }
  }

  /// Reads until `count` bytes follow `start`; false if the file ends before.
  private mutating func fill(_ count: Int) throws(InputError) -> Bool {
    if filled - start >= count { return true }
    // A record has at most 65 535 bytes, so all of it has room.
    buffer.replaceSubrange(0..<(filled - start), with: buffer[start..<filled])
    (offset, filled, start) = (offset + start, filled - start, 0)
    while filled < count {
      let read = try source.read(into: &buffer, from: filled)
      guard read > 0 else { return false }
      filled += read
    }
    return true
  }

  private func failure(_ reason: String) -> InputError {
    InputError("\(reason) at byte \(offset + start)")
  }
}

/// A record of a sysprof capture, in `bytes` that are passed along.
struct SysprofRecord {
  /// Those that are read.
  enum Kind: UInt64 {
    case sample = 2
    case process = 4
    case mark = 10
  }

  /// The bytes before its content.
  static let opening = 24

  /// Nil if it is not read.
  let kind: Kind?
  let process: Int
  /// In nanoseconds, on the clock `CLOCK_MONOTONIC` of the machine.
  let time: Int64

  init(_ bytes: Span<UInt8>) {
    kind = Kind(rawValue: Self.integer(bytes, at: 16, bytes: 1))
    process = Self.number(bytes, at: 4)
    time = Int64(bitPattern: Self.integer(bytes, at: 8, bytes: 8))
  }

  /// The unsigned integer of that many bytes; 0 in place of missing ones.
  static func integer(_ bytes: Span<UInt8>, at place: Int, bytes count: Int) -> UInt64 {
    var value: UInt64 = 0
    for byte in (0..<count).reversed() where place + byte < bytes.count {
      value = value << 8 | UInt64(bytes[place + byte])
    }
    return value
  }

  /// The signed integer of four bytes.
  static func number(_ bytes: Span<UInt8>, at place: Int) -> Int {
    Int(Int32(truncatingIfNeeded: integer(bytes, at: place, bytes: 4)))
  }

  /// Where the text is that begins at `place`: it ends with a zero, behind `longest` bytes, or with the record.
  static func text(_ bytes: Span<UInt8>, at place: Int, longest: Int = .max) -> Range<Int> {
    let begin = min(place, bytes.count)
    let limit = begin + min(longest, bytes.count - begin)
    var end = begin
    while end < limit, bytes[end] != 0 { end += 1 }
    return begin..<end
  }
}

/// A mark of a sysprof capture: a named interval, or an instant if it has no length.
struct SysprofMark {
  static let size = 96

  let span: Range<Int64>
  /// Where these texts are in the record.
  let group: Range<Int>
  let name: Range<Int>
  let message: Range<Int>

  init(_ record: SysprofRecord, _ bytes: Span<UInt8>) throws(InputError) {
    guard bytes.count >= Self.size else { throw InputError("a mark of \(bytes.count) bytes") }
    let length = Int64(bitPattern: SysprofRecord.integer(bytes, at: 24, bytes: 8))
    guard InputTime.instants.contains(record.time) else {
      throw InputError("the mark's time is out of range")
    }
    guard InputTime.spans.contains(length) else {
      throw InputError("the mark's duration is out of range")
    }
    span = record.time..<(record.time + length)
    group = SysprofRecord.text(bytes, at: 32, longest: 24)
    name = SysprofRecord.text(bytes, at: 56, longest: 40)
    message = SysprofRecord.text(bytes, at: Self.size)
  }
}
