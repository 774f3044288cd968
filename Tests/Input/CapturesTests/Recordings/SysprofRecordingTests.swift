import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetCaptures

struct SysprofRecordingTests {
  private static let seed = "recording-sysprof/app.syscap"
  private typealias Builder = SysprofCaptureBuilder

  private static func read(_ builder: Builder) throws -> Recording {
    try RecordingFile.read(builder.bytes, name: "app")
  }

  @Test func `the seed is the capture that is described here`() throws {
    #expect(try Seeds.bytes(Self.seed) == Builder.app().bytes)
  }

  /// All instants count from the first call, at 0.2 ms.
  @Test func `an app with GTK has the cycles of its frame clock as frames`() throws {
    let index = try Seeds.index(Self.seed)
    #expect(index.format == .sysprof && index.because == "it is the first thread of its process")
    #expect(index.threads.map { [$0.slices, $0.tasks, $0.frames] } == [[38, 10, 9]])
    let recording = try Seeds.read(Self.seed)
    #expect(recording.process == RecordedProcess(number: 10, name: "app"))
    let lines = recording.lines(0)
    #expect(
      lines.prefix(4) == [
        "0 frameclock cycle 100.0 3000.0", "1 frameclock layout 300.0 1000.0",
        "1 frameclock paint 1300.0 1700.0", "2 widget render 1600.0 1300.0",
      ])
    #expect(
      lines.dropFirst(28).prefix(3) == [
        "0 Task 99800.0 50200.0", "1 load 99800.0 50000.0", "0 frameclock cycle 150100.0 3000.0",
      ])
    #expect(
      recording.frameLines == (0..<7).map {
        "\(Double(16_000 * $0)) - \(16_000 * $0 + 100)-\(16_000 * $0 + 2800) -"
      } + ["112000.0 - 150100-152800 -", "179800.0 - 179800-182500 -"])
    #expect(recording.period == .milliseconds(16) && recording.ownNames == ["decode", "load"])
    #expect(
      recording.doubts.map { String($0.prefix(28)) } == [
        "GTK marks no work between fr", "GTK only estimates when a fr",
        "the app's marks do not name ", "1 marks of other threads are",
        "1 of the app's own measures ",
      ])
  }

  /// At 128 and at 144 ms the frame of 112 ms was not there; taken at its call, it would be in time.
  @Test func `a frame of whose call the thread heard late is late, and import counts the same`()
    throws
  {
    let screen = RecordedScreen(try Seeds.read(Self.seed))
    #expect((screen.expected, screen.dropped, screen.deadline) == (11, 2, 1))
    let window = try #require(screen.lateWindows.first)
    #expect((window.lowerBound / 1000, window.upperBound / 1000) == (112_000, 152_800))
    let bytes = try Seeds.bytes(Self.seed)
    let log = try ImportedLog(ByteSource(bytes, name: "app"), refresh: nil)
    #expect(log.format == .sysprof && log.streams.map(\.process) == ["app"])
    let stream = try #require(log.streams.first)
    #expect(stream.rows == 9 && stream.values["dropped_frames"] == .count(2))
    #expect(stream.values["expected_frames"] == .count(11))
  }

  /// It begins before the thread is late, too, but the thread answers only 10 ms behind its end.
  @Test func `a mark that ends before the thread answers is not what held it up`() throws {
    var builder = Builder()
    builder.mark("decode", from: 90_000, to: 140_000, group: "app")
    let recording = try Self.read(Builder.app(builder))
    #expect(recording.lines(0) == (try Seeds.read(Self.seed)).lines(0))
    #expect(recording.doubts.contains { $0.hasPrefix("2 of the app's own measures are left out") })
  }

  @Test func `newer names of GTK's marks mean the same`() throws {
    var builder = Builder()
    builder.isNewer = true
    let plain = try Seeds.read(Self.seed)
    let recording = try Self.read(Builder.app(builder))
    #expect(recording.frameLines == plain.frameLines)
    #expect(recording.lines(0).map { $0.lowercased() } == plain.lines(0).map { $0.lowercased() })
  }

  /// The one at 180 ms finds nothing to change. With GL the commits of frames have no marks, but that of a menu has one.
  @Test func `a frame is a cycle that hands a picture over`() throws {
    let unchanged = try Self.read(Builder.app { $0.cycle(at: $1, commits: $1 != 180_000) })
    #expect(unchanged.frames.count == 8 && unchanged.frameLines[0] == "0.0 - 100-2800 -")
    for (name, message, end) in [("EGL", "swap buffers", 0), ("EGL swap buffers", "", 1000)] {
      let swapped = try Self.read(
        Builder.app { app, time in
          if time == 300 { app.mark("wayland", "surface commit", from: time + 500) }
          if time != 180_000 { app.mark(name, message, from: time + 1600, to: time + 1600 + end) }
          app.cycle(at: time, commits: false)
        })
      #expect(swapped.frames.count == 8 && swapped.frameLines[0] == "0.0 - 100-3100 -")
    }
  }

  @Test func `where no cycle is said to hand over, one that renders is a frame, or any`() throws {
    let rendered = try Self.read(
      Builder.app { $0.cycle(at: $1, commits: false, renders: $1 != 180_000) })
    #expect(rendered.frames.count == 8 && rendered.frameLines[0] == "0.0 - 100-3100 -")
    let bare = try Self.read(Builder.app { $0.cycle(at: $1, commits: false, renders: false) })
    #expect(bare.frames.count == 9)
  }

  @Test func `without calls of the compositor frames are wanted when they begin, which is said`()
    throws
  {
    var builder = Builder()
    for frame in 0..<6 { builder.cycle(at: 16_000 * frame) }
    let recording = try Self.read(builder)
    #expect(recording.frames.map(\.vsync.inMicroseconds) == (0..<6).map { Double(16_000 * $0) })
    #expect(recording.period == .milliseconds(16))
    #expect(recording.doubts.last?.hasPrefix("the compositor's calls were not recorded") == true)
  }

  /// A frame that waited for 30 ms after its call; samples of another thread say nothing of it.
  private static func waiting(sampled thread: Int?) -> Builder {
    var builder = Builder()
    for vsync in 0..<6 {
      builder.call(at: 16_000 * vsync, called: 16_000 * vsync)
      if vsync < 5 { builder.cycle(at: 16_000 * vsync + 100) }
    }
    if let thread {
      for time in stride(from: 81_000, through: 110_000, by: 1000) {
        builder.sample(thread: thread, at: time)
      }
    }
    builder.cycle(at: 110_500)
    return builder
  }

  @Test func `samples show that the thread ran between a call and its frame`() throws {
    for thread in [nil, 99] {
      let recording = try Self.read(Self.waiting(sampled: thread))
      #expect(recording.frames.last?.vsync == .microseconds(110_500))
      #expect(!recording.names.contains("Task"))
    }
    let recording = try Self.read(Self.waiting(sampled: Builder.process))
    #expect(recording.frames.last?.vsync == .milliseconds(80))
    #expect(recording.lines(0).contains("0 Task 81000.0 29000.0"))
    #expect(recording.doubts.first?.contains("samples") == true)
  }

  /// A run from 1 to 4 ms, one from 8 to 10 ms, and a sample without a run, of two cores.
  @Test func `samples without a pause are kept as one, in whatever order cores write them`() {
    let task: Int32 = 7
    func runs(_ samples: [Int64]) -> (runs: [Range<Int64>], kept: Int) {
      var process = SysprofProcess()
      for sample in samples { _ = process.sample(at: sample * 1000) }
      let kept = process.kept
      return (process.thread(task: task).slices.map(\.span), kept)
    }
    let samples: [Int64] = [1000, 2000, 3000, 4000, 8000, 9000, 10_000, 20_000]
    let cores: [Int64] = [8000, 10_000, 1000, 3000, 9000, 20_000, 2000, 4000]
    #expect(runs(samples).runs == [1_000_000..<4_000_000, 8_000_000..<10_000_000])
    #expect(runs(cores).runs == runs(samples).runs)
    #expect(runs(samples + (20...9000).map { 1000 * $0 }).kept == 3)
  }

  /// The compositor, not the app, was late: it says so itself.
  @Test func `a call that was made late delays no frame`() throws {
    var builder = Builder()
    for (vsync, time) in [0, 16_000, 32_000, 48_000, 100_000, 116_000].enumerated() {
      builder.call(at: time, called: time + vsync % 2 * 900)
      builder.cycle(at: time + 100)
    }
    let recording = try Self.read(builder)
    #expect(
      recording.frames.map(\.vsync.inMicroseconds) == [0, 16_000, 32_000, 48_000, 100_000, 116_000])
    #expect(!recording.names.contains("Task"))
  }

  @Test func `of several processes each has its own frames`() throws {
    var builder = Builder.app()
    builder.command("shell", process: 20)
    builder.mark("frameclock cycle", from: 1000, to: 2000, process: 20)
    builder.mark("own", from: 1000, to: 2000, group: "app", process: 30)
    let index = try RecordingFile.index(builder.bytes, name: "app")
    #expect(index.threads.map(\.process.name) == ["app", "shell"])
    #expect(index.threads.map(\.frames) == [9, 1] && index.drawing == [10, 20])
    let plain = try Seeds.read(Self.seed)
    #expect(try Self.read(builder).frameLines == plain.frameLines)
  }

  @Test func `a capture whose recorder was killed says so`() throws {
    let recording = try Self.read(Builder.app(Builder(isFinished: false)))
    #expect(recording.doubts.contains { $0.hasPrefix("the recorder was stopped before") })
    #expect(recording.frames.count == 9)
  }

  /// The seed with other bytes, from its end if the place is negative.
  private static func changed(_ place: Int, _ bytes: [UInt8]) throws -> [UInt8] {
    var seed = try Seeds.bytes(Self.seed)
    seed.replaceSubrange(place..<(place + bytes.count), with: bytes)
    return seed
  }

  /// The first record is the command, of 48 bytes; the next one a mark.
  @Test(
    arguments: [
      (4, [2], "is a sysprof capture of version 2; only version 1 is read"),
      (5, [0], "is a sysprof capture of a big-endian machine, which is not read"),
      (256, [23, 0], "a record of 23 bytes at byte 256"),
      (304, [48, 0], "a mark of 48 bytes at byte 304"),
      (312, [0, 0, 0, 0, 0, 0, 0, 0x80], "the mark's time is out of range at byte 304"),
      (328, [0, 0, 0, 0, 0, 0, 0, 0x80], "the mark's duration is out of range at byte 304"),
      (328, [0, 0, 0, 0, 0, 0, 0, 0x10], "the mark's duration is out of range at byte 304"),
    ] as [(Int, [UInt8], String)])
  func `a broken capture ends in one line that says where`(
    _ place: Int, _ bytes: [UInt8], _ reason: String
  ) throws {
    let message = try #require(HostileRecordingTests.failure(try Self.changed(place, bytes)))
    #expect(message == "recording: \(reason)")
  }

  @Test func `a capture that is cut off, or has no marks of GTK, is refused`() throws {
    let seed = try Seeds.bytes(Self.seed)
    for (length, reason) in [
      (100, "is cut off: a sysprof capture begins with 256 bytes"),
      (260, "is cut off: a record has 4 bytes, at byte 256"),
      (290, "is cut off: a record has 34 of 48 bytes, at byte 256"),
    ] {
      let message = HostileRecordingTests.failure(Array(seed[..<length]))
      #expect(message == "recording: \(reason)")
    }
    let message = HostileRecordingTests.failure(Array(seed[..<304]))
    #expect(message?.contains("holds no marks of GTK; record with: sysprof-cli") == true)
    let log = #expect(throws: InputError.self) {
      try ImportedLog(ByteSource(Array(seed[..<290]), name: "app"), refresh: nil)
    }
    #expect(log?.reason.hasPrefix("is cut off: a record has 34") == true)
  }

  /// Records that nothing is read of: counters, a sample without its thread, an unknown kind.
  @Test func `other records are passed over`() throws {
    var builder = Builder()
    for kind in [0, 1, 2, 3, 9, 11, 17, 255] as [UInt8] {
      builder.add(kind, [], at: 0)
      builder.add(kind, [UInt8](repeating: 0xFF, count: 60_000), at: 1)
    }
    #expect(try Self.read(Builder.app(builder)).frames.count == 9)
  }
}
