#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// Bytes from a file, from standard input or from memory, in chunks.
public struct ByteSource: ~Copyable {
  /// Called with the number of bytes read so far, and the total; nil if the total is unknown.
  public typealias Progress = (_ read: Int, _ size: Int?) -> Void

  public let name: String
  private let descriptor: Int32
  private let progress: Progress?
  private let size: Int?
  private var stored = 0
  /// The number of stored bytes to read; nil for all.
  private var left: Int?
  /// The bytes of an input that is in memory.
  private var memory: ArraySlice<UInt8>
  private var isInMemory: Bool
  /// Bytes that were peeked at and not read yet.
  private var ahead: ArraySlice<UInt8> = []
  /// Nil if the input is not compressed.
  private var inflater: Inflater?
  /// Compressed bytes that were read and not inflated yet, and the number of those that were inflated.
  private var packed: ArraySlice<UInt8> = []
  private var inflated = 0
  private var produced = 0
  private var hasEnded = false
  /// The part of the file's check that the bytes so far make up; nil without a check.
  private var check: ArchiveCheck?
  /// Nil if the text is not UTF-16.
  private var decoder: UTF16Decoder?

  private static let noDescriptor: Int32 = -1
  private static let packedChunk = 1 << 16
  /// Text that inflates to more than this is refused if it does so by more than the ratio, which no log or recording reaches.
  static let longest = 1 << 28
  static let highestRatio = 250

  /// Opens the file at `path`; `-` is standard input. `progress` is called occasionally while it is read.
  public init(path: String, progress: Progress? = nil) throws(InputError) {
    name = path == "-" ? "standard input" : path
    memory = []
    descriptor = path == "-" ? STDIN_FILENO : InputFile.open(path)
    isInMemory = false
    self.progress = progress
    size = InputFile.size(of: descriptor)
    guard descriptor >= 0 else { throw Self.failure(-descriptor, of: path, verb: "opened") }
  }

  public init(_ bytes: [UInt8], name: String) {
    self.name = name
    memory = bytes[...]
    descriptor = Self.noDescriptor
    isInMemory = true
    progress = nil
    size = nil
  }

