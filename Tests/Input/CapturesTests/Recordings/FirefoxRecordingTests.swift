import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetCaptures

struct FirefoxRecordingTests {
  /// Vsyncs every 16.667 ms from 1.1 s on. The page draws at the first; the second is drawn in 28.8 ms, 26 of them `work`; the
  /// third waits for that, and is in the same picture. Then the thread handles a click.
  static func check(_ path: String) throws {
    let index = try Seeds.index(path)
    #expect(index.format == .firefox && index.because == "it is the main thread by its name")
    #expect(index.threads.map(\.name) == ["Compositor", "GeckoMain", "DOM Worker"])
    #expect(index.threads.map(\.slices) == [1, 9, 1] && index.threads.map(\.tasks) == [1, 3, 1])
    #expect(index.threads.map(\.frames) == [0, 3, 0])
    let recording = try Seeds.read(path)
    #expect(recording.process == RecordedProcess(number: 2, name: "Web Content"))
    #expect(
      recording.lines(0) == [
        "0 Task 500.0 3500.0 3000.0", "1 RefreshDriverTick 1000.0 2000.0",
        "0 Task 17000.0 30500.0 29000.0", "1 Task 17100.0 29100.0",
        "2 RefreshDriverTick 17200.0 28800.0", "3 requestAnimationFrame callbacks 17300.0 28000.0",
        "4 work 18000.0 26000.0", "1 RefreshDriverTick 46400.0 600.0",
        "0 Task 67000.0 1500.0 1200.0", "1 DOMEvent 67100.0 900.0",
      ])
    #expect(
      recording.frameLines == [
        "0.0 - 1000-3000 16667.0", "16667.0 - 17200-46000 50000.0",
        "33333.0 - 46400-47000 50000.0",
      ])
    #expect(recording.frames.map { $0.ready?.inMicroseconds } == [3500, 46_200, 47_400])
    #expect(recording.period == .microseconds(16_667) && recording.cores == 2)
    #expect(recording.ownNames == ["work"])
    #expect(recording.figures == [RecordedFigure(.longTasks, .count(1))])
    #expect(recording.doubts.count == 3)
    #expect(recording.doubts[2].hasPrefix("1 intervals are left out"))
  }

  @Test(arguments: ["gecko.json", "processed.json"])
  func `a page in Firefox has tasks, measures and frames, in both formats`(_ file: String) throws {
    try Self.check("recording-firefox/\(file)")
  }

  /// The frame at 33.3 ms is in the picture of the one before it, which was due a vsync earlier.
  @Test func `a frame in the picture of a late one is shown, and the late one is one drop`() throws
  {
    let screen = RecordedScreen(try Seeds.read("recording-firefox/gecko.json"))
    #expect(screen.deadline == 1 && screen.evidence == .presents)
    #expect((screen.expected, screen.dropped) == (3, 1))
    let imported = try ImportedLog(
      ByteSource(try Seeds.bytes("recording-firefox/gecko.json"), name: "gecko"), refresh: nil)
    #expect(imported.format == .firefox && imported.streams.map(\.process) == ["Web Content"])
    #expect(imported.streams[0].values["dropped_frames"] == .count(1))
    #expect(imported.streams[0].values["main_long_tasks"] == .count(1))
  }

  /// The recording with other texts in places.
  private static func read(_ changes: [(String, String)]) throws -> Recording {
    var text = String(
      decoding: try Seeds.bytes("recording-firefox/gecko.json"), as: UTF8.self)
    for (old, new) in changes { text = text.replacing(old, with: new) }
    return try RecordingFile.read(Array(text.utf8), name: "page")
  }

  /// The last frame is built at 47.4 ms, and could have been in the picture of 50 ms.
  @Test func `a picture later than its scene explains makes the stage of its frame longer`() throws
  {
    let late = try Self.read([("1146.8,1150.8", "1146.8,1190")])
    let frame = try #require(late.frames.last)
    #expect(frame.presented?.inMicroseconds == 83_333)
    #expect(frame.ready.map { (74_999...75_000).contains($0.inMicroseconds) } == true)
    let unknown = try Self.read([("CONTENT_FULL_PAINT_TIME", "Other")])
    #expect(unknown.frames.map { $0.ready?.inMicroseconds } == [3000, 46_000, 47_000])
  }

  /// The work of the second frame ends 0.6 ms behind the vsync of 50 ms, and the compositor draws it at once; the third begins
  /// behind that vsync, so it is drawn for the next one.
  static let late = [
    ("[2,117.2,146,1,1]", "[2,117.2,150.6,1,1]"), ("[5,117.1,146.2,", "[5,117.1,150.8,"),
    ("[2,146.4,147,", "[2,150.9,151.5,"), ("[1,0,147.5,", "[1,0,152,"),
    ("[3,1145.5,1146.2,", "[3,1150.3,1151,"), ("[1,1145.5,1150.8,", "[1,1150.3,1152.4,"),
    ("[3,1146.8,1147.4,", "[3,1151.3,1151.8,"), ("[1,1146.8,1150.8,", "[1,1151.3,1167.3,"),
  ]

  @Test func `a frame that is shown although it was a little late ends before its picture`() throws
  {
    let recording = try Self.read(Self.late)
    #expect(
      recording.frameLines == [
        "0.0 - 1000-3000 16667.0", "16667.0 - 17200-48333 50000.0",
        "33333.0 - 50900-51500 66667.0",
      ])
    let ready = recording.frames.map { $0.ready.map { $0.nanoseconds / 1000 } }
    #expect(ready == [3500, 48_333, 51_800])
    #expect(recording.lines(0).contains("2 RefreshDriverTick 17200.0 33400.0"))
    let screen = RecordedScreen(recording)
    #expect((screen.expected, screen.dropped) == (4, 1))
  }

  /// The work ends at 46 ms, but the compositor gets it behind the vsync.
  @Test func `a frame that was handed over a little late was ready before its picture`() throws {
    let recording = try Self.read([
      ("[3,1145.5,1146.2,", "[3,1145.5,1153.6,"), ("[1,1145.5,1150.8,", "[1,1145.5,1154.1,"),
      ("[1,1146.8,1150.8,", "[1,1146.8,1154.1,"),
    ])
    #expect(recording.frameLines[1] == "16667.0 - 17200-46000 50000.0")
    #expect(recording.frames[1].ready.map { $0.nanoseconds / 1000 } == 48_333)
  }

  @Test func `a tick that hands nothing to the compositor draws no frame`() throws {
    let recording = try Self.read([("1146.8,", "1147.8,")])
    #expect(recording.frames.count == 2)
    #expect(recording.lines(0).contains("1 RefreshDriverTick 46400.0 600.0"))
  }

  /// With the vsyncs of 0 and 16.7 ms alone, the picture that was drawn at 50.8 ms is that of 50.
  @Test func `behind the last vsync, vsyncs follow at its distance`() throws {
    let lost = ["1133.333", "1150", "1166.667", "1183.333"].map { ("[0,\($0)", "[2,\($0)") }
    let recording = try Self.read(lost)
    #expect(recording.frames.map(\.vsync.inMicroseconds) == [0, 16_667, 16_667])
    let shown = recording.frames.compactMap { $0.presented?.inMicroseconds }
    #expect(shown[0] == 16_667 && shown.dropFirst().allSatisfy { (49_999...50_001).contains($0) })
  }

  /// Without the compositor's thread, the vsyncs are the begins of ticks.
  @Test func `a profile of pages alone says what it lacks`() throws {
    let recording = try Self.read([
      ("VsyncTimestamp", "Other"), ("CONTENT_FRAME_TIME", "Another"),
    ])
    #expect(
      recording.frames.map(\.vsync)
        == recording.frames.map { .nanoseconds($0.work?.lowerBound ?? 0) })
    #expect(recording.frames.allSatisfy { $0.presented == nil } && recording.period == nil)
    #expect(recording.doubts[0].hasPrefix("no vsyncs were recorded"))
    #expect(recording.doubts[1].hasPrefix("the compositor was not recorded"))
  }

  /// Without the begin of the first and the end of the second, behind which another one begins.
  @Test func `tasks of which the profile lacks the begin or the end are counted`() throws {
    let recording = try Self.read([
      (#"[1,100.5,0,2,1,{"type":"Awake","CPU Id":1}],"#, ""),
      (#"[1,0,147.5,3,1,{"type":"Awake","CPU Time":29}],"#, ""),
    ])
    #expect(recording.doubts.contains { $0.hasPrefix("2 tasks are left out") })
    #expect(
      recording.lines(0).filter { $0.hasPrefix("0 ") } == [
        "0 RefreshDriverTick 1000.0 2000.0", "0 Task 17100.0 29100.0",
        "0 RefreshDriverTick 46400.0 600.0", "0 Task 67000.0 1500.0 1200.0",
      ])
  }

  private static let lastEnd = (#"[1,0,168.5,3,1,{"type":"Awake","CPU Time":1.2}],"#, "")
  /// Of the page's process, in ms since its begin: 100 ms behind the recording's.
  private static let profileEnd = ("2000.25,", #"2000.25,"profilingEndTime":200,"#)

  /// The last task begins at 48 ms, behind the frame of 33.3 ms, and the profile ends at 100. The frames of 50, 66.7 and 83.3 ms
  /// should have been shown by then. Without the profile's end, the last marker ends at 70 ms.
  @Test(arguments: [(true, 52_000.0, 3), (false, 22_000.0, 1)])
  func `an open task lasts to the end of the profile, and frames that it held up are dropped`(
    _ hasEnd: Bool, _ length: Double, _ missed: Int
  ) throws {
    let recording = try Self.read(
      [Self.lastEnd, ("[1,167,0,2", "[1,148,0,2")] + (hasEnd ? [Self.profileEnd] : []))
    #expect(recording.lines(0).contains("0 Task 48000.0 \(length)"))
    #expect(!recording.doubts.contains { $0.contains("tasks are left out") })
    let screen = RecordedScreen(recording)
    #expect((screen.expected, screen.dropped) == (3 + missed, 1 + missed))
    #expect(screen.wanted == Array(0..<3 + missed))
    let window = try #require(screen.lateWindows.last)
    #expect(window == screen.grid.instant(of: 3)..<Int64(48_000 + length) * 1000)
  }

  /// A tab that was closed has ended before the profile.
  @Test(arguments: ["unregisterTime", "processShutdownTime"])
  func `an open task of a thread that has ended lasts until then`(key: String) throws {
    for (time, length) in [("190", 42_000.0), ("null", 52_000), ("999", 52_000)] {
      let recording = try Self.read([
        Self.lastEnd, ("[1,167,0,2", "[1,148,0,2"), Self.profileEnd,
        (#""name":"GeckoMain","#, #""name":"GeckoMain","\#(key)":\#(time),"#),
      ])
      #expect(recording.lines(0).contains("0 Task 48000.0 \(length)"))
    }
  }

  /// What began in it and has not ended either is a slice: the profile lacks the end of the click, too.
  @Test func `slices that are open in the open task last as long`() throws {
    let click = (#"[6,0,168,3,1,{"type":"DOMEvent","eventType":"click"}],"#, "")
    let recording = try Self.read([Self.lastEnd, Self.profileEnd, click])
    #expect(
      recording.lines(0).suffix(2) == ["0 Task 67000.0 33000.0", "1 DOMEvent 67100.0 32900.0"])
  }

  /// At 50 ms nothing was drawn, although the thread was idle until 67 ms.
  @Test func `an open task of a page that wanted no frame drops none`() throws {
    let screen = RecordedScreen(try Self.read([Self.lastEnd, Self.profileEnd]))
    #expect((screen.expected, screen.dropped) == (3, 1))
  }

  /// The profile does not say which process handed over the first picture.
  @Test func `a picture that began while two processes drew is in doubt`() throws {
    let paint = #""CONTENT_FULL_PAINT_TIME"]"#
    let recording = try Self.read([
      ("[3,1102.8,1103.5,1,1,", "[4,1102,1103,1,1],[3,1102.8,1103.5,1,1,"),
      (paint, #"\#(paint.dropLast()),"RefreshDriverTick"]"#),
    ])
    #expect(recording.doubts.contains { $0.hasPrefix("1 pictures began while another process") })
    let plain = try Seeds.read("recording-firefox/gecko.json")
    #expect(recording.frameLines == plain.frameLines)
  }

  @Test func `long tasks that a profile does not mark are unknown, not none`() throws {
    let long = ("[1,0,168.5,3", "[1,0,228.5,3")
    let unmarked = ("LongTask", "Other")
    #expect(try Self.read([long]).figures == [RecordedFigure(.longTasks, .count(1))])
    #expect(try Self.read([unmarked]).figures == [RecordedFigure(.longTasks, .count(0))])
    #expect(try Self.read([long, unmarked]).figures.isEmpty)
  }

  @Test func `processes and threads of one number with a suffix are told apart`() throws {
    let seed = try Seeds.bytes("recording-firefox/gecko.json")
    let text = String(decoding: seed, as: UTF8.self)
      .replacing(#""pid":1,"tid":11"#, with: #""pid":"2.1","tid":"2.1""#)
      .replacing(#""pid":2,"tid":22"#, with: #""pid":"2 from profile 1","tid":"2""#)
    let threads = try RecordingFile.index(Array(text.utf8), name: "page").threads
    #expect(Set(threads.map(\.process.number)).count == 3)
    #expect(threads[0].number == threads[0].process.number)
    #expect((threads[1].number, threads[1].process.number, threads[2].number) == (2, 2, 2))
    let recording = try RecordingFile.read(Array(text.utf8), name: "page")
    #expect(recording.threads.map(\.number) == [2] && recording.frames.count == 3)
  }

  @Test(arguments: [
    (
      #"{"meta":{"preprocessedProfileVersion":57},"threads":[{"name":"app","samples":{"length":0}}]}"#,
      "samples do not say when tasks began"
    ),
    (#"{"libs":[],"threads":[{"markers":{"schema":{},"data":[["#, "ends too early"),
    (#"{"libs":[],"threads":[{"markers":{"startTime":[1e30]}}]}"#, "time is out of range"),
    (#"{"libs":[],"threads":[{"markers":{"name":["a"]}}]}"#, "a number is expected here"),
    (#"{"libs":[],"threads":[1]}"#, "'{' is expected here"),
    (#"{"libs":[],"meta":1,"threads":{},"processes":null}"#, "holds no tasks of any thread"),
    (
      #"{"libs":[],"meta":{"startTime":1},"processes":[{"meta":{"startTime":2000000000000}}]}"#,
      "the process begins out of range"
    ),
    (
      #"{"libs":[],"# + String(repeating: #""processes":[{"#, count: 100),
      "nested more than 128 deep"
    ),
  ])
  func `a broken profile ends in one line that says where`(_ text: String, _ reason: String) throws
  {
    let message = try #require(HostileRecordingTests.failure(Array(text.utf8)))
    #expect(message.hasPrefix("recording:") && message.contains(reason), "\(message)")
  }

  /// By a script over the markers: 3858 of its main thread's 3877 intervals are within one of 574 busy times, 10 are measures.
  @Test(.enabled(if: SharedRecordings.folder != nil, SharedRecordings.missing))
  func `a real profile has the ticks, bursts and vsyncs that a script counts`() throws {
    let index = try SharedRecordings.index("firefox-153.json.gz")
    let thread = index.threads[try #require(index.chosen)]
    #expect(thread.process == RecordedProcess(number: 23112, name: "file:// Content"))
    #expect((thread.name, thread.slices, thread.frames) == ("GeckoMain", 3858, 305))
    #expect(thread.tasks == 574)
    #expect(index.threads.count == 15)
    let recording = try SharedRecordings.read("firefox-153.json.gz")
    let works = recording.frames.compactMap(\.work).map { $0.upperBound - $0.lowerBound }
    // Four of the 305 ticks hand nothing over.
    #expect(works.count == 301 && works.count { $0 >= 50_000_000 } == 10)
    #expect(
      recording.frames.allSatisfy { frame in
        guard let shown = frame.presented, let ready = frame.ready else { return false }
        return shown > frame.vsync && ready <= shown
      })
    // The middle distance of all vsyncs is 16.667 ms; some are missing.
    #expect(recording.period.map { (16_600...16_700).contains($0.nanoseconds / 1000) } == true)
    #expect(recording.figures == [RecordedFigure(.longTasks, .count(10))])
    #expect(recording.ownNames == ["burst"] && recording.cores == 2)
    #expect(recording.doubts.contains { $0.hasPrefix("9 intervals are left out") })
  }

  /// By another script, which closes the only interval without an end: the thread was awake 376 times, 375 of them with an end, and
  /// all are outermost slices; 8814 of its 8931 intervals are within them. The last is from 18 698.691 554 ms to the profile's end
  /// at 18 764.375 880 ms.
  @Test(.enabled(if: SharedRecordings.folder != nil, SharedRecordings.missing))
  func `the browser's own thread of a real profile is in a task at its end`() throws {
    let index = try SharedRecordings.index("firefox-153.json.gz")
    let threads = index.threads.filter { $0.process.number == 22402 && $0.name == "GeckoMain" }
    #expect(threads.map { [$0.slices, $0.tasks] } == [[8814, 376]])
    let recording = try SharedRecordings.read(
      "firefox-153.json.gz", choosing: RecordingChoice(process: "22402"))
    let last = try #require(recording.tasks.last)
    #expect(last.length == .nanoseconds(65_684_326) && last.end == recording.length)
    #expect(!recording.doubts.contains { $0.contains("tasks are left out") })
  }
}
