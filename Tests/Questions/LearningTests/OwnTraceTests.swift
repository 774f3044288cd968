import FrameBudget
@testable import FrameBudgetCaptures
import Testing

@testable import FrameBudgetLearning

/// Traces in the project's own format, in which items run within frames.
struct OwnTraceTests {
  private static let period = 50.0 / 3

  /// A frame of 4 ms at every vsync but 2; that of vsync 1 runs two items first, for 15 and 10 ms, and 1 ms of reads
  /// before them.
  private static var trace: Recording {
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var frames: [RecordedFrame] = []
    for vsync in 0..<12 where vsync != 2 {
      let at = Double(vsync) * period
      let end = vsync == 1 ? at + 30 : at + 4
      slices.append((vsync == 1 ? "late frame" : "frame", at, end, 0))
      if vsync == 1 {
        slices += [
          ("reads", at, at + 1, 1), ("logic", at + 1, at + 11, 1),
          ("work/hash", at + 1, at + 11, 2), ("logic", at + 11, at + 16, 1),
          ("work/store", at + 11, at + 16, 2), ("logic", at + 16, at + 26, 1),
          ("work/hash", at + 16, at + 26, 2), ("preempted", at + 20, at + 22, 3),
        ]
      }
      slices.append(("render", end - 4, end, 1))
      frames.append(
        RecordedFrame(
          vsync: .ms(at), work: TimeSpan.ms(at).nanoseconds..<TimeSpan.ms(end).nanoseconds,
          ready: .ms(end), presented: .ms(Double(vsync == 1 ? 3 : vsync + 1) * period),
          verdict: .shown))
    }
    frames.append(RecordedFrame(vsync: .ms(2 * period), verdict: .dropped))
    frames.sort { $0.vsync < $1.vsync }
    let steps = slices.indices.filter { slices[$0].name.hasPrefix("work/") }
    return .slices(
      slices, frames: frames, format: .framebudget,
      steps: zip(steps, [0, 0, 1]).map { RecordedStep(slice: $0, workload: 3, item: $1) })
  }

  @Test func `work in frames is items with their steps, not drawing`() throws {
    let learned = try #require(LearnedScenario(Self.trace, name: "app", source: "trace.json"))
    #expect(Set(learned.services) == ["work-hash", "work-store"])
    let items = learned.items.workloads.flatMap(\.items).sorted { $0.arrival < $1.arrival }
    #expect(items.map { $0.costs.map { $0.cpu / 1_000_000 } } == [[0, 10, 5], [0, 8]])
    // The processor time that the second lost to others is neither work nor waiting.
    #expect(items.allSatisfy { $0.costs.allSatisfy { $0.wait == 0 } })
    #expect(items.allSatisfy { $0.arrival < TimeSpan.ms(Self.period).nanoseconds })
    #expect(items.allSatisfy { $0.arrival > TimeSpan.ms(Self.period).nanoseconds - 100_000 })
    #expect(learned.items.drawing.map { $0 / 1_000_000 } == [4, 5] + Array(repeating: 4, count: 9))
  }

  /// A Swift app's frames at each vsync, of 5 ms, of these 3 in an interval `bind` and 1 in one that is called as a phase of our
  /// runs.
  @Test func `an app's own intervals in its frames are parts of drawing, whatever their names`()
    throws
  {
    func at(_ vsync: Int, _ milliseconds: Double = 0) -> Instant {
      .zero + .ms(Double(vsync) * Self.period + milliseconds)
    }
    let (main, screen) = (TraceTrack(process: 1, thread: 1), TraceTrack(process: 1, thread: 0))
    let events = (1..<9).flatMap { vsync in
      [
        TraceEvent(
          name: ScreenEvent.vsync.rawValue, category: .screen, track: screen,
          kind: .mark(at(vsync), acrossProcess: false),
          arguments: [(.vsync, .number("\(vsync)"))]),
        TraceEvent(
          name: "frame", category: .frame, track: main, kind: .span(at(vsync), at(vsync, 5)),
          arguments: [(.frame, .number("\(vsync)")), (.beginVsync, .number("\(vsync)"))]),
        TraceEvent(
          name: "bind", category: .step, track: main, kind: .span(at(vsync, 1), at(vsync, 4))),
        TraceEvent(
          name: "reads", category: .step, track: main, kind: .span(at(vsync, 4), at(vsync, 5))),
      ]
    }
    let text =
      TraceEvent.head + TraceEvent.name("vsyncs", of: screen, .screen).line + TraceEvent.separator
      + events.map(\.line).joined(separator: TraceEvent.separator) + TraceEvent.tail
    let recording = try RecordingFile.read(Array(text.utf8), name: "program.json")
    let learned = try #require(LearnedScenario(recording, name: "app", source: "program.json"))
    #expect(learned.partTotals.map(\.name) == ["bind", "reads"])
    #expect(learned.partTotals.map(\.span) == [.milliseconds(24), .milliseconds(8)])
    #expect(learned.drawingTime == .milliseconds(40))
  }

