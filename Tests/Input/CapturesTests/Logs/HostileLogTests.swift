import FrameBudget
import FrameBudgetCaptures
import FrameBudgetReports
import Testing

/// Logs that are broken, by accident or on purpose, cause a one-line error.
struct HostileLogTests {
  static let header =
    "Application,ProcessID,SwapChainAddress,Dropped,TimeInSeconds,MsBetweenPresents\n"

  @Test(arguments: [
    ("", "is not a known frame log"),
    ("hello\n", "is not a known frame log"),
    (header, "holds no frames"),
    (header + "a.exe,1,0x0,0,1.0,16.7\na.exe,1,0x", "log:3: the row has 3 fields"),
    (header + "a.exe,1,0x0,0,1.0,fast", "log:2: 'fast' is not a number"),
    (
      header + "a.exe,1,0x0,0,9.0,16\na.exe,1,0x0,0,1.0,16", "log:3: the row is more than 1 s older"
    ),
    (header + "\"a.exe,1,0x0,0,1.0,16.7", "log:2: a quoted field is not closed"),
    ("{\"traceEvents\": [{\"name\": \"DrawFrame\"", "log:1:38: the JSON text ends too early"),
    ("{}", "is not a known frame log"),
    ("[1, 2", "is expected here"),
    (
      "{\"Runs\": [{\"CaptureData\": {\"MsBetweenPresents\": [1, 2], \"Dropped\": [true]}}]}",
      "differ"
    ),
  ])
  func `a broken log is an error of one line with its place`(_ text: String, _ reason: String)
    throws
  {
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
    #expect(failure([0xFF, 0xFE, 0x41, 0])?.contains("is not a known frame log") == true)
  }

  @Test func `a process with a name of a megabyte is shortened`() throws {
    let name = String(repeating: "é", count: 1 << 19)
    let text = """
      {"Info": {"ProcessName": "\(name)"},
      "Runs": [{"CaptureData": {"MsBetweenPresents": [16.7, 16.6]}}]}
      """
    let stream = try #require(try log(text, hz: 60).streams.first)
    #expect(stream.process.unicodeScalars.count == 1001 && stream.process.hasSuffix("é…"))
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
  @Test func `a log cut off anywhere is read or refused`() {
    let whole = Array((Self.header + "a.exe,1,0x0,0,1.0,16.7\na.exe,1,0x0,1,1.1,NA\n").utf8)
    for length in whole.indices {
      if let message = failure(Array(whole[..<length])) { #expect(message.hasPrefix("log:")) }
    }
  }

  static let numbers = [
    "", "-1", "0", "1", "2147483648", "1125899906842624", "9007199254740993",
    "4611686018427387904", "9223372036854775807", "-9223372036854775808", "1e308", "nan",
    "inf", "word",
  ]

  /// In one row, in each, and in all after the first: values that are added up, and values that are compared with the row
  /// before.
  @Test(arguments: FramesCSV.header.split(separator: ",").map { String($0.filter { $0 != "\n" }) })
  func `our own frames with any number in any column are read or refused`(
    _ column: String
  ) throws {
    let lines = FramesCSV.text([ReportRow(try OwnFramesTests.log("main-thread"), cores: 2)])
      .split(separator: "\n").map(String.init)
    let place = try #require(lines[0].split(separator: ",").firstIndex { $0 == column })
    for number in Self.numbers {
      for changed in [1..<2, 1..<9, 2..<9] {
        let rows = (1..<9).map { row in
          changed.contains(row) ? Self.replacing(place, of: lines[row], by: number) : lines[row]
        }
        let message = failure(Array((lines[0] + "\n" + rows.joined(separator: "\n")).utf8))
        #expect(message?.contains("\n") != true, "\(column) \(number)")
      }
    }
  }

  /// The scenario's name is quoted, and has a comma.
  private static func replacing(_ place: Int, of line: String, by number: String) -> String {
    let name = "\"own, \"\"quoted\"\"\""
    var fields = line.replacing(name, with: "").split(
      separator: ",", omittingEmptySubsequences: false
    ).map(String.init)
    fields[1] = name
    fields[place] = number
    return fields.joined(separator: ",")
  }

  /// Each is a valid instant, but their sum exceeds 64 bits.
  @Test func `our own frames whose sum overflows are an error`() throws {
    let texts = [
      "scenario": "a", "strategy": "main-thread", "options": "", "changes": "", "cause": "",
      "engine": "virtual", "refresh_hz": "1000", "duration_ms": "86400000",
      "work_end_ns": "1125899906842624",
    ]
    let names = RunKey.allCases.map(\.name) + FrameColumn.first.map(\.name)
    let rows = (0..<9000).map { frame in
      let numbers = [
        "frame": frame, "begin_vsync": frame, "present_vsync": frame + 1, "schema": 1, "cores": 2,
        "repetition": 1,
      ]
      return names.map { name in texts[name] ?? numbers[name].map(String.init) ?? "0" }
        .joined(separator: ",") + "\n"
    }
    let header = names.joined(separator: ",") + "\n"
    let message = failure(Array((header + rows.joined()).utf8))
    #expect(message?.contains("more than 73 years") == true, "\(message ?? "none")")
  }

  @Test(arguments: ["work_end_ns", "begin_ns"])
  func `an instant of our own that overflows is an error with its place`(
    _ column: String
  ) throws {
    let text = FramesCSV.text([ReportRow(try OwnFramesTests.log("main-thread"), cores: 2)])
    let lines = text.split(separator: "\n").map(String.init)
    let place = try #require(lines[0].split(separator: ",").firstIndex { $0 == column })
    let rows = (1..<4).map { Self.replacing(place, of: lines[$0], by: "4611686018427387904") }
    let message = failure(Array((lines[0] + "\n" + rows.joined(separator: "\n")).utf8))
    #expect(
      message
        == "log:2: '4611686018427387904' in column \(column) is not a number that fits")
  }
}
