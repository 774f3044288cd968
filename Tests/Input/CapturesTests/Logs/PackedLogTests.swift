import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import TestSupport
import Testing

/// Logs as people attach them: in UTF-16, in gzip, alone in a ZIP archive; and recordings in the place of logs.
struct PackedLogTests {
  static let text = "fps,frametime,elapsed\r\n" + (1...20).map { "60,\($0),\($0)\r\n" }.joined()

  static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { unit in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  static func values(_ bytes: [UInt8]) throws -> [String: MetricValue] {
    try ImportedLog(ByteSource(bytes, name: "log"), refresh: RefreshRate(60)).streams[0].values
  }

  @Test(arguments: [false, true])
  func `a table and JSON in UTF-16 read the same`(_ isBigEndian: Bool) throws {
    let json =
      #"{"Info": {"ProcessName": "Größe 🎮"}, "Runs": [{"CaptureData": {"MsBetweenPresents": [8, 9]}}]}"#
    for text in [Self.text, json] {
      let wide = Self.utf16(text, isBigEndian: isBigEndian)
      #expect(try Self.values(wide) == Self.values(Array(text.utf8)))
    }
    let wide = ByteSource(Self.utf16(json, isBigEndian: isBigEndian), name: "log")
    #expect(try ImportedLog(wide, refresh: nil).streams[0].process == "Größe 🎮")
    let column = try RecordedColumn.read(
      ByteSource(Self.utf16(Self.text, isBigEndian: isBigEndian), name: "log"), column: "frametime")
    #expect(column.count == 20 && column[4] == 5_000_000)
  }

  /// A surrogate alone, and half a unit at the end.
  @Test(arguments: [[0x3D, 0xD8, 0x41, 0x00], [0x00, 0xDC], [0x41], [0x3D, 0xD8]] as [[UInt8]])
  func `damaged UTF-16 is an error`(_ rest: [UInt8]) {
    let bytes = Self.utf16(Self.text, isBigEndian: false) + rest
    #expect(failure(bytes) == "log: is damaged: it begins as UTF-16 and is not")
  }

  @Test func `a file alone in a ZIP archive reads the same, beside folders and what macOS adds`()
    throws
  {
    let bytes = Array(Self.text.utf8)
    let plain = try Self.values(bytes)
    let files = [("capture/", []), ("capture/a.csv", bytes), ("__MACOSX/capture/._a.csv", [1, 2])]
    for names in [[1], [1, 2], [0, 1], [0, 1, 2]] {
      #expect(try Self.values(StoredArchive(names.map { files[$0] }).bytes) == plain)
    }
    let wide = Self.utf16(Self.text, isBigEndian: true)
    #expect(try Self.values(StoredArchive([("a.csv", wide)]).bytes) == plain)
  }

  @Test func `an archive of several files is refused in one line that names them`() {
    let files = (1...8).map { ("\($0).csv", Array(Self.text.utf8)) }
    #expect(
      failure(StoredArchive(Array(files[..<2])).bytes)
        == "log: is a ZIP archive of several files: 1.csv, 2.csv; unpack the one to read")
    #expect(failure(StoredArchive(files).bytes)?.contains("5.csv, 6.csv, …;") == true)
    #expect(failure(StoredArchive([("a/", [])]).bytes) == "log: is a ZIP archive without a file")
  }

  @Test func `a damaged archive is an error`() {
    let archive = StoredArchive([("a.csv", Array(Self.text.utf8))]).bytes
    for cut in stride(from: 4, to: archive.count, by: 7) {
      #expect(failure(Array(archive[..<cut]))?.hasPrefix("log: is a ZIP archive that is") == true)
    }
    var wrong = archive
    // A digit of a frame time.
    wrong[30 + 5 + 26] ^= 1
    #expect(failure(wrong) == "log: is damaged: its checksum is wrong")
    var encrypted = archive
    encrypted[archive.count - 22 - 46 - 5 + 8] = 1
    #expect(failure(encrypted)?.contains("is encrypted, or compressed by another method") == true)
  }

  /// By the program that people use, from a file and through a pipe.
  @Test func `a deflated archive of a log or a recording reads the same`() throws {
    let scratch = try Scratch()
    for seed in ["logs/presentmon1.csv", "logs/capframex.json", "recording-systrace/trace.txt"] {
      let path = FoundInputTests.seeds.appending(path: seed).path
      let zip = scratch.path("\(seed.split(separator: "/")[1]).zip")
      _ = try SharedData.output(
        of: try #require(IndependentTotalsTests.python), ["-m", "zipfile", "-c", zip, path])
      let packed = Array(try Data(contentsOf: URL(filePath: zip)))
      if seed.hasPrefix("logs") {
        let plain = try ImportedLog(ByteSource(path: path), refresh: nil).streams.map(\.values)
        #expect(try ImportedLog(ByteSource(path: zip), refresh: nil).streams.map(\.values) == plain)
        let piped = try ImportedLog(ByteSource(packed, name: "log"), refresh: nil)
        #expect(piped.streams.map(\.values) == plain)
      } else {
        let plain = try RecordingFile.index(path: path)
        #expect(try RecordingFile.index(path: zip).threads.count == plain.threads.count)
        #expect(
          try RecordingFile.read(path: zip).frames.count
            == RecordingFile.read(path: path).frames.count)
      }
    }
  }