  deinit {
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// Whether the path can be opened again and read from the start, unlike a pipe or standard input.
  public var canBeReadAgain: Bool {
    descriptor > STDERR_FILENO && lseek(descriptor, 0, SEEK_CUR) >= 0
  }

  /// Decompresses the rest of the input if it is a gzip file or a ZIP archive of one file, and then converts it to UTF-8 if
  /// it is UTF-16.
  public mutating func unpack() throws(InputError) {
    guard inflater == nil, left == nil else { return }
    let opening = try peek(4)
    if opening.starts(with: Inflater.magic) { inflate() }
    if opening == Archive.magic { try openArchive() }
    try decodeIfUTF16()
  }

  /// Converts the rest of the input to UTF-8 if the next bytes are the byte order mark of UTF-16.
  public mutating func decodeIfUTF16() throws(InputError) {
    guard decoder == nil, let decoder = UTF16Decoder(mark: try peek(2)) else { return }
    self.decoder = decoder
    ahead = try decode(ahead.dropFirst(2), isLast: false)
  }

  private mutating func decode(
    _ bytes: ArraySlice<UInt8>, isLast: Bool
  ) throws(InputError) -> ArraySlice<UInt8> {
    guard let text = decoder?.text(of: bytes, isLast: isLast) else {
      throw InputError("is damaged: it begins as UTF-16 and is not", file: name)
    }
    return text[...]
  }

  /// Continues with the file in the ZIP archive that begins with the next bytes.
  private mutating func openArchive() throws(InputError) {
    let descriptor = descriptor
    let archive: Archive
    do throws(InputError) {
      if canBeReadAgain, let size, stored == ahead.count {
        archive = try Archive(size: size) { readBytes(descriptor, at: $0, count: $1) }
        guard lseek(descriptor, off_t(archive.begin), SEEK_SET) >= 0 else {
          throw Self.failure(errno, of: name, verb: "read")
        }
        stored = archive.begin
      } else {
        let bytes = try readBinary(limit: RereadableInput.largest)
        archive = try Archive(size: bytes.count) { offset, count in
          Array(bytes[min(offset, bytes.count)...].prefix(count))
        }
        (memory, isInMemory) = (bytes[archive.begin...], true)
      }
    } catch {
      throw error.of(name)
    }
    ahead = []
    left = archive.packed
    check = ArchiveCheck(archive)
    inflater = archive.isDeflated ? Inflater(isOfArchive: true) : nil
  }

  /// Decompresses the rest of the input, which is in the format of gzip or zlib.
  public mutating func inflate() {
    packed = ahead
    ahead = []
    inflater = Inflater()
  }

  /// Reads into `buffer` from `offset` and returns the number of bytes; 0 at the end.
  public mutating func read(into buffer: inout [UInt8], from offset: Int) throws(InputError) -> Int
  {
    if !ahead.isEmpty { return Self.move(&ahead, into: &buffer, from: offset) }
    // Before reading more bytes: by now the caller has processed the previous ones.
    progress?(stored - packed.count, size)
    guard decoder != nil else { return try readUnpacked(into: &buffer, from: offset) }
    var piece = [UInt8](repeating: 0, count: Self.packedChunk)
    while ahead.isEmpty {
      let count = try readUnpacked(into: &piece, from: 0)
      ahead = try decode(piece[..<count], isLast: count == 0)
      if count == 0 { break }
    }
    // The text of a piece may be longer than the room.
    return Self.move(&ahead, into: &buffer, from: offset)
  }

  /// Reads decompressed bytes.
  private mutating func readUnpacked(
    into buffer: inout [UInt8], from offset: Int
  ) throws(InputError) -> Int {
    let count =
      if let inflater { try read(through: inflater, into: &buffer, from: offset) } else {
        try readStored(into: &buffer, from: offset)
      }
    if count > 0 {
      check?.add(buffer.span.extracting(offset..<(offset + count)))
    } else if offset < buffer.count, let check, !check.isRight {
      throw InputError("is damaged: its checksum is wrong", file: name)
    }
    return count
  }

  /// The next bytes, at most `count`, without consuming them.
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

  /// The rest of the input; throws beyond `limit` bytes.
  public mutating func readAll(limit: Int) throws(InputError) -> [UInt8] {
    let bytes = try readBinary(limit: limit)
    try BinaryFile.refuse(bytes[...])
    return bytes
  }

  /// The rest of the input, which may be binary; throws beyond `limit` bytes.
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
    let end = left.map { min(buffer.count, offset + $0) } ?? buffer.count
    if isInMemory {
      let count = Self.move(&memory, into: &buffer, from: offset, to: end)
      left = left.map { $0 - count }
      return count
    }
    let descriptor = descriptor
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        // Rebasing keeps the pointer and the length within the array.
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<end])
        return unsafe readBytes(descriptor, room)
      }
      if count >= 0 {
        stored += count
        left = left.map { $0 - count }
        return count
      }
      if errno != EINTR { throw Self.failure(errno, of: name, verb: "read") }
    }
  }

  private mutating func read(
    through inflater: Inflater, into buffer: inout [UInt8], from offset: Int
  ) throws(InputError) -> Int {
    while !hasEnded, offset < buffer.count {
      // Before reading more, because the input so far may inflate to more than there was room for.
      let step = inflater.step(packed, into: &buffer, from: offset)
      packed = packed.dropFirst(step.consumed)
      inflated += step.consumed
      produced += step.produced
      guard produced < Self.longest || produced / Self.highestRatio < inflated else {
        throw Self.bomb.of(name)
      }
      switch step.state {
      case .needsMore: break
      case .damaged:
        throw InputError("is damaged near byte \(inflated) of the compressed data", file: name)
      case .ended: try endMember(of: inflater)
      }
      if step.produced > 0 { return step.produced }
      if !hasEnded, packed.isEmpty, try !readPacked() {
        throw InputError("is cut off: the compressed data end too early", file: name)
      }
    }
    return 0
  }

  static var bomb: InputError {
    InputError("is refused: it inflates to more than \(highestRatio) times its size")
  }

  /// Several gzip members may follow one another, with zeros after the last.
  private mutating func endMember(of inflater: Inflater) throws(InputError) {
    guard !inflater.isOfArchive else { return hasEnded = true }
    inflater.restart()
    if packed.isEmpty, try !readPacked() { hasEnded = true }
    if packed.first == 0 { hasEnded = true }
  }

  /// Reads more compressed bytes; false at the end.
  private mutating func readPacked() throws(InputError) -> Bool {
    var chunk = [UInt8](repeating: 0, count: Self.packedChunk)
    let count = try readStored(into: &chunk, from: 0)
    packed = chunk[..<count]
    return count > 0
  }

  /// Copies from the front of `bytes` and removes what it copied.
  private static func move(
    _ bytes: inout ArraySlice<UInt8>, into buffer: inout [UInt8], from offset: Int,
    to end: Int? = nil
  ) -> Int {
    let piece = bytes.prefix((end ?? buffer.count) - offset)
    buffer.replaceSubrange(offset..<(offset + piece.count), with: piece)
    bytes = bytes.dropFirst(piece.count)
    return piece.count
  }

  private static func failure(_ error: Int32, of file: String, verb: String) -> InputError {
    InputError(
      "cannot be \(verb): \(InputFile.describe(error))", kind: .unreadable, file: file)
  }
}

/// Outside the type, which has a function of the same name.
private func readBytes(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, room.baseAddress, room.count)
}

/// At most `count` bytes at `offset`.
private func readBytes(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
    // The room has at least `count` bytes, and the system fills no more.
    filled = max(0, unsafe pread(descriptor, room.baseAddress, count, off_t(offset)))
  }
}

/// Opens files for reading without blocking on a pipe that has no writer.
public enum InputFile {
  /// Returns the file descriptor, or the negative error number of the system: `-ESPIPE` for a named pipe.
  public static func open(_ path: String) -> Int32 {
    let file = openForReading(path)
    guard file >= 0 else { return -errno }
    guard !isNamedPipe(file) else {
      close(file)
      return -ESPIPE
    }
    let flags = fcntl(file, F_GETFL)
    _ = fcntl(file, F_SETFL, flags & ~O_NONBLOCK)
    return file
  }

  /// The number of bytes in a file; nil for a stream or an invalid descriptor.
  static func size(of file: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Explains an error number of `open` to the user who named the file.
  public static func describe(_ error: Int32) -> String {
    switch error {
    case EISDIR: "it is a folder"
    case ESPIPE: "it is a named pipe, which may block forever; use - and standard input"
    default: unsafe String(cString: strerror(error))
    }
  }

  /// An unnamed pipe, as a shell passes it for `<(...)`, has a writer.
  private static func isNamedPipe(_ file: Int32) -> Bool {
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return false }
    var target = [CChar](repeating: 0, count: 6)
    let count = unsafe readlink("/proc/self/fd/\(file)", &target, 6)
    return count < 6 || target != "pipe:[".utf8.map { CChar(bitPattern: $0) }
  }
}

/// Outside the type, which has a function of the same name.
private func openForReading(_ path: String) -> Int32 {
  unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
}