  /// A run's frames of 5 ms, of these 3 drawing; nothing else ran on the main thread.
  @Test func `the phases of a run are never parts of drawing`() throws {
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var frames: [RecordedFrame] = []
    for vsync in 0..<6 {
      let at = Double(vsync) * Self.period
      slices += [
        ("frame", at, at + 5, 0), ("reads", at, at + 2, 1), ("render", at + 2, at + 5, 1),
        ("bind", at + 2, at + 3, 2),
      ]
      frames.append(
        RecordedFrame(
          vsync: .ms(at), work: TimeSpan.ms(at).nanoseconds..<TimeSpan.ms(at + 5).nanoseconds))
    }
    let recording = Recording.slices(slices, frames: frames, format: .framebudget)
    let learned = try #require(LearnedScenario(recording, name: "app", source: "trace.json"))
    #expect(learned.parts == ["bind"])
  }

  @Test func `a frame loop is replayed as one, with the recorded drops`() throws {
    let learned = try #require(LearnedScenario(Self.trace, name: "app", source: "trace.json"))
    let text = learned.scenario(replay: .good)
    #expect(!text.contains("main-loop") && !text.contains("on-demand"), "\(text)")
    let replay = try Replay(learned)
    let log = try replay.run("as-recorded")
    #expect(log.frames.records.flatMap(\.droppedVsyncs) == [2])
    #expect(ReplayComparison(learned, log).counts.bothDropped == 1)
    #expect(try replay.run("move-work-hash").frames.dropped == 0)
  }

  @Test func `items between frames are tasks of an event loop`() throws {
    let recording = Recording.slices(
      [("frame", 0, 4, 0), ("work/hash", 5, 9, 0), ("frame", 50.0 / 3, 20, 0)],
      frames: [
        RecordedFrame(vsync: .zero, work: 0..<4_000_000, presented: .ms(50.0 / 3), verdict: .shown),
        RecordedFrame(
          vsync: .ms(50.0 / 3), work: 16_666_667..<20_000_000, presented: .ms(100.0 / 3),
          verdict: .shown),
      ], format: .framebudget, steps: [RecordedStep(slice: 1, workload: 3, item: 0)])
    let learned = try #require(LearnedScenario(recording, name: "app", source: "trace.json"))
    #expect(learned.scenario(replay: .good).contains("main-loop: events"))
    #expect(learned.items.workloads.flatMap(\.items).map(\.arrival) == [5_000_000])
  }

  /// Every tenth frame waits 47 ms for `index`, and is in time for the vsync at which it begins; two others of ten end
  /// late, although nothing ran but themselves.
  @Test func `work for which frames waited is a service, and frames are not`() throws {
    var slices: [(name: String, begin: Double, end: Double, depth: Int32)] = []
    var frames: [RecordedFrame] = []
    for vsync in 0..<60 where !(1...2).contains(vsync % 10) {
      let at = Double(vsync) * Self.period
      let begin = vsync % 10 == 3 ? at + 1 : at
      let end = begin + (vsync % 5 == 0 ? 20 : 2)
      if vsync % 10 == 3 { slices.append(("index", at + 1 - 47, at + 1, 0)) }
      slices.append((vsync % 5 == 0 || vsync % 10 == 3 ? "late frame" : "frame", begin, end, 0))
      frames.append(
        RecordedFrame(
          vsync: .ms(vsync % 10 == 3 ? at - 2 * Self.period : at), due: .ms(at + Self.period),
          work: TimeSpan.ms(begin).nanoseconds..<TimeSpan.ms(end).nanoseconds))
    }
    let learned = try #require(
      LearnedScenario(
        .slices(slices, frames: frames, format: .framebudget), name: "app", source: "trace.json"))
    #expect(learned.services == ["index"])
    #expect(learned.lateFramesByService == [6])
    #expect(learned.lateFrames == 18)
    #expect(learned.screen.missedDeadlines == 12)
  }
}
