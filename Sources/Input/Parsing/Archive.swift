internal import CFrameBudgetZlib

/// The only file in a ZIP archive (PKWARE, APPNOTE.TXT 6.3.10, sections 4.3 and 4.4).
struct Archive {
  /// The first bytes of an archive with a file.
  static let magic: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
  /// Where the bytes of the file begin, and their number.
  let begin: Int
  let packed: Int
  let isDeflated: Bool
  /// The size and the checksum of the unpacked file.
  let size: Int
  let checksum: UInt32

  /// Returns the bytes at an offset, fewer at the end.
  typealias Read = (_ offset: Int, _ count: Int) -> [UInt8]

  private static let endMagic: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
  private static let entryMagic: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
  private static let endSize = 22
  private static let longestComment = 0xFFFF
  private static let largestIndex = 1 << 20
  private static let headerSize = 30
  private static let stored = 0
  private static let deflated = 8

  /// Reads the index of an archive of `size` bytes.
  init(size: Int, _ read: Read) throws(InputError) {
    let tail = min(size, Self.endSize + Self.longestComment)
    let last = try Self.bytes(tail, at: size - tail, read)
    let ends = (0...max(0, last.count - Self.endSize)).last {
      last[$0...].starts(with: Self.endMagic)
    }
    guard let end = ends, last.count >= Self.endSize else {
      throw InputError("is a ZIP archive that is cut off")
    }
    let (length, place) = (last.number(4, at: end + 12), last.number(4, at: end + 16))
    guard length <= Self.largestIndex else {
      throw InputError("is a ZIP archive of too many files; unpack the one to read")
    }
    let index = try Self.bytes(length, at: place, read)
    let files = try Self.entries(index).filter { !$0.isMetadata }
    guard let file = files.first, files.count == 1 else {
      let names = files.prefix(6).map(\.name) + (files.count > 6 ? ["…"] : [])
      throw InputError(
        files.isEmpty
          ? "is a ZIP archive without a file"
          : "is a ZIP archive of several files: \(names.joined(separator: ", ")); unpack the one to read"
      )
    }
    guard !file.isEncrypted, [Self.stored, Self.deflated].contains(file.method) else {
      throw InputError(
        "is a ZIP archive that is encrypted, or compressed by another method than deflate; unpack it first"
      )
    }
    let header = try Self.bytes(Self.headerSize, at: file.header, read)
    guard header.starts(with: Self.magic) else { throw Self.damaged }
    guard file.size < ByteSource.longest || file.size / ByteSource.highestRatio < file.packed else {
      throw ByteSource.bomb
    }
    begin = file.header + Self.headerSize + header.number(2, at: 26) + header.number(2, at: 28)
    (packed, self.size) = (file.packed, file.size)
    guard begin + packed <= size else { throw Self.damaged }
    isDeflated = file.method == Self.deflated
    checksum = UInt32(file.checksum)
  }

  private static var damaged: InputError { InputError("is a ZIP archive that is damaged") }

  private static func bytes(
    _ count: Int, at offset: Int, _ read: Read
  ) throws(InputError) -> [UInt8] {
    let bytes = read(offset, count)
    guard bytes.count == count else { throw damaged }
    return bytes
  }

  /// A file in the index.
  private struct Entry {
    let name: String
    let isEncrypted: Bool
    let method, checksum, packed, size, header: Int

    /// Folders, and what macOS adds to an archive.
    var isMetadata: Bool { name.hasSuffix("/") || name.hasPrefix("__MACOSX/") }
  }

  private static func entries(_ index: [UInt8]) throws(InputError) -> [Entry] {
    let fixed = 46
    var entries: [Entry] = []
    var at = 0
    while at < index.count {
      guard at + fixed <= index.count, index[at...].starts(with: entryMagic) else { throw damaged }
      let name = at + fixed..<at + fixed + index.number(2, at: at + 28)
      guard name.upperBound <= index.count else { throw damaged }
      entries.append(
        Entry(
          name: String(decoding: index[name], as: UTF8.self),
          isEncrypted: index.number(2, at: at + 8) & 1 != 0, method: index.number(2, at: at + 10),
          checksum: index.number(4, at: at + 16), packed: index.number(4, at: at + 20),
          size: index.number(4, at: at + 24), header: index.number(4, at: at + 42)))
      at = name.upperBound + index.number(2, at: at + 30) + index.number(2, at: at + 32)
    }
    return entries
  }
}

extension [UInt8] {
  /// The number in `count` bytes, the lowest first.
  fileprivate func number(_ count: Int, at offset: Int) -> Int {
    self[offset..<(offset + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// Whether the bytes of an archive's file are those that were packed.
struct ArchiveCheck {
  private let size: Int
  private let checksum: UInt32
  private var count = 0
  private var sum: UInt = 0

  init(_ archive: Archive) { (size, checksum) = (archive.size, archive.checksum) }

  mutating func add(_ bytes: Span<UInt8>) {
    count += bytes.count
    // zlib reads no more than the number of bytes, which a chunk keeps below 32 bits.
    sum = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe crc32(sum, bytes.baseAddress, UInt32(bytes.count))
    }
  }

  var isRight: Bool { count == size && UInt32(truncatingIfNeeded: sum) == checksum }
}
