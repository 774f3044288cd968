import FrameBudget
import FrameBudgetSimulation
import Testing

/// Parts of drawing that run early, calculated by hand: 60 Hz, drawing 4 ms, and every sixth frame binds three rows of 5 ms, which
/// is 19 ms of drawing.
@Suite struct `Parts that are prefetched` {
  private static let refresh = RefreshRate(60)
  private static let rows = ["row-1", "row-2", "row-3"]

  private static func scenario(_ loop: MainLoop = .frame) -> Scenario {
    var scenario = Scenario(
      name: "list",
      display: Display(refresh: refresh, render: .constant(.ms(4)), mainLoop: loop),
      duration: refresh.vsync(60).sinceZero, warmup: .zero, services: [Service(name: "app")])
    scenario.frameParts = rows.map { FramePart(name: $0, cpu: cost(.ms(5)), ahead: 6) }
    return scenario
  }

  private static func cost(_ span: TimeSpan) -> DurationDistribution {
    let costs = [TimeSpan](repeating: .zero, count: 5) + [span]
    return RecordedDurations(costs).map { .recorded($0) } ?? .none
  }

  private static func run(
    _ scenario: Scenario, frames: Int, estimate: Admission.Fitting.Estimate = .exact,
    detail: FrameLedger.Detail = .frames
  ) -> RunLog {
    var arrangement = Arrangement.onMain(scenario)
    if frames > 0 {
      arrangement.frameParts = scenario.frameParts.map { _ in
        .prefetched(frames: frames, estimate: estimate)
      }
    }
    return scenario.run(arrangement, detail: detail)
  }

  private static let loops = [MainLoop.frame, .events(MainLoop.Events())]

  @Test(arguments: loops)
  func `in their frames, they drop the vsync after each heavy frame`(loop: MainLoop) {
    let log = Self.run(Self.scenario(loop), frames: 0)
    #expect(log.frames.records.flatMap(\.droppedVsyncs) == [6, 12, 18, 24, 30, 36, 42, 48, 54, 60])
  }

  /// The frame before a heavy one leaves 12.67 ms, which are enough for two rows; the third runs in its frame, of 9 ms then.
  @Test(arguments: loops)
  func `a frame early, two of three rows fit`(loop: MainLoop) throws {
    let log = Self.run(Self.scenario(loop), frames: 1)
    #expect(log.frames.dropped == 0)
    let heavy = try #require(log.frames.records.first { $0.beginVsync == 5 })
    #expect(heavy.parts == [FramePartTime(name: "row-3", span: .ms(5))])
    #expect(heavy.spans[.render] == .ms(9))
    #expect(log.violations.isEmpty)
  }

  @Test(arguments: loops)
  func `two frames early, all rows fit`(loop: MainLoop) throws {
    let log = Self.run(Self.scenario(loop), frames: 2)
    let heavy = try #require(log.frames.records.first { $0.beginVsync == 5 })
    #expect(heavy.parts == [])
    #expect(heavy.spans[.render] == .ms(4))
    #expect(log.frames.dropped == 0)
  }

  /// The frame before a heavy one has room for two rows, and the one before that for the third.
  @Test(arguments: loops)
  func `each row that runs early has its span in the trace`(loop: MainLoop) throws {
    let log = Self.run(Self.scenario(loop), frames: 2, detail: .trace)
    let main = try #require(log.trace?.threads[.main])
    let early = main.spans.compactMap { span -> (part: Int, length: TimeSpan)? in
      guard case .earlyPart(let part) = span.activity else { return nil }
      return (part, span.end - span.begin)
    }
    #expect(early.count == 30 && main.lost == 0)
    #expect(early.allSatisfy { $0.length == .ms(5) })
    #expect(early.prefix(6).map(\.part) == [0, 1, 2, 0, 1, 2])
  }

