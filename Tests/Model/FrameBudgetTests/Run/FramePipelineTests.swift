import FrameBudget
import Testing

/// The rule for the vsync that shows a frame, applied frame by frame as in a main loop; 60 Hz.
@Suite struct FramePipelineTests {
  private static let refresh = RefreshRate(60)

  /// A main loop that draws, and does nothing else, at the start of which `block` lasts: what a frame takes, by its vsync.
  private static func loop(
    _ pipeline: Pipeline, vsyncs: Int, draw: Double, block: [Int: Double] = [:]
  ) -> FrameLog {
    var ledger = FrameLedger(
      refresh: refresh, pipeline: pipeline, duration: refresh.vsync(vsyncs).sinceZero,
      detail: .frames, hasRealClock: false)
    var behind: [(vsync: Int, from: Instant)] = []
    var stageFree = Instant.zero
    func next() -> Instant {
      let cost = pipeline.compositor.fixed ?? .zero
      stageFree = max(stageFree, behind.removeFirst().from) + cost
      return stageFree
    }
    while !ledger.isOver {
      let vsync = ledger.vsync
      ledger.begin(vsync: vsync, wokeAt: ledger.due)
      let logic = TimeSpan.ms(block[vsync] ?? 0)
      ledger.spend(logic, on: .logic)
      ledger.spend(.ms(draw), on: .render)
      let ended = refresh.vsync(vsync) + logic + .ms(draw)
      guard ledger.end(at: ended) == nil else { continue }
      behind.append((vsync, ended))
      // The only known time here is the estimate of the stage.
      while !behind.isEmpty { ledger.ready(at: next()) }
    }
    return ledger.finish(at: refresh.vsync(vsyncs))
  }

  private static func dropped(_ log: FrameLog) -> [Int] { log.records.flatMap(\.droppedVsyncs) }

  @Test func `a block with a deadline of one period drops what follows it`() throws {
    let log = Self.loop(Pipeline(), vsyncs: 20, draw: 10, block: [10: 30])
    #expect(Self.dropped(log) == [11, 12])
    #expect(log.records[10].presentVsync == 13 && log.records[10].cause == .logic)
    #expect(log.drops.map(\.cause) == [.logic])
  }

  @Test func `a deadline of two periods drops one vsync, and one by delaying the next frame`() {
    let log = Self.loop(Pipeline(deadline: 2), vsyncs: 20, draw: 10, block: [10: 30])
    #expect(Self.dropped(log) == [12, 14])
    #expect(log.records[9].presentVsync == 11 && log.records[10].presentVsync == 13)
    #expect(log.records[11].beginVsync == 13 && log.records[11].presentVsync == 15)
    #expect(log.records[10].cause == .logic && log.records[11].cause == nil)
    #expect(log.records[11].beginCause == .logic)
    #expect(log.records[11].lateVsyncs == 0 && log.records[11].dropped == 1)
  }

  @Test func `a second stage delays the same frame by one more vsync`() {
    let pipeline = Pipeline(deadline: 2, compositor: .constant(.ms(12)))
    let log = Self.loop(pipeline, vsyncs: 20, draw: 10, block: [10: 30])
    #expect(Self.dropped(log) == [12, 13])
  }

  /// Drawing, compositor, deadline, buffers, vsyncs; then dropped, deadlines missed.
  struct Steady: Sendable, CustomTestStringConvertible {
    let draw: Double
    let compositor: Double
    let deadline: Int
    let buffers: Int
    let vsyncs: Int
    let dropped: Int
    let missed: Int?
    let cause: Cause

    init(
      _ draw: Double, _ compositor: Double, d deadline: Int, b buffers: Int? = nil, _ vsyncs: Int,
      drops dropped: Int, missed: Int? = nil, by cause: Cause = .compositor
    ) {
      (self.draw, self.compositor, self.deadline) = (draw, compositor, deadline)
      (self.buffers, self.vsyncs, self.dropped) = (buffers ?? deadline, vsyncs, dropped)
      (self.missed, self.cause) = (missed, cause)
    }

    var pipeline: Pipeline {
      Pipeline(
        deadline: deadline, buffers: buffers, compositor: .constant(.ms(compositor)))
    }
    var testDescription: String {
      "draw \(draw), compositor \(compositor), d\(deadline) b\(buffers), \(vsyncs) vsyncs"
    }
  }

  static let steady = [
    Steady(10, 12, d: 1, 60, drops: 30, missed: 30),
    Steady(10, 12, d: 2, 60, drops: 0, missed: 0),
    Steady(10, 12, d: 1, b: 2, 60, drops: 1, missed: 60),
    Steady(4, 13, d: 1, 60, drops: 30),
    Steady(4, 12, d: 1, 60, drops: 0, missed: 0),
    Steady(4, 13, d: 1, b: 2, 60, drops: 1),
    Steady(10, 18, d: 1, 600, drops: 300),
    Steady(10, 18, d: 2, 600, drops: 75),
    Steady(10, 18, d: 2, b: 3, 600, drops: 44),
    Steady(10, 18, d: 3, b: 3, 600, drops: 43),
    Steady(10, 18, d: 3, b: 4, 600, drops: 43),
    Steady(10, 18, d: 4, 600, drops: 42),
    Steady(20, 0, d: 1, 600, drops: 300, by: .render),
    Steady(20, 0, d: 2, 600, drops: 299, by: .render),
  ]

  @Test(arguments: steady) func `a steady load drops as many frames as a calculation by hand`(
    answer: Steady
  ) {
    let log = Self.loop(answer.pipeline, vsyncs: answer.vsyncs, draw: answer.draw)
    #expect(log.dropped == answer.dropped)
    #expect(log.expected == answer.vsyncs - answer.deadline + 1)
    #expect(log.expected - log.presented == log.dropped)
    if let missed = answer.missed { #expect(log.missed == missed) }
    let causes = Set(log.drops.map(\.cause)).subtracting([.stuffed])
    #expect(causes.isSubset(of: [answer.cause]))
  }

  @Test func `frames are shown in order, never early, and one per vsync`() {
    for answer in Self.steady {
      let log = Self.loop(answer.pipeline, vsyncs: answer.vsyncs, draw: answer.draw)
      let shown = log.begins.indices.map(log.shown).filter { $0 <= log.vsyncs }
      #expect(zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 })
      #expect(
        log.begins.indices.allSatisfy { log.lateVsyncs($0) >= 0 || log.shown($0) > log.vsyncs })
    }
  }

  @Test func `the time to the screen is two periods if the deadline is`() {
    let log = Self.loop(
      Pipeline(deadline: 2, compositor: .constant(.ms(12))), vsyncs: 60, draw: 10)
    let spans = zip(log.begins, log.presents).filter { $1 <= 60 }.map { $1 - $0 }
    #expect(Set(spans) == [2])
  }

  @Test func `a frame that waits for a buffer counts that wait`() {
    let log = Self.loop(
      Pipeline(deadline: 2, compositor: .constant(.ms(18))), vsyncs: 60, draw: 10)
    #expect(log.stuffed > 0)
    #expect(log.records.count { $0.isStuffed } == log.stuffed)
    #expect(Self.loop(Pipeline(), vsyncs: 60, draw: 20).stuffed == 0)
  }
}
