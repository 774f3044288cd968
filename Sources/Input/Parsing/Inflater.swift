internal import CFrameBudgetZlib

/// Decompresses gzip or zlib data, or the file of a ZIP archive, in chunks.
///
/// Safe: the stream belongs to this object and lives as long, and receives buffers only during a call.
@safe final class Inflater {
  /// The first bytes of a gzip file.
  static let magic: [UInt8] = [0x1F, 0x8B]

  enum State {
    /// There may be more output, from the rest of the input or from more of it.
    case needsMore
    /// A compressed member has ended.
    case ended
    case damaged
  }

  /// The result of a step.
  struct Step {
    let consumed: Int
    let produced: Int
    let state: State
  }

  // On the heap, because zlib keeps the address.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Whether it decompresses the file of a ZIP archive, which has no header and is the only one.
  let isOfArchive: Bool

  init(isOfArchive: Bool = false) {
    self.isOfArchive = isOfArchive
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status =
      isOfArchive
      ? unsafe czlib_inflate_init_raw(stream) : unsafe czlib_inflate_init(stream)
    precondition(status == Z_OK, "zlib could not begin")
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  /// Prepares for the next compressed member.
  func restart() { unsafe inflateReset(stream) }

  /// Inflates `input` into `output` after its first `offset` bytes, until one of them is exhausted.
  func step(_ input: ArraySlice<UInt8>, into output: inout [UInt8], from offset: Int) -> Step {
    unsafe input.withUnsafeBytes { input in
      unsafe output.withUnsafeMutableBytes { output in
        // Rebasing keeps the pointer and the length within the array.
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[offset...])
        return unsafe step(input, into: room)
      }
    }
  }

  private func step(
    _ input: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Step {
    // zlib counts in 32 bits, and does not write to its input.
    let given = min(input.count, 1 << 30)
    let space = min(room.count, 1 << 30)
    let source = unsafe UnsafeMutableRawPointer(mutating: input.baseAddress)
    unsafe stream.pointee.next_in = source?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_in = UInt32(given)
    unsafe stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = UInt32(space)
    let status = unsafe inflate(stream, Z_NO_FLUSH)
    let state: State =
      switch status {
      case Z_STREAM_END: .ended
      // Z_BUF_ERROR: no progress without more input or room.
      case Z_OK, Z_BUF_ERROR: .needsMore
      default: .damaged
      }
    return Step(
      consumed: given - Int(unsafe stream.pointee.avail_in),
      produced: space - Int(unsafe stream.pointee.avail_out), state: state)
  }
}

/// A checksum of bytes: FNV-1a, 64 bits. It detects damage and mistakes, not forgery.
public struct Checksum: Hashable, Sendable {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  public init() {}

  public init(_ bytes: some Sequence<UInt8>) { add(bytes) }

  public mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// Like `add` for spans: other modules call that one unspecialised, which is far slower.
  public mutating func add(_ bytes: [UInt8]) {
    var value = value
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
    self.value = value
  }

  /// Sixteen hexadecimal digits.
  public var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
