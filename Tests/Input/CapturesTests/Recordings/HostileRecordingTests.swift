import Foundation
import FrameBudget
import FrameBudgetParsing
@testable import FrameBudgetCaptures
import TestSupport
import Testing

/// Recordings that are broken, by accident or on purpose, cause a one-line error.
struct HostileRecordingTests {
  /// The error of indexing and reading `bytes`. A recording that is read without an error is checked for soundness.
  static func failure(
    _ bytes: [UInt8], choosing: RecordingChoice = RecordingChoice()
  ) -> String? {
    do {
      let index = try RecordingFile.index(bytes, name: "recording")
      #expect(RecordingInvariants.broken(by: index) == [])
      let recording = try RecordingFile.read(bytes, name: "recording", choosing: choosing)
      #expect(RecordingInvariants.broken(by: recording) == [])
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("", "is not a known recording; supported: Chrome trace JSON"),
    ("hello\n", "is not a known recording"),
    ("{}", "is JSON, but holds no slices of any thread"),
    ("[]", "is JSON, but holds no slices of any thread"),
    (
      #"{"traceEvents": [{"name": "RunTask", "ph": "X""#,
      "recording:1:47: the JSON text ends too early"
    ),
    (#"{"traceEvents": [1]}"#, "recording:1:18: '{' is expected here"),
    (#"[{"ph":"X","pid":1e300}]"#, "recording:1:23: a whole number within range is expected here"),
    (#"[{"ph":"X","ts":1e30}]"#, "'ts' is out of range"),
    (#"[{"ph":"X","ts":5000000000000000}]"#, "recording:1:34: the event's time is out of range"),
    (#"[{"ph":"X","ts":5,"dur":1e12}]"#, "the event's time is out of range"),
    ("# tracer: nop\n", "is a systrace, but holds no slices of any thread"),
    ("<html><body>hello</body></html>", "is a systrace, but holds no slices of any thread"),
  ])
  func `a broken recording ends in one line that says where`(_ text: String, _ reason: String)
    throws
  {
    let message = try #require(Self.failure(Array(text.utf8)))
    #expect(message.hasPrefix("recording:"))
    #expect(message.contains(reason), "\(message)")
    #expect(!message.contains("\n"))
  }

  /// A field of a protocol buffer: a message or text, or a number.
  private static func field(_ number: Int, _ body: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(body.count) + body
  }

  private static func field(_ number: Int, _ value: Int) -> [UInt8] {
    varint(number << 3) + varint(value)
  }

  private static func varint(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + varint(value >> 7)
  }

  // Slow: reads 144 recordings.
  @Test func `members of Perfetto's events may have values of any type, in both forms`() throws {
    let seed = try Seeds.bytes("recording-perfetto/page.pftrace")
    let number: [UInt8] = [5 << 3 | 1, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
    for key in EventData.Key.texts {
      let name = Array(key.utf8)
      let values = [
        Self.field(2, 1), Self.field(3, 1), Self.field(4, 1), number,
        Self.field(6, Array("x".utf8)),
      ]
      let nested = [
        Self.field(5, 1), [6 << 3 | 1] + number.dropFirst(), Self.field(7, 1),
        Self.field(8, Array("x".utf8)),
      ]
      let dictionaries =
        values.map { Self.field(11, Self.field(10, name) + $0) }
        + nested.map { Self.field(8, Self.field(1, 1) + Self.field(2, name) + Self.field(3, $0)) }
      for dictionary in dictionaries {
        let event =
          Self.field(9, 1) + Self.field(11, 21) + Self.field(23, Array("RunTask".utf8))
          + Self.field(4, Self.field(10, Array("data".utf8)) + dictionary)
        let packet = Self.field(10, 1) + Self.field(8, 1000) + Self.field(11, event)
        #expect(Self.failure(seed + Self.field(1, packet)) == nil, "\(key)")
      }
    }
  }

  // Slow: reads 140 MB.
  @Test(arguments: ["[", "\(TraceEvent.mark)1},\"traceEvents\":["])
  func `many different categories are too many names`(_ opening: String) throws {
    let category = String(repeating: "c", count: 1 << 20)
    let events = (0..<70).map { number in
      #"{"name": "a", "ph": "X", "pid": 1, "tid": 1, "ts": \#(number), "dur": 1, "cat": "\#(number)\#(category)"}"#
    }
    let bytes = Array("\(opening)\(events.joined(separator: ","))]".utf8)
    let message = try #require(Self.failure(bytes))
    #expect(message.contains("more than 64 MB of names"), "\(message.prefix(200))")
  }

  @Test func `a cut-off protocol buffer says where it ends`() throws {
    let bytes = Array(try Seeds.bytes("recording-perfetto/phone.pftrace").dropLast(3))
    let message = try #require(Self.failure(bytes))
    #expect(message.contains("is cut off: a message has "), "\(message)")
    #expect(message.contains("at byte "), "\(message)")
  }

  @Test func `columns that differ in length are an error at their message`() throws {
    // A packet with a bundle with compact switches: one time, no thread.
    let bytes: [UInt8] = [0x0A, 0x06, 0x0A, 0x04, 0x22, 0x02, 0x08, 0x01]
    let message = try #require(Self.failure(bytes))
    #expect(message.contains("columns of switches that differ in length"), "\(message)")
    #expect(message.contains("of the message at byte 2"), "\(message)")
  }

  @Test func `a recording of endless threads is refused`() throws {
    let events = (0..<66_000).map { #"{"ph":"X","tid":\#($0)}"# }.joined(separator: ",\n")
    let message = try #require(Self.failure(Array("[\(events)]".utf8)))
    #expect(message == "recording:65537:23: more than 65536 threads")
  }

  @Test(arguments: [
    (
      RecordingChoice(process: "99"),
      "has no process '99'; known processes: 7 'Renderer', 2 'Browser'"
    ),
    (
      RecordingChoice(process: "7", thread: "x"),
      "has no thread 'x'; known threads: 1 'CrRendererMain'"
    ),
    (RecordingChoice(from: .seconds(2), to: .seconds(1)), "ends before it begins"),
    (
      RecordingChoice(from: .seconds(9)),
      "holds nothing of 7 'Renderer' in the part that was chosen; --from and --to must be within its 0.05 s"
    ),
  ])
  func `missing parts are named`(_ choice: RecordingChoice, _ reason: String) throws {
    let bytes = try Seeds.bytes("recording-chrome/page.json")
    let message = try #require(Self.failure(bytes, choosing: choice))
    #expect(message.contains(reason), "\(message)")
  }

  /// Two of them never end; the third encloses one.
  @Test func `slices within one without an end are tasks, both listed and read`() throws {
    let marks = ["B 1 loop", "B 2 a", "E 3", "B 4 open", "B 5 b", "B 6 within", "E 7", "E 8"]
    let events = marks.map { mark in
      let words = mark.split(separator: " ")
      let name = words.count > 2 ? #", "name": "\#(words[2])""# : ""
      return #"{"ph": "\#(words[0])", "pid": 1, "tid": 1, "ts": \#(words[1])0\#(name)}"#
    }
    let bytes = Array("[\(events.joined(separator: ",\n"))]".utf8)
    let index = try RecordingFile.index(bytes, name: "open")
    #expect(index.threads.map(\.slices) == [3] && index.threads.map(\.tasks) == [2])
    let recording = try RecordingFile.read(bytes, name: "open")
    #expect(recording.lines(0) == ["0 a 10.0 10.0", "0 b 40.0 30.0", "1 within 50.0 10.0"])
  }

  /// A profile of Firefox with processes that have a task each, and something in it.
  private static func profile(_ processes: Int, with name: String) -> [UInt8] {
    func thread(_ process: Int, _ names: String, _ markers: String) -> String {
      #"{"name":"GeckoMain","pid":\#(process),"tid":\#(process),"stringTable":[\#(names)],"#
        + #""markers":{"schema":{"name":0,"startTime":1,"endTime":2,"phase":3},"data":[\#(markers)]}}"#
    }
    let compositor = thread(0, #""CONTENT_FRAME_TIME""#, "[0,100,110,1]")
    let threads = (1...processes).map { process in
      thread(process, #""Awake","\#(name)""#, "[0,1,3,1],[1,1,2,1]")
    }
    let list = ([compositor] + threads).joined(separator: ",")
    return Array(#"{"libs":[],"threads":[\#(list)]}"#.utf8)
  }

  /// For `import` each process that is read costs a pass. These ticks hand nothing over, so their processes have no frames.
  @Test func `many processes of Firefox cost no pass each`() throws {
    let idle = try RecordingFile.index(Self.profile(300, with: "Other"), name: "idle")
    #expect(idle.threads.count == 300 && idle.drawing.isEmpty)
    let tick = "RefreshDriverTick"
    let few = try RecordingFile.index(Self.profile(3, with: tick), name: "few")
    #expect(few.drawing == [1, 2, 3])
    let many = Self.profile(300, with: tick)
    let error = InputError("more than 256 processes", file: "many")
    #expect(throws: error) { try ImportedLog(ByteSource(many, name: "many"), refresh: nil) }
  }

  static let seeds = [
    "recording-chrome/page.json", "recording-flutter/timeline.json",
    "recording-flutter/numbers.json", "recording-chrome/main-frames.json",
    "recording-systrace/trace.txt", "recording-perfetto/phone.pftrace",
    "recording-perfetto/packed.pftrace", "recording-perfetto/page.pftrace",
    "recording-perfetto/flutter.pftrace", "recording-perfetto/frames.pftrace",
    "recording-instruments/app.xml", "recording-firefox/gecko.json",
    "recording-firefox/processed.json", "recording-wayland/app.txt",
    "recording-sysprof/app.syscap",
  ]

  /// Each byte in turn becomes another: nothing traps, errors stay one line.
  @Test(arguments: seeds)
  func `a recording with any byte changed is read or refused`(_ seed: String) throws {
    let bytes = try Seeds.bytes(seed)
    for place in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 120)) {
      for value in [0, UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "9"), 0xFF] {
        var changed = bytes
        changed[place] = value
        if let message = Self.failure(changed) { #expect(!message.contains("\n")) }
      }
    }
  }

  @Test(arguments: seeds)
  func `every cut of a recording is read or refused`(_ seed: String) throws {
    let bytes = try Seeds.bytes(seed)
    for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 100)) {
      if let message = Self.failure(Array(bytes[..<length])) {
        #expect(message.hasPrefix("recording:") && !message.contains("\n"))
      }
    }
  }

  // MARK: Compressed

  static func zipped(_ bytes: [UInt8]) throws -> [UInt8] {
    let scratch = try Scratch()
    try Data(bytes).write(to: scratch.folder.appending(component: "plain"))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-k", scratch.path("plain")]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return Array(try Data(contentsOf: scratch.folder.appending(component: "plain.gz")))
  }

  /// Slow: reads each recording four times.
  @Test(arguments: seeds)
  func `a gzip-compressed recording reads the same`(_ seed: String) throws {
    let bytes = try Seeds.bytes(seed)
    let plain = try RecordingFile.read(bytes, name: "plain")
    let zipped = try Self.zipped(bytes)
    // Two concatenated files are read as one, and zeros after them are ignored.
    let half = bytes.count / 2
    let halves = try Self.zipped(Array(bytes[..<half])) + Self.zipped(Array(bytes[half...]))
    for packed in [zipped, zipped + [0, 0, 0], halves] {
      let read = try RecordingFile.read(packed, name: "zipped")
      #expect(read.lines(0) == plain.lines(0))
      #expect(read.frameLines == plain.frameLines)
    }
  }

  @Test func `a damaged or cut-off gzip file is an error`() throws {
    let zipped = try Self.zipped(try Seeds.bytes("recording-chrome/page.json"))
    let cut = try #require(Self.failure(Array(zipped.dropLast(20))))
    #expect(cut == "recording: is cut off: the compressed data end too early")
    var damaged = zipped
    // In its checksum.
    damaged[zipped.count - 6] ^= 0xFF
    let message = try #require(Self.failure(damaged))
    #expect(message.contains("is damaged near byte"), "\(message)")
  }

  /// Slow: skips 64 MB; the file claims 5 GB.
  @Test func `a stretch of white space without an end is refused before it is read`() throws {
    let blanks = try Self.zipped(Array(repeating: 0x20, count: 10 << 20))
    let opening = try Self.zipped(Array(#"{"traceEvents": ["#.utf8))
    let bytes = opening + Array(repeatElement(blanks, count: 512).joined())
    #expect(bytes.count < 8 << 20)
    let message = try #require(Self.failure(bytes))
    #expect(message.hasSuffix("more than 64 MB of white space"), "\(message)")
  }

  /// A pipe without a name, which a shell makes of `<(...)`, can be read once.
  @Test func `a recording that comes through a pipe is kept`() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data(try Seeds.bytes("recording-chrome/page.json")))
    try pipe.fileHandleForWriting.close()
    let path = "/proc/self/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let recording = try RecordingFile.read(path: path)
    #expect(recording.lines(0).count == 9)
    #expect(throws: InputError.self) { try RecordingFile.index(path: Scratch.nowhere) }
  }
}
