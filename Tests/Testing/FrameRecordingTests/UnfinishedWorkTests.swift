import FrameBudget
import FrameBudgetLearning
import FrameBudgetParsing
import FrameBudgetCaptures
import Testing

@testable import FrameRecording

@Suite struct `What is under way at the end of a recording` {
  private static let period = 50.0 / 3

  /// Frames of 4 ms at the first vsyncs.
  private static func frames(_ count: Int, _ frame: TimedFrame = TimedFrame()) -> [Note] {
    (1...count).map { vsync in
      Note(.frame(frame), Double(vsync) * period, Double(vsync) * period + 4)
    }
  }

  private static let task = Note.Kind.task(post: 1 << 31)

  /// The learned scenario of an app that draws for two seconds, is then in `open`, and is ended after two more.
  private static func learned(
    _ open: [OpenWork], frames: [Note] = frames(120)
  ) throws -> LearnedFromNotes {
    try LearnedFromNotes(RecordedText(frames, open: open, until: 241 * period + 1).recording)
  }

  @Test(arguments: [
    ("a frame", [OpenWork(.frame(TimedFrame()), since: 121 * period)]),
    ("an interval", [OpenWork(.interval("search"), since: 120 * period + 5)]),
    ("a task", [OpenWork(task, since: 120 * period + 5)]),
    (
      "an interval in a task",
      [OpenWork(task, since: 120 * period + 5), OpenWork(.interval("search"), since: 2100)]
    ),
    (
      "an interval in a frame",
      [
        OpenWork(.frame(TimedFrame()), since: 121 * period),
        OpenWork(.interval("draw"), since: 2100),
      ]
    ),
  ])
  func `drops the frames that it holds up`(_ name: String, _ open: [OpenWork]) throws {
    let learned = try Self.learned(open)
    // The frame that was wanted at vsync 121 is missing from vsync 122 on.
    #expect(learned.scenario.droppedFrames == 120, "\(name)")
    #expect(learned.scenario.wantedFrames == 120 + 120, "\(name)")
    #expect(learned.comparison.recorded.drops == "120 of 240")
    #expect(
      abs((learned.comparison.replayed.dropped ?? 0) - 120) <= 2,
      "\(learned.comparison.droppedInShort)")
  }

  @Test func `is counted by import as by learn`() throws {
    let open = [OpenWork(.interval("search"), since: 120 * Self.period + 5)]
    let text = RecordedText(Self.frames(120), open: open, until: 241 * Self.period + 1)
    let imported = try ImportedLog(ByteSource(text.bytes, name: "made.json"), refresh: nil)
    let values = try #require(imported.streams.first).values
    #expect(values["dropped_frames"]?.number == 120)
    #expect(values["expected_frames"]?.number == 240)
  }

  @Test(
    arguments: [
      // Nothing says that a frame was wanted.
      (
        frames(120, TimedFrame(wanted: 0)), [OpenWork(.interval("search"), since: 2010)],
        241 * period
      ),
      ([], [OpenWork(.interval("search"), since: 2010)], 241 * period),
      // Not the main thread.
      (
        frames(120),
        [OpenWork(.interval("index"), since: 2010, on: NotedTrack(number: 7, name: "files"))],
        241 * period
      ),
      // Shorter than a period, or the frame is still in time.
      (frames(120), [OpenWork(task, since: 2030)], 2045),
      (frames(120), [OpenWork(.frame(TimedFrame()), since: 121 * period)], 121 * period + 9),
    ] as [([Note], [OpenWork], Double)])
  func `drops no frames that may not have been wanted`(
    _ frames: [Note], _ open: [OpenWork], _ end: Double
  ) throws {
    let recording = try RecordedText(frames, open: open, until: end).recording
    #expect(recording.frames.count { $0.verdict == .dropped } == 0)
  }

  /// Whatever was open at the last write, the notes of its end say more.
  @Test func `is as if it had ended then`() throws {
    for end in stride(from: 2020.0, to: 2400, by: 7.3) {
      for kind in [Note.Kind.interval("search"), .frame(TimedFrame()), Self.task] {
        let begin = 120 * Self.period + 6
        let text = RecordedText(
          Self.frames(120), open: [OpenWork(kind, since: begin)], until: end)
        let ended = RecordedText(Self.frames(120) + [Note(kind, begin, end)])
        let (open, over) = (try text.recording, try ended.recording)
        #expect(
          open.threads[0].slices.map(\.end) == over.threads[0].slices.map(\.end), "\(kind) \(end)")
      }
    }
  }

  @Test(arguments: [(2010.0, false), (2900, false), (3100, true), (20_000, true)])
  func `is nothing known, so a long silence is told`(_ end: Double, _ isTold: Bool) throws {
    let recording = try RecordedText(Self.frames(120), until: end).recording
    #expect(recording.omissions.isEmpty == !isTold)
    #expect(
      recording.omissions.allSatisfy { $0.hasPrefix("the last ") && $0.contains("noted nothing") })
    #expect(recording.frames.count { $0.verdict == .dropped } == 0)
  }
}
