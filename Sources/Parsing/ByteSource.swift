#if os(Linux)
  import Glibc
#else
  import Darwin
#endif

/// Bytes from a file, from standard input or from memory, piece by piece.
public struct ByteSource: ~Copyable {
  /// Is called with the number of bytes read so far, and the total; nil if the total is unknown.
  public typealias Progress = (_ read: Int, _ size: Int?) -> Void

  public let name: String
  private let descriptor: Int32
  private let progress: Progress?
  private let size: Int?
  private var stored = 0
  /// What comes before anything from the descriptor.
  private var memory: ArraySlice<UInt8>
  /// What was looked at and is to be read still.
  private var ahead: ArraySlice<UInt8> = []
  /// Nil if bytes are not compressed.
  private var inflater: Inflater?
  /// Of what is compressed, read and not inflated yet; and how much is inflated.
  private var packed: ArraySlice<UInt8> = []
  private var inflated = 0
  private var hasEnded = false

  private static let noDescriptor: Int32 = -1
  private static let packedChunk = 1 << 16

  /// Opens the file at `path`; `-` is standard input. `progress` is called now and then while it is read.
  public init(path: String, progress: Progress? = nil) throws(InputError) {
    name = path == "-" ? "standard input" : path
    memory = []
    descriptor = path == "-" ? STDIN_FILENO : InputFile.open(path)
    self.progress = progress
    size = InputFile.size(of: descriptor)
    guard descriptor >= 0 else { throw Self.failure(-descriptor, of: path, verb: "opened") }
  }

  public init(_ bytes: [UInt8], name: String) {
    self.name = name
    memory = bytes[...]
    descriptor = Self.noDescriptor
    progress = nil
    size = nil
  }

  deinit {
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// Whether the same bytes are there when the path is opened again: a pipe gives them once, and so does standard
  /// input.
  public var canBeReadAgain: Bool {
    descriptor > STDERR_FILENO && lseek(descriptor, 0, SEEK_CUR) >= 0
  }

  /// Where the next bytes are of a gzip file, hands out what was compressed from here on.
  public mutating func inflateIfCompressed() throws(InputError) {
    guard inflater == nil, try peek(Inflater.magic.count) == Inflater.magic else { return }
    inflate()
  }

  /// Hands out what gzip or zlib compressed from here on.
  public mutating func inflate() {
    packed = ahead
    ahead = []
    inflater = Inflater()
  }

  /// Reads into `buffer` from `offset` on and returns how many bytes came; 0 at the end.
  public mutating func read(into buffer: inout [UInt8], from offset: Int) throws(InputError) -> Int
  {
    if !ahead.isEmpty { return Self.move(&ahead, into: &buffer, from: offset) }
    // Before the bytes are read, whose reader has taken its time for those before.
    progress?(stored - packed.count, size)
    guard let inflater else { return try readStored(into: &buffer, from: offset) }
    return try read(through: inflater, into: &buffer, from: offset)
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
    ahead = bytes[..<filled] + ahead
    return Array(bytes[..<filled])
  }

  /// All that is left, refused beyond `limit` bytes.
  public mutating func readAll(limit: Int) throws(InputError) -> [UInt8] {
    let bytes = try readBinary(limit: limit)
    try BinaryFile.refuse(bytes[...])
    return bytes
  }

  /// All that is left, text or not, refused beyond `limit` bytes.
  public mutating func readBinary(limit: Int) throws(InputError) -> [UInt8] {
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
    return bytes
  }

  /// Reads raw bytes from the file or from memory.
  private mutating func readStored(
    into buffer: inout [UInt8], from offset: Int
  ) throws(InputError) -> Int {
    if descriptor == Self.noDescriptor { return Self.move(&memory, into: &buffer, from: offset) }
    let descriptor = descriptor
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        // Rebasing keeps the pointer and the length within the array.
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
        return unsafe readBytes(descriptor, room)
      }
      if count >= 0 {
        stored += count
        return count
      }
      if errno != EINTR { throw Self.failure(errno, of: name, verb: "read") }
    }
  }

  private mutating func read(
    through inflater: Inflater, into buffer: inout [UInt8], from offset: Int
  ) throws(InputError) -> Int {
    while !hasEnded, offset < buffer.count {
      // Before anything more is read: what was read may have more in it than there was room for.
      let step = inflater.step(packed, into: &buffer, from: offset)
      packed = packed.dropFirst(step.consumed)
      inflated += step.consumed
      switch step.state {
      case .needsMore: break
      case .damaged:
        throw InputError("is damaged near byte \(inflated) of what gzip compressed", file: name)
      case .ended: try endMember(of: inflater)
      }
      if step.produced > 0 { return step.produced }
      if !hasEnded, packed.isEmpty, try !readPacked() {
        throw InputError("is cut off: what gzip compressed ends too early", file: name)
      }
    }
    return 0
  }

  /// Members of gzip may follow one another, with zeros after the last.
  private mutating func endMember(of inflater: Inflater) throws(InputError) {
    inflater.restart()
    if packed.isEmpty, try !readPacked() { hasEnded = true }
    if packed.first == 0 { hasEnded = true }
  }

  /// Reads more of what is compressed; false at the end.
  private mutating func readPacked() throws(InputError) -> Bool {
    var chunk = [UInt8](repeating: 0, count: Self.packedChunk)
    let count = try readStored(into: &chunk, from: 0)
    packed = chunk[..<count]
    return count > 0
  }

  /// Hands out from the front of `bytes`.
  private static func move(
    _ bytes: inout ArraySlice<UInt8>, into buffer: inout [UInt8], from offset: Int
  ) -> Int {
    let piece = bytes.prefix(buffer.count - offset)
    buffer.replaceSubrange(offset..<(offset + piece.count), with: piece)
    bytes = bytes.dropFirst(piece.count)
    return piece.count
  }

  private static func failure(_ error: Int32, of file: String, verb: String) -> InputError {
    InputError(
      "cannot be \(verb): \(InputFile.describe(error))", kind: .unreadable, file: file)
  }
}

/// Outside of the type, whose function of that name would be meant there.
private func readBytes(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, room.baseAddress, room.count)
}
