/// Binary files, recognised by their first bytes.
enum BinaryFile {
  /// Throws if `opening`, the first bytes of a file, is that of a binary file; the error names its kind.
  static func refuse(_ opening: ArraySlice<UInt8>) throws(InputError) {
    for (magic, name) in known where opening.starts(with: magic) {
      throw InputError("is \(name)")
    }
    if isPerfetto(opening) {
      throw InputError(
        "is a Perfetto trace, which is not text; write it as JSON first: traceconv json FILE")
    }
  }

  private static let known: [(magic: [UInt8], name: String)] = [
    ([0xFF, 0xFE], "UTF-16 text; convert it to UTF-8 first"),
    ([0xFE, 0xFF], "UTF-16 text; convert it to UTF-8 first"),
    ([0x1F, 0x8B], "compressed by gzip; decompress it first: gzip -d FILE"),
    ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd; decompress it first: zstd -d FILE"),
    (Array("BZh".utf8), "compressed by bzip2; decompress it first: bzip2 -d FILE"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed by xz; decompress it first: xz -d FILE"),
    ([0x50, 0x4B, 0x03, 0x04], "a zip archive; unpack it first"),
  ]

  /// A trace is a sequence of packets, each after its length and a tag, which is a line feed in text. The bytes of packets do
  /// not occur in text.
  private static func isPerfetto(_ opening: ArraySlice<UInt8>) -> Bool {
    var rest = opening
    guard rest.popFirst() == 0x0A, let length = varint(&rest), length > 0 else { return false }
    let packet = rest.prefix(length)
    guard packet.contains(where: { $0 < 0x09 }) else { return false }
    let next = rest.dropFirst(length).first
    return next == nil || next == 0x0A
  }

  /// A number of at most 28 bits, seven per byte, the lowest first.
  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var (value, shift) = (0, 0)
    while shift < 28, let byte = bytes.popFirst() {
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
