import FrameBudget
import FrameBudgetCaptures
import FrameBudgetLearning
import FrameBudgetParsing
import Testing

@testable import FrameRecording

struct NotedTraceTests {
  private static let period = 50.0 / 3

  /// Two seconds of an app that draws for 4 ms at every vsync, and hangs twice: an import of ten photos, 8.5 ms each, that was
  /// posted 3 ms before it began; and answers taps.
  private static var notes: [Note] {
    var notes: [Note] = []
    var free = 0.0
    for vsync in 1...120 {
      let at = Double(vsync) * period
      // Timers skip missed firings.
      if free > at + period { continue }
      let begin = max(at, free)
      notes.append(Note(.frame(TimedFrame()), begin, begin + 4))
      free = begin + 4
      if vsync % 10 == 0 {
        notes.append(Note(.interval("tap"), at + 5, at + 6))
        free = at + 6
      }
      guard vsync == 21 || vsync == 81 else { continue }
      let number = UInt32(vsync)
      notes.append(Note(.post(number), at + 3, at + 3, on: NotedTrack(number: 9, name: "camera")))
      for photo in 0..<10 {
        let from = at + 6 + 8.5 * Double(photo)
        notes.append(Note(.interval("decode"), from, from + 6))
        notes.append(Note(.interval("store"), from + 6, from + 8.5))
      }
      notes.append(Note(.task(post: number), at + 6, at + 91))
      free = at + 91
    }
    return notes
  }

  @Test func `a recording has the main thread, frames and posts`() throws {
    let recording = try RecordedText(Self.notes).recording
    #expect(recording.format == .framebudget)
    #expect(recording.process.name == "made")
    #expect(recording.doubts == [])
    #expect(recording.cores == 3)
    let main = try #require(recording.threads.first)
    #expect(main.name == "main")
    #expect(main.slices.filter { $0.depth == 0 }.count > 100)
    // A recording begins with its first slice, at the first vsync.
    let posted = main.posts.map { Int($0.instant.inMilliseconds.rounded()) }
    #expect(posted == [336, 1336])
    let period = try #require(recording.period)
    #expect(abs(period.inMilliseconds - Self.period) < 0.01)
    #expect(recording.frames.count { $0.verdict == .dropped } == 8)
  }

  @Test func `a scenario learned from it replays it`() throws {
    let learned = try LearnedFromNotes(RecordedText(Self.notes).recording)
    #expect(learned.comparison.faults == [])
    // Each import keeps the screen for four vsyncs.
    #expect(learned.scenario.droppedFrames == 8)
    #expect(Set(learned.scenario.services).isSuperset(of: ["decode", "store"]))
    // With this work off the main thread, no frame is dropped.
    let moved = try #require(learned.replay.run("move-decode"))
    #expect(RunMetrics(moved).frames.dropped < learned.scenario.droppedFrames)
  }

  /// Ten seconds of an app that draws for 4 ms at every vsync, by a timer that skips missed firings, and hangs for work that comes
  /// at any time between two vsyncs. So some frames begin just before a vsync, and others behind one in the same interval.
  private static var hangs: [Note] {
    var work: [(name: String, at: Double, length: Double)] = []
    for (name, period, length) in [
      ("search", 290.0, 26.0), ("sync", 1130, 45), ("store", 3010, 18),
    ] {
      for at in stride(from: period, to: 9_900, by: period) { work.append((name, at, length)) }
    }
    work.sort { $0.at > $1.at }
    var notes: [Note] = []
    var (free, drawn) = (0.0, 0)
    while free < 10_000 {
      let tick = Double(drawn + 1) * period
      if let next = work.last, next.at < tick {
        work.removeLast()
        let begin = max(free, next.at)
        free = begin + next.length
        notes.append(Note(.interval(next.name), begin, free))
      } else {
        let begin = max(free, tick)
        free = begin + 4
        drawn = Int(begin / period)
        notes.append(Note(.frame(TimedFrame()), begin, free))
      }
    }
    return notes
  }

  @Test func `hangs at any time between vsyncs are replayed, and each named service may move`()
    throws
  {
    let recording = try RecordedText(Self.hangs).recording
    let learned = try LearnedFromNotes(recording)
    #expect(
      learned.comparison.replay == .good,
      "\(learned.comparison.faults.map { "\($0)" }) \(learned.comparison.droppedInShort)")
    // What the recorder calls dropped, and what follows from the ends of frames.
    #expect(recording.frames.count { $0.verdict == .dropped } == learned.scenario.droppedFrames)
    #expect(Set(learned.scenario.services).isSuperset(of: ["search", "sync", "store"]))
  }

  @Test func `import counts the frames that learn counts`() throws {
    let text = RecordedText(Self.notes)
    let learned = try LearnedFromNotes(text.recording).scenario
    let imported = try ImportedLog(ByteSource(text.bytes, name: "made.json"), refresh: nil)
    let values = try #require(imported.streams.first).values
    #expect(imported.streams.map(\.process) == ["made"])
    #expect(values["dropped_frames"]?.number == 8)
    #expect(values["expected_frames"]?.number == Double(learned.wantedFrames))
  }

  @Test func `names neither break the file nor are mistaken for steps`() throws {
    let notes = [
      Note(.interval("a/b \"c\"\n\\"), 1, 2), Note(.interval("\u{202E}d"), 3, 4),
      Note(.interval(""), 5, 6),
    ]
    let recording = try RecordedText(notes).recording
    #expect(recording.threads.first?.slices.count == 3)
    #expect(recording.names.contains("a:b \"c\"\n\\"))
  }

  @Test func `other threads have their own tracks`() throws {
    let notes = [
      Note(.interval("main work"), 0, 2),
      Note(.interval("index"), 1, 5, on: NotedTrack(number: 77, name: "files")),
    ]
    let recording = try RecordedText(notes).recording
    #expect(recording.threads.map(\.name) == ["main", "files"])
  }

  // MARK: Reading of written files

  @Test(arguments: [
    "\u{1B}]0;x\u{7}", "a\"b\\c", "=1+1|<b>", "", "\u{202E}\u{0}",
    String(repeating: "n", count: 100_000),
  ])
  func `an interval of any name is read back by that name`(_ name: String) throws {
    let notes = [
      Note(.frame(TimedFrame()), 0, 4), Note(.interval(name), 5, 6),
      Note(.frame(TimedFrame()), 17, 20),
    ]
    #expect(try RecordedText(notes).recording.names.contains(name))
  }

  @Test func `an idle time of hours writes no vsyncs, and is read back as a minute`() throws {
    let hours = 3.0 * 3_600_000
    let frames = (0..<40).map { frame in
      let at = Double(frame) * Self.period + (frame < 20 ? 0 : hours)
      return Note(.frame(TimedFrame()), at, at + 4)
    }
    let text = RecordedText(frames)
    #expect(text.bytes.count < 100_000)
    let recording = try text.recording
    #expect(recording.doubts.contains { $0.hasPrefix("nothing happened for 1080") })
    #expect(recording.length < .seconds(62) && recording.frames.count { $0.work != nil } == 40)
  }
}
