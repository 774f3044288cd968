import FrameBudget
import Testing

@Suite struct OverdueFrameTests {
  @Test func `a frame that was due and never began counts as cut off by a late wake-up`() {
    var ledger = FrameLedger(
      refresh: RefreshRate(50), duration: .milliseconds(100), detail: .frames, hasRealClock: false)
    ledger.begin(vsync: 0, wokeAt: .zero)
    let shown = ledger.end(at: Instant(nanoseconds: 5_000_000))
    #expect(shown == 1)
    let log = ledger.finish(at: Instant(nanoseconds: 100_000_000))
    #expect(log.begins == [0, 1])
    #expect(log.expected == 5)
    #expect(log.presented == 1)
    #expect(log.lateVsyncs(1) == 4)
    #expect(log.drops.map(\.cause) == [.wakeup])
  }
}
