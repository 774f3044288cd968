import FrameBudgetParsing
import Testing

/// A file that is not text is reported with its type.
struct BinaryFileTests {
  static let perfetto: [UInt8] =
    [0x0A, 0x06, 0x32, 0x02, 0x08, 0x00, 0x10, 0x06, 0x0A, 0x04, 0x08, 0x06, 0x10, 0xD1]

  @Test(arguments: [
    ([0x1F, 0x8B, 0x08, 0x00, 0x41], "compressed by gzip; decompress it first"),
    ([0x28, 0xB5, 0x2F, 0xFD, 0x04], "compressed by zstd"), ([0x42, 0x5A, 0x68, 0x39], "bzip2"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "compressed by xz"),
    ([0x50, 0x4B, 0x03, 0x04, 0x14], "a zip archive"),
    (perfetto, "is a Perfetto trace, which is not text"),
  ])
  func `the error for a binary file names its format`(_ bytes: [UInt8], _ words: String) {
    #expect {
      var lines = LineReader(ByteSource(bytes, name: "f"))
      try lines.forEach { _, _ in }
    } throws: { "\($0)".hasPrefix("f: is ") && "\($0)".contains(words) && !"\($0)".contains("\n") }
    #expect {
      var source = ByteSource(bytes, name: "f")
      _ = try source.readAll(limit: 1 << 20)
    } throws: { "\($0)".contains(words) }
  }

  @Test(arguments: ["\n\u{6}", "\n\na,b\n1,2\n", "\nj\n", "PK", "BZ", "\n"])
  func `text that starts like a binary format is text`(_ text: String) throws {
    var lines = LineReader(ByteSource(Array(text.utf8), name: "f"))
    var count = 0
    try lines.forEach { _, _ in count += 1 }
    #expect(count > 0)
  }
}
