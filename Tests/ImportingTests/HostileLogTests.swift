import Importing
import Testing

/// Logs that are broken, by accident or on purpose, end in one line.
struct HostileLogTests {
  static let header =
    "Application,ProcessID,SwapChainAddress,Dropped,TimeInSeconds,MsBetweenPresents\n"

  @Test(arguments: [
    ("", "is no frame log that is known"),
    ("hello\n", "is no frame log that is known"),
    (header, "holds no frames"),
    (header + "a.exe,1,0x0,0,1.0,16.7\na.exe,1,0x", "log:3: the row has 3 fields"),
    (header + "a.exe,1,0x0,0,1.0,fast", "log:2: 'fast' is not a number"),
    (
      header + "a.exe,1,0x0,0,9.0,16\na.exe,1,0x0,0,1.0,16", "log:3: the row is more than 1 s older"
    ),
    (header + "\"a.exe,1,0x0,0,1.0,16.7", "log:2: a quoted field is not closed"),
    ("{\"traceEvents\": [{\"name\": \"DrawFrame\"", "log:1:38: the JSON text ends too early"),
    ("{}", "is no frame log that is known"),
    ("[1, 2", "should stand here"),
    (
      "{\"Runs\": [{\"CaptureData\": {\"MsBetweenPresents\": [1, 2], \"Dropped\": [true]}}]}",
      "differ"
    ),
  ])
  func `a broken log ends in one line that says where`(_ text: String, _ reason: String) throws {
    let message = try #require(failure(Array(text.utf8)))
    #expect(message.hasPrefix("log:"))
    #expect(message.contains(reason), "\(message)")
    #expect(!message.contains("\n"))
  }

  /// Tools write rows of several threads a little out of order; too few and too close to be an error.
  @Test func `a shuffled log is refused, however short`() throws {
    func text(_ frames: [Int]) -> String {
      "timestamp_ms\n" + frames.map { "\($0 * 16)\n" }.joined()
    }
    #expect(
      failure(Array(text([5, 1, 8, 0, 2, 7, 3, 6, 4]).utf8))?.contains("order of time") == true)
    let log = try log(text([0, 1, 2, 4, 3, 5, 6, 8, 7]), hz: 60)
    #expect(log.streams[0].warnings.contains { $0.contains("2 rows are older") })
  }

  @Test func `a log that is not UTF-8 is refused`() throws {
    let bytes = Array(Self.header.utf8) + [0xC3, 0x28] + Array(".exe,1,0x0,0,1.0,16.7\n".utf8)
    #expect(failure(bytes) == "log:2: the line is not UTF-8 text")
    #expect(failure([0xFF, 0xFE, 0x41, 0])?.contains("UTF-16") == true)
  }

  @Test func `a line without end is refused`() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 3 << 20)
    #expect(failure(bytes)?.contains("longer than 65536 bytes") == true)
  }

  @Test func `a log of endless processes is refused`() throws {
    let rows = (0..<300).map { "a.exe,\($0),0x0,0,1.0,16.7\n" }.joined()
    #expect(failure(Array((Self.header + rows).utf8))?.contains("more than 256") == true)
  }

  @Test func `deeply nested JSON is refused`() throws {
    let bytes = Array(repeating: UInt8(ascii: "["), count: 1 << 10)
    #expect(failure(Array("{\"a\":".utf8) + bytes)?.contains("nested more than 128 deep") == true)
  }

  /// Each cut of a good log is read as a shorter one or refused; nothing traps.
  @Test func `every cut of a log is read or refused`() {
    let whole = Array((Self.header + "a.exe,1,0x0,0,1.0,16.7\na.exe,1,0x0,1,1.1,NA\n").utf8)
    for length in whole.indices {
      if let message = failure(Array(whole[..<length])) { #expect(message.hasPrefix("log:")) }
    }
  }
}
