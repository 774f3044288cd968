import Glibc

/// Bytes from a file, from standard input or from memory, piece by piece.
public struct ByteSource: ~Copyable {
  public let name: String
  private let descriptor: Int32
  private var memory: ArraySlice<UInt8>

  private static let noDescriptor: Int32 = -1

  /// Opens the file at `path`; `-` is standard input.
  public init(path: String) throws(InputError) {
    name = path == "-" ? "standard input" : path
    memory = []
    descriptor = path == "-" ? STDIN_FILENO : InputFile.open(path)
    guard descriptor >= 0 else { throw Self.failure(-descriptor, of: path, verb: "opened") }
  }

  public init(_ bytes: [UInt8], name: String) {
    self.name = name
    memory = bytes[...]
    descriptor = Self.noDescriptor
  }

  deinit {
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// Reads into `buffer` from `offset` on and returns how many bytes came; 0 at the end.
  public mutating func read(into buffer: inout [UInt8], from offset: Int) throws(InputError) -> Int
  {
    if !memory.isEmpty || descriptor == Self.noDescriptor {
      return copy(into: &buffer, from: offset)
    }
    let descriptor = descriptor
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        // Rebasing keeps the pointer and the length within the array.
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
        return unsafe Glibc.read(descriptor, room.baseAddress, room.count)
      }
      if count >= 0 { return count }
      if errno != EINTR { throw Self.failure(errno, of: name, verb: "read") }
    }
  }

  /// The next bytes, at most `count`, which a later read returns again.
  public mutating func peek(_ count: Int) throws(InputError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = try read(into: &bytes, from: filled)
      if read == 0 { break }
      filled += read
    }
    let rest = memory
    memory = bytes[..<filled] + rest
    return Array(bytes[..<filled])
  }

  /// All that is left, refused beyond `limit` bytes.
  public mutating func readAll(limit: Int) throws(InputError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var filled = 0
    while true {
      let count = try read(into: &bytes, from: filled)
      if count == 0 { break }
      filled += count
      guard filled <= limit else {
        throw InputError("is larger than the \(limit >> 20) MB allowed here", file: name)
      }
      if filled == bytes.count { bytes.append(contentsOf: repeatElement(0, count: filled)) }
    }
    bytes.removeLast(bytes.count - filled)
    try BinaryFile.refuse(bytes[...])
    return bytes
  }

  private mutating func copy(into buffer: inout [UInt8], from offset: Int) -> Int {
    let piece = memory.prefix(buffer.count - offset)
    buffer.replaceSubrange(offset..<(offset + piece.count), with: piece)
    memory = memory.dropFirst(piece.count)
    return piece.count
  }

  private static func failure(_ error: Int32, of file: String, verb: String) -> InputError {
    InputError(
      "cannot be \(verb): \(InputFile.describe(error))", kind: .unreadable, file: file)
  }
}
