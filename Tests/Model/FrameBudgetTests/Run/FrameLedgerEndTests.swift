import FrameBudget
import Testing

/// How a run ends: at its duration or interrupted, while waiting or within a frame. `V(1)` is 10 ms.
@Suite struct FrameLedgerEndTests {
  private let rate = RefreshRate(100)

  private func ledger(realClock: Bool = false) -> FrameLedger {
    FrameLedger(refresh: rate, duration: .ms(100), detail: .frames, hasRealClock: realClock)
  }

  private func expectConsistent(_ log: FrameLog, at location: SourceLocation = #_sourceLocation) {
    let late = log.begins.indices.reduce(0) { $0 + log.lateVsyncs($1) }
    let caused = log.drops.reduce(0) { $0 + $1.vsyncs }
    #expect(log.expected - log.presented == late, sourceLocation: location)
    #expect(caused == late, sourceLocation: location)
  }

  @Test func `a frame under way at the end is cut off there`() throws {
    var ledger = ledger()
    let vsync = ledger.frame(0, to: .ms(65), at: rate, [(.logic, .ms(65))])
    ledger.begin(vsync: vsync, wokeAt: .ms(70))
    ledger.spend(.ms(9), on: .render)
    ledger.spend(.ms(21), on: .drain)
    let log = ledger.finish(at: .ms(100))
    let last = try #require(log.records.last)
    #expect(log.expected == 10 && log.presented == 1 && log.shown(1) == 11)
    #expect(last.workEnd == .ms(100) && last.presentVsync == 11 && last.lateVsyncs == 3)
    #expect(last.cause == .drain, "its largest phase")
    #expect(log.totals[.render] == .ms(9))
    expectConsistent(log)
  }

  @Test func `the cause of a frame cut off is its largest phase, not the first that suffices`() {
    var ledger = ledger()
    ledger.begin(vsync: 0, wokeAt: .zero)
    ledger.spend(.ms(99), on: .logic)
    ledger.spend(.ms(1), on: .lockWait)
    let log = ledger.finish(at: .ms(100))
    #expect(log.drops.map(\.cause) == [.logic])
    #expect(log.lateVsyncs(0) == 10 && log.presented == 0)
    expectConsistent(log)
  }

  @Test func `a frame ready before the end but shown after it is not presented`() {
    var ledger = ledger()
    let vsync = ledger.frame(0, to: .ms(80), at: rate, [(.logic, .ms(80))])
    let shown = ledger.frame(vsync, to: .ms(104), at: rate, [(.logic, .ms(24))])
    #expect(vsync == 8 && shown == 11)
    let log = ledger.finish(at: .ms(107))
    #expect(log.expected == 10 && log.presented == 1)
    #expect(log.works == [80_000_000, 24_000_000], "E is its own, for it ended")
    #expect(log.lateVsyncs(1) == 2 && log.drops.last?.cause == .logic)
    expectConsistent(log)
  }

  @Test func `work that ran over the end counts up to the end`() {
    var ledger = ledger()
    let shown = ledger.frame(0, to: .ms(130), at: rate, [(.logic, .ms(70)), (.render, .ms(60))])
    #expect(shown == 13)
    let log = ledger.finish(at: .ms(100))
    #expect(log.works == [100_000_000] && log.shown(0) == 11)
    #expect(log.drops.map(\.cause) == [.logic])
    expectConsistent(log)
  }

  @Test func `a frame shown exactly at the end is presented`() {
    var ledger = ledger()
    ledger.frame(0, to: .ms(100), at: rate, [(.logic, .ms(100))])
    let log = ledger.finish(at: .ms(100))
    #expect(log.expected == 10 && log.presented == 1 && log.lateVsyncs(0) == 9)
    expectConsistent(log)
  }

  @Test(arguments: [20, 20.000001, 25, 29.999999])
  func `interrupted while waiting, a frame that would show nothing is left out`(end: Double) {
    var ledger = ledger()
    ledger.frame(0, to: .ms(4), at: rate, [(.logic, .ms(4))])
    ledger.frame(1, to: .ms(14), at: rate, [(.logic, .ms(4))])
    ledger.frame(2, to: .ms(20), at: rate)
    let log = ledger.finish(at: .ms(end))
    #expect(log.begins == [0, 1] && log.expected == 2 && log.presented == 2)
    #expect(log.totals[.logic] == .ms(8))
    expectConsistent(log)
  }

