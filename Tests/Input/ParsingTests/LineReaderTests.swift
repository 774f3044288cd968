import FrameBudgetParsing
import Testing

struct LineReaderTests {
  static func lines(_ text: String) throws(InputError) -> [String] {
    var reader = LineReader(ByteSource(Array(text.utf8), name: "text"))
    var lines: [String] = []
    try reader.forEach { (line, number) throws(InputError) in
      #expect(number == lines.count + 1)
      lines.append(String(decoding: line.indices.map { line[$0] }, as: UTF8.self))
    }
    return lines
  }

  @Test func `lines end in LF, in CR LF, or with the text`() throws {
    #expect(try Self.lines("a\nb\r\n\nc") == ["a", "b", "", "c"])
    #expect(try Self.lines("\u{FEFF}a\n") == ["a"])
    #expect(try Self.lines("") == [])
  }

  /// Longer than a chunk, so that lines cross its end.
  @Test func `a long text comes back line by line`() throws {
    let expected = (0..<60_000).map { "line \($0) \(String(repeating: "x", count: $0 % 50))" }
    #expect(try Self.lines(expected.joined(separator: "\n")) == expected)
  }

  @Test func `reading can stop and continue`() throws {
    var reader = LineReader(ByteSource(Array("a\nb\nc\n".utf8), name: "text"))
    var first: [Int] = []
    try reader.forEachWhile { (_, number) throws(InputError) in
      first.append(number)
      return number < 2
    }
    var rest: [Int] = []
    try reader.forEach { (_, number) throws(InputError) in rest.append(number) }
    #expect(first == [1, 2])
    #expect(rest == [3])
  }

  @Test func `a folder or a missing file cannot be opened`() {
    #expect {
      try Self.open("/")
    } throws: { ($0 as? InputError)?.kind == .unreadable }
    #expect {
      try Self.open("/proc/nowhere")
    } throws: { "\($0)" == "/proc/nowhere: cannot be opened: No such file or directory" }
  }

  static func open(_ path: String) throws(InputError) {
    var reader = LineReader(try ByteSource(path: path))
    try reader.forEach { (_, _) throws(InputError) in }
  }

  @Test func `peeking consumes nothing`() throws {
    var source = ByteSource(Array("hello\nworld".utf8), name: "text")
    #expect(try source.peek(3) == Array("hel".utf8))
    #expect(try source.peek(100).count == 11)
    #expect(try source.readAll(limit: 100) == Array("hello\nworld".utf8))
  }

  @Test func `input above the limit is refused`() {
    #expect(throws: InputError.self) {
      var source = ByteSource([UInt8](repeating: 1, count: 2 << 20), name: "text")
      _ = try source.readAll(limit: 1 << 20)
    }
  }

  /// Slow: reads four million lines.
  @Test func `empty lines without an end are refused`() throws {
    let bytes = Array("a\n".utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: (1 << 22) + 1)
    var lines = LineReader(ByteSource(bytes, name: "blank"))
    var message = ""
    do throws(InputError) {
      try lines.forEach { (_, _) throws(InputError) in }
    } catch {
      message = error.description
    }
    #expect(message == "blank:4194306: more than 4194304 empty lines in a row")
  }
}