  /// 300 MB of zeros in 300 kB: the size grows faster than that of any text.
  @Test func `a file that inflates to far more than its size is refused`() throws {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "head -c 300000000 /dev/zero | gzip > \(scratch.path("zeros.gz"))"]
    try process.run()
    process.waitUntilExit()
    var source = try ByteSource(path: scratch.path("zeros.gz"))
    try source.unpack()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    let error = #expect(throws: InputError.self) {
      while try source.read(into: &buffer, from: 0) > 0 {}
    }
    #expect(error?.reason == "is refused: it inflates to more than 250 times its size")
  }

  // MARK: The other command

  @Test(arguments: [
    ("recording-systrace/trace.txt", " without frames of the screen;"),
    ("recording-flutter/timeline.json", " without frames of the screen;"),
  ])
  func `a recording that is not imported names the command that reads it`(
    _ seed: String, _ reason: String
  ) throws {
    let path = FoundInputTests.seeds.appending(path: seed).path
    let error = #expect(throws: InputError.self) {
      try ImportedLog(ByteSource(path: path), refresh: nil)
    }
    let message = try #require(error?.description)
    #expect(
      message.contains("'framebudget learn \(path) -o DIR' makes a scenario of it"), "\(message)")
    #expect(message.contains(reason), "\(message)")
    #expect(throws: Never.self) { try RecordingFile.index(path: path) }
  }

  /// It says when threads ran, and nothing of an app's frames.
  @Test func `an ftrace without marks says what it lacks, to both commands`() throws {
    let scratch = try Scratch()
    let text = """
      # tracer: nop
            app-12    [000] d..3     1.000100: sched_switch: prev_comm=app prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=b next_pid=13 next_prio=120
              b-13    [000] d..3     1.000300: sched_switch: prev_comm=b prev_pid=13 prev_prio=120 prev_state=R ==> next_comm=app next_pid=12 next_prio=120

      """
    try scratch.write(text, to: "app.ftrace")
    let path = scratch.path("app.ftrace")
    for read in [
      { _ = try RecordingFile.index(path: path) },
      { _ = try ImportedLog(ByteSource(path: path), refresh: nil) },
    ] {
      let error = #expect(throws: InputError.self) { try read() }
      let message = try #require(error?.description)
      #expect(message.hasPrefix("\(path): is an ftrace without slices"), "\(message)")
    }
    try scratch.write("<html>no trace</html>\n", to: "page.html")
    let error = #expect(throws: InputError.self) {
      try ImportedLog(ByteSource(path: scratch.path("page.html")), refresh: nil)
    }
    #expect(error?.reason.hasPrefix("is not a known frame log") == true)
  }

  @Test(arguments: ["presentmon1.csv", "mangohud.csv", "framestats.txt", "capframex.json"])
  func `learn of a log names the command that reads it`(_ seed: String) throws {
    let path = FoundInputTests.seeds.appending(path: "logs/\(seed)").path
    for read in [
      { _ = try RecordingFile.index(path: path) }, { _ = try RecordingFile.read(path: path) },
    ] {
      let error = #expect(throws: InputError.self) { try read() }
      let message = try #require(error?.description)
      #expect(
        message.hasPrefix("\(path): is a log of frames (")
          && message.hasSuffix("'framebudget import \(path)' computes its metrics"), "\(message)")
    }
  }
}

/// A ZIP archive of files that are not compressed.
struct StoredArchive {
  let bytes: [UInt8]

  init(_ files: [(name: String, bytes: [UInt8])]) {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
    }
    var bytes: [UInt8] = []
    var index: [UInt8] = []
    for file in files {
      // Version 1.0, no flags, stored, at no time.
      let facts =
        number(10, 2) + number(0, 8) + number(Int(Self.checksum(file.bytes)), 4)
        + number(file.bytes.count, 4) + number(file.bytes.count, 4)
        + number(file.name.utf8.count, 2) + number(0, 2)
      index += [0x50, 0x4B, 1, 2] + number(10, 2) + facts + number(0, 10) + number(bytes.count, 4)
      index += file.name.utf8
      bytes += [0x50, 0x4B, 3, 4] + facts + Array(file.name.utf8) + file.bytes
    }
    let place = bytes.count
    bytes += index + [0x50, 0x4B, 5, 6] + number(0, 4) + number(files.count, 2)
    self.bytes =
      bytes + number(files.count, 2) + number(index.count, 4) + number(place, 4) + number(0, 2)
  }

  /// CRC-32, bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }
}