  /// The run ends within the third of three rows of 8 ms.
  @Test(arguments: loops)
  func `of a frame that the end of the run cuts off, only what ran is recorded`(loop: MainLoop) {
    var scenario = Self.scenario(loop)
    scenario.frameParts = Self.rows.map { FramePart(name: $0, cpu: Self.cost(.ms(8))) }
    scenario.duration = Self.refresh.vsync(6).sinceZero + .ms(1)
    let left = scenario.duration - Self.refresh.vsync(5).sinceZero - .ms(16)
    #expect(left > .ms(1) && left < .ms(2))
    #expect(
      Self.run(scenario, frames: 0).frames.records.last?.parts == [
        FramePartTime(name: "row-1", span: .ms(8)), FramePartTime(name: "row-2", span: .ms(8)),
        FramePartTime(name: "row-3", span: left),
      ])
  }

  /// The picture of the model: drawing 10 ms, two rows of 6 ms, of which the frame before has time for one.
  @Test(arguments: loops)
  func `the model's picture`(loop: MainLoop) {
    var scenario = Self.scenario(loop)
    scenario.display.render = .constant(.ms(10))
    scenario.frameParts = scenario.frameParts.dropLast().map {
      FramePart(name: $0.name, cpu: Self.cost(.ms(6)), ahead: 6)
    }
    #expect(Self.run(scenario, frames: 0).frames.begins.prefix(7) == [0, 1, 2, 3, 4, 5, 7])
    let early = Self.run(scenario, frames: 1)
    #expect(early.frames.dropped == 0)
    #expect(early.frames.records.first { $0.beginVsync == 5 }?.spans[.render] == .ms(16))
  }

  /// The three rows as one part: two of its pieces run in the frame before, the third in its frame.
  @Test(arguments: loops)
  func `of a part in units, single pieces run early`(loop: MainLoop) throws {
    var scenario = Self.scenario(loop)
    scenario.frameParts = [
      FramePart(
        name: "rows", cpu: Self.cost(.ms(15)), ahead: 6, unit: .constant(.ms(5)))
    ]
    let log = Self.run(scenario, frames: 1)
    #expect(log.frames.dropped == 0 && log.violations.isEmpty)
    let heavy = try #require(log.frames.records.first { $0.beginVsync == 5 })
    #expect(heavy.parts == [FramePartTime(name: "rows", span: .ms(5))])
    #expect(heavy.spans[.render] == .ms(9))
    scenario.frameParts[0].unit = nil
    #expect(Self.run(scenario, frames: 1).frames.dropped == 10)
  }

  /// Units of 6 ms: the frame before leaves 12.67 ms for two of them, and the rest of 3 ms runs in its frame.
  @Test(arguments: loops)
  func `the rest of a part is its last piece`(loop: MainLoop) throws {
    var scenario = Self.scenario(loop)
    scenario.frameParts = [
      FramePart(
        name: "rows", cpu: Self.cost(.ms(15)), ahead: 6, unit: .constant(.ms(6)))
    ]
    let log = Self.run(scenario, frames: 1)
    let heavy = try #require(log.frames.records.first { $0.beginVsync == 5 })
    #expect(heavy.parts == [FramePartTime(name: "rows", span: .ms(3))])
  }

  /// Drawing takes 14 ms in every frame, 6 of them for a part, so a frame leaves 2.67 ms: too little for the part, but enough for
  /// one of its three pieces. The next frame leaves 4.67 ms then, and the one behind it 6.67 ms.
  @Test(arguments: loops)
  func `a part of every frame that never fits as a whole runs early in pieces`(loop: MainLoop) {
    var scenario = Self.scenario(loop)
    scenario.display.render = .constant(.ms(8))
    scenario.frameParts = [
      FramePart(name: "rows", cpu: .constant(.ms(6)), ahead: 6, unit: .constant(.ms(2)))
    ]
    let spans = Self.run(scenario, frames: 1).frames.records.map { $0.spans[.render] }
    #expect(spans.prefix(3) == [.ms(14), .ms(12), .ms(10)])
    #expect(spans.dropFirst(3).allSatisfy { $0 == .ms(8) })
    scenario.frameParts[0].unit = nil
    let whole = Self.run(scenario, frames: 1).frames.records.map { $0.spans[.render] }
    #expect(whole.allSatisfy { $0 == .ms(14) })
  }

  /// Frames at vsyncs 1, 5, 8 and 11; those of 5 and 11 are heavy. Two frames early, nothing is dropped; a frame early, all three
  /// rows are ready, because the vsyncs between have no frame, and a row fits before each.
  @Test
  func `on demand, the next frames are those that are wanted, and idle time ends at each vsync`()
    throws
  {
    var scenario = Self.scenario(.events(MainLoop.Events()))
    let vsyncs = [1, 5, 8, 11]
    scenario.display.frames = .onDemand(at: vsyncs.map { Self.refresh.vsync($0).sinceZero })
    let usual = Self.run(scenario, frames: 0)
    #expect(usual.frames.records.flatMap(\.droppedVsyncs) == [6, 12])
    let early = Self.run(scenario, frames: 1)
    #expect(early.frames.records.map(\.beginVsync) == vsyncs && early.frames.dropped == 0)
    #expect(early.frames.records.allSatisfy { $0.spans[.render] == .ms(4) })
    // A part of 20 ms fits into no period, however many have no frame.
    scenario.frameParts = [FramePart(name: "row", cpu: Self.cost(.ms(20)), ahead: 6)]
    #expect(
      Self.run(scenario, frames: 6).frames.dropped == Self.run(scenario, frames: 0).frames.dropped)
    // In units of 10 ms it takes the idle time of two periods, and the next vsync has no frame.
    scenario.frameParts[0].unit = .constant(.ms(10))
    #expect(Self.run(scenario, frames: 1).frames.dropped == 0)
  }

  /// Nothing is known of the next frame before an item's result wants it, so its part cannot run early.
  @Test func `on demand, a frame that nobody has requested is not known`() throws {
    var scenario = Self.scenario(.events(MainLoop.Events()))
    scenario.display.frames = .onDemand(at: [])
    scenario.frameParts = [FramePart(name: "row", cpu: .constant(.ms(5)), ahead: 6)]
    scenario.workloads = [
      Workload(
        name: "work", arrival: .once(1, start: .milliseconds(100)),
        steps: [Step(name: "step", service: 0, load: .cpu(.constant(.ms(1))))])
    ]
    let log = Self.run(scenario, frames: 6)
    let frame = try #require(log.frames.records.first)
    // The request at 101 ms wants vsync 7, at 116.7 ms; the row fits in between.
    #expect(frame.beginVsync == 7 && frame.spans[.render] == .ms(4))
    #expect(log.frames.records.count == 1 && log.frames.totals[.render] == .ms(9))
  }

  /// The work is the same wherever it runs; the rows of the frames behind the end of the run come early, too.
  @Test func `nothing is drawn twice`() {
    let usual = Self.run(Self.scenario(), frames: 0)
    let early = Self.run(Self.scenario(), frames: 1)
    // 60 frames of 4 ms and 10 of 15 ms; today ten vsyncs have no frame, and the heavy frames are those of vsyncs 5, 11, …
    #expect(early.frames.totals[.render] == .ms(60 * 4 + 10 * 15))
    #expect(usual.frames.totals[.render] < early.frames.totals[.render])
  }

  /// 20 ms never fit into what a frame of 4 ms leaves. What was never measured is tried: it overruns, and the frame of vsync 1
  /// begins at vsync 2.
  @Test func `what was never measured is tried, and what does not fit is not`() throws {
    var scenario = Self.scenario()
    scenario.frameParts = [FramePart(name: "row-1", cpu: Self.cost(.ms(20)), ahead: 6)]
    let exact = Self.run(scenario, frames: 6)
    #expect(exact.frames.dropped == 10)
    let learned = Self.run(scenario, frames: 5, estimate: .learned)
    // Behind frame 0 the part of frame 5 runs, from 4 to 24 ms; later ones run in their frames.
    #expect(learned.frames.begins.prefix(3) == [0, 2, 3])
    #expect(learned.frames.records.flatMap(\.droppedVsyncs).first == 2)
    #expect(learned.frames.records.first { $0.dropped > 0 }?.mainCause == .render)
    #expect(learned.frames.records.first { $0.beginVsync == 5 }?.parts == [])
    #expect(learned.frames.records.first { $0.beginVsync == 11 }?.parts.count == 1)
  }
}