  @Test func `interrupted while waiting after a late frame, missed vsyncs are dropped`() {
    var ledger = ledger()
    ledger.frame(0, to: .ms(33), at: rate, [(.logic, .ms(33))])
    let log = ledger.finish(at: .ms(35))
    #expect(log.expected == 3 && log.presented == 0 && log.lateVsyncs(0) == 3)
    expectConsistent(log)
  }

  @Test func `interrupted within a frame, that frame is cut off`() {
    var ledger = ledger()
    ledger.frame(0, to: .ms(4), at: rate)
    ledger.begin(vsync: 1, wokeAt: .ms(10))
    ledger.spend(.ms(13), on: .reads)
    let log = ledger.finish(at: .ms(23))
    #expect(log.expected == 2 && log.presented == 1 && log.works == [4_000_000, 13_000_000])
    #expect(log.drops.map(\.cause) == [.reads])
    expectConsistent(log)
  }

  @Test func `interrupted within a frame before its vsync, that frame is left out`() {
    var ledger = ledger(realClock: true)
    ledger.frame(0, to: .ms(4), at: rate, [(.lockWait, .ms(1))])
    ledger.begin(vsync: 1, wokeAt: .ms(11))
    ledger.waiting(items: 99)
    ledger.spend(.ms(7), on: .lockWait)
    let log = ledger.finish(at: .ms(19))
    #expect(log.begins == [0] && log.expected == 1 && log.presented == 1)
    #expect(log.lateness == [0] && log.records.count == 1 && log.works.count == 1)
    #expect(log.totals[.lockWait] == .ms(1) && log.totals[.wakeup] == .zero)
    #expect(log.longestLockWait == .ms(1) && log.deepestQueue == 0)
    expectConsistent(log)
  }

  @Test(arguments: [0, 5, 9.999999])
  func `interrupted before the first vsync, a run has no frames`(end: Double) {
    var ledger = ledger(realClock: true)
    ledger.begin(vsync: 0, wokeAt: .zero)
    ledger.spend(.ms(end), on: .logic)
    let log = ledger.finish(at: .ms(end))
    #expect(log.expected == 0 && log.presented == 0 && log.begins.isEmpty)
    #expect(log.totals == PhaseSpans() && log.records.isEmpty)
    expectConsistent(log)
  }

  @Test func `interrupted before the first frame ends, that frame is cut off`() {
    var ledger = ledger()
    ledger.begin(vsync: 0, wokeAt: .zero)
    ledger.spend(.ms(35), on: .logic)
    let log = ledger.finish(at: .ms(35))
    #expect(log.expected == 3 && log.presented == 0 && log.lateVsyncs(0) == 3)
    expectConsistent(log)
  }

  @Test func `a thread that slept through the end drops the missed frames`() throws {
    var ledger = ledger(realClock: true)
    ledger.frame(0, to: .ms(4), at: rate)
    let log = ledger.finish(at: .ms(47))
    let last = try #require(log.records.last)
    #expect(log.begins == [0, 1] && log.expected == 4 && log.presented == 1)
    #expect(last.cause == .wakeup && last.lateVsyncs == 3 && last.spans[.wakeup] == .ms(37))
    expectConsistent(log)
  }

  @Test func `a run that never began drops every frame`() {
    let ledger = ledger()
    let log = ledger.finish(at: .ms(100))
    #expect(log.expected == 10 && log.presented == 0 && log.begins == [0])
    expectConsistent(log)
  }

  @Test func `frames at the last vsync are not recorded`() {
    var ledger = ledger()
    for vsync in 0...10 { ledger.frame(vsync, to: rate.vsync(vsync), at: rate) }
    let log = ledger.finish(at: .ms(100))
    #expect(log.begins.count == 10 && log.presented == 10)
    expectConsistent(log)
  }
}
