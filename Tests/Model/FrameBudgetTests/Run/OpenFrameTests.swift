import FrameBudget
import Testing

@Suite struct `A frame under way` {
  private static let rate = RefreshRate(60)

  private func ledger() -> FrameLedger {
    FrameLedger(refresh: Self.rate, duration: .seconds(1), detail: .frames, hasRealClock: true)
  }

  @Test func `has separate storage for the time of every phase, and no more`() {
    var spans = PhaseSpans()
    #expect(
      MemoryLayout<PhaseSpans>.size == Phase.allCases.count * MemoryLayout<TimeSpan>.size)
    for phase in Phase.allCases { spans[phase] = .nanoseconds(Int64(1 << phase.rawValue)) }
    for phase in Phase.allCases { #expect(spans[phase].nanoseconds == Int64(1 << phase.rawValue)) }
  }

  @Test func `has the record that it would have if the run ended now`() throws {
    for end in [10.0, 16.666666, 20, 33.333333, 400] {
      var ledger = ledger()
      ledger.begin(vsync: 0, wokeAt: .ms(1))
      ledger.spend(.ms(4), on: .logic)
      ledger.spend(.ms(5), on: .lockWait)
      ledger.handled(items: 3)
      let underWay = ledger.underWay
      let seen = try #require(underWay?.record(asOf: .ms(end), Self.rate))
      let log = ledger.finish(at: .ms(end))
      // Before its vsync it leaves nothing.
      guard let last = log.records.last else {
        #expect(seen.cause == nil && seen.lateVsyncs == 0)
        continue
      }
      #expect(seen == last, "\(end)")
      #expect(seen.cause == .lock)
    }
  }

  @Test func `does not exist between frames`() {
    var ledger = ledger()
    let before = ledger.underWay
    ledger.begin(vsync: 0, wokeAt: .zero)
    let within = ledger.underWay
    _ = ledger.end(at: .ms(3))
    let behind = ledger.underWay
    #expect(before == nil && within != nil && behind == nil)
  }

  @Test func `played back, has spent a proportional share of its time`() {
    var spans = PhaseSpans()
    spans[.logic] = .ms(80)
    spans[.render] = .ms(20)
    let frame = FrameRecord(
      beginVsync: 6, presentVsync: 13, begin: .ms(100), workEnd: .ms(200), cause: .logic, items: 1,
      queueDepth: 2, spans: spans)
    let seen = frame.asOf(.ms(150), Self.rate)
    #expect(seen.spans[.logic] == .ms(40) && seen.spans[.render] == .ms(10))
    #expect(seen.workEnd == .ms(150) && seen.presentVsync == 10 && seen.cause == .logic)
    #expect(frame.asOf(.ms(110), Self.rate).cause == nil)
    #expect(frame.asOf(.ms(200), Self.rate).lateVsyncs == frame.lateVsyncs)
  }
}
