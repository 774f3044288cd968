import FrameBudget
import Testing

@Suite struct FrameLedgerTests {
  private let rate = RefreshRate(60)

  private func ledger(realClock: Bool = false, seconds: Int64 = 1) -> FrameLedger {
    FrameLedger(
      refresh: rate, duration: .seconds(seconds), detail: .frames, hasRealClock: realClock)
  }

  /// The record of one frame from vsync 0 to `end`, in a run that continues after it.
  private func record(
    late: Double = 0, end: Instant, _ phases: [(Phase, Double)] = []
  ) throws -> FrameRecord {
    var ledger = ledger(realClock: true)
    ledger.frame(0, late: .ms(late), to: end, at: rate, phases.map { ($0.0, .ms($0.1)) })
    return try #require(ledger.finish(at: .ms(1000)).records.first)
  }

  // MARK: The time at which a frame is shown

  @Test(arguments: 1...200) func `a frame ready exactly at the vsync is on time`(vsync: Int) {
    for (offset, shown) in [(-1, vsync), (0, vsync), (1, vsync + 1)] as [(Int64, Int)] {
      var ledger = FrameLedger(
        refresh: rate, duration: .seconds(10), detail: .summary, hasRealClock: false)
      let end = rate.vsync(vsync) + .nanoseconds(offset)
      let found = ledger.frame(0, to: end, at: rate, [(.logic, end.sinceZero)])
      #expect(found == shown)
      let log = ledger.finish(at: rate.vsync(300))
      #expect(log.lateVsyncs(0) == shown - 1)
    }
  }

  @Test func `a frame that takes no time is shown at the next vsync`() {
    var ledger = ledger()
    let shown = ledger.frame(0, to: .zero, at: rate)
    #expect(shown == 1)
  }

  @Test func `frames begin before the run's last vsync, and later vsyncs are not dropped`() {
    var ledger = ledger()
    var states: [String] = []
    for (vsync, end) in [(0, 59), (59, 70)] {
      states.append("\(ledger.vsync) \(ledger.isOver) \(ledger.dropped)")
      ledger.frame(vsync, to: rate.vsync(end), at: rate)
    }
    states.append("\(ledger.vsync) \(ledger.isOver) \(ledger.dropped)")
    #expect(states == ["0 false 0", "59 false 58", "70 true 59"])
    let log = ledger.finish(at: .ms(1000))
    #expect(log.expected - log.presented == 59)
  }

  @Test func `the next frame begins where the previous one is shown`() throws {
    var ledger = ledger()
    var vsync = ledger.frame(0, to: .ms(40), at: rate, [(.logic, .ms(40))])
    #expect(vsync == 3)
    vsync = ledger.frame(vsync, to: rate.vsync(3) + .ms(1), at: rate, [(.render, .ms(1))])
    #expect(vsync == 4)
    let (due, dropped) = (ledger.due, ledger.dropped)
    #expect(due == rate.vsync(4) && dropped == 2)
    let log = ledger.finish(at: rate.vsync(4))
    #expect(log.begins == [0, 3])
    #expect(log.records.map(\.presentVsync) == [3, 4])
    #expect(log.records.map(\.lateVsyncs) == [2, 0])
    #expect(log.expected == 4 && log.presented == 2)
  }

  /// At 50 Hz: the frame of 20 ms waits for its turn until 45 ms, by which that of 40 ms is due, and the run is stopped at 50.
  @Test func `a frame that waited drops a vsync if the run stops before the next one`()
    throws
  {
    let display = Display(refresh: RefreshRate(50), mainLoop: .events(MainLoop.Events()))
    var ledger = FrameLedger(
      display, duration: .milliseconds(200), detail: .frames, hasRealClock: false)
    let first = ledger.nextEvent(at: .zero)
    ledger.begin(try #require(first), at: .zero)
    ledger.end(at: .ms(1))
    ledger.ran(.logic, from: .ms(2), to: .ms(45))
    ledger.eventEnded(from: .ms(2), to: .ms(45))
    let second = ledger.nextEvent(at: .ms(45))
    ledger.begin(try #require(second), at: .ms(45))
    let log = ledger.finish(at: .ms(50))
    #expect(log.presented == 1 && log.expected == 2)
    #expect(log.drops.map(\.vsyncs) == [1] && log.drops.map(\.cause) == [.logic])
  }

  @Test func `a frame that begins at another vsync traps`() async {
    await #expect(processExitsWith: .failure) {
      var ledger = FrameLedger(
        refresh: RefreshRate(60), duration: .seconds(1), detail: .summary, hasRealClock: false)
      let shown = ledger.frame(0, to: .ms(40), at: RefreshRate(60))
      ledger.begin(vsync: shown - 1, wokeAt: .ms(40))
    }
  }

  // MARK: Causes

  @Test(
    arguments: [
      (.post, .post), (.logic, .logic), (.drain, .drain), (.release, .drain), (.reads, .reads),
      (.render, .render), (.lockWait, .lock), (.wakeup, .wakeup), (.preempted, .preempted),
      (.machine, .machine),
    ] as [(Phase, Cause)])
  func `the cause of a late frame is a phase without which it is on time`(
    phase: Phase, cause: Cause
  )
    throws
  {
    #expect(try record(end: .ms(20), [(phase, 20)]).cause == cause)
  }

  @Test func `a frame on time has no cause`() throws {
    #expect(try record(end: .ms(16), [(.logic, 16)]).cause == nil)
  }

  /// The frame ends 3.333334 ms too late, and each phase from `first` on takes 4 ms: any of them alone is enough.
  @Test(arguments: Cause.attributionOrder.dropLast())
  func `causes are tried in their order`(first: Cause) throws {
    let phases: [(Phase, Double)] = [
      (.wakeup, 4), (.preempted, 4), (.machine, 4), (.lockWait, 4), (.logic, 4), (.drain, 4),
      (.post, 4), (.reads, 4), (.compositor, 4), (.render, 4),
    ]
    let place = try #require(Cause.attributionOrder.firstIndex(of: first))
    #expect(try record(end: .ms(20), phases.reversed().dropLast(place)).cause == first)
  }

  @Test func `every phase belongs to one cause, and causes have different letters and words`() {
    let causes = Cause.allCases.map(\.traits)
    #expect(causes.flatMap(\.phases).count == Phase.allCases.count)
    for phase in Phase.allCases { #expect(phase.cause.traits.phases.contains(phase)) }
    #expect(Set(causes.map(\.letter)).count == causes.count)
    #expect(causes.allSatisfy { $0.letter.properties.isUppercase && $0.letter.isASCII })
    #expect(Set(causes.map(\.words)).count == causes.count)
  }

  @Test func `each cause is tried once, and columns keep their order`() {
    for order in [Cause.attributionOrder, Cause.displayOrder] {
      #expect(order.count == Cause.allCases.count && Set(order) == Set(Cause.allCases))
    }
    #expect(
      Cause.allCases.map(\.name) == [
        "wakeup", "lock", "logic", "drain", "post", "reads", "render", "preempted", "machine",
        "compositor", "stuffed",
      ])
  }

  /// The frame ends 3.333334 ms too late.
  @Test(
    arguments: [
      ([(.preempted, 2), (.machine, 1.5), (.logic, 15)], .preempted),
      ([(.preempted, 1.5), (.machine, 2), (.logic, 15)], .machine),
      ([(.wakeup, 1), (.preempted, 1), (.machine, 1.5), (.render, 15)], .machine),
      ([(.wakeup, 1), (.preempted, 4), (.machine, 5), (.render, 15)], .preempted),
      ([(.wakeup, 1), (.preempted, 1), (.machine, 1), (.render, 15)], .render),
    ] as [([(Phase, Double)], Cause)])
  func `all reasons for not running count as one cause`(
    phases: [(Phase, Double)], cause: Cause
  ) throws {
    #expect(try record(end: .ms(20), phases).cause == cause)
  }

  @Test func `not running is the largest cause if its reasons add up to the most`() throws {
    let idle: [(Phase, Double)] = [(.preempted, 8), (.machine, 7)]
    #expect(try record(end: .ms(60), idle + [(.logic, 14), (.lockWait, 13)]).cause == .preempted)
    #expect(try record(end: .ms(60), idle + [(.logic, 16), (.lockWait, 13)]).cause == .logic)
  }

  @Test func `a cause must reach the vsync exactly`() throws {
    let over = 20 - 16.666666
    #expect(try record(end: .ms(20), [(.logic, over), (.render, 16)]).cause == .logic)
    #expect(try record(end: .ms(20), [(.logic, over - 1e-6), (.render, 16)]).cause == .render)
  }

  @Test func `an earlier small cause does not hide a later one that suffices`() throws {
    #expect(try record(end: .ms(30), [(.logic, 13), (.render, 17)]).cause == .render)
  }

  @Test func `if no phase alone suffices, the largest is the cause`() throws {
    #expect(try record(end: .ms(60), [(.logic, 21), (.drain, 20), (.render, 19)]).cause == .logic)
    #expect(try record(end: .ms(60), [(.logic, 19), (.drain, 20), (.render, 21)]).cause == .render)
    #expect(
      try record(end: .ms(60), [(.logic, 20), (.drain, 20), (.render, 20)]).cause == .logic,
      "of equal ones the first in order")
  }

  @Test func `releasing results counts as draining`() throws {
    #expect(try record(end: .ms(20), [(.drain, 2), (.release, 2), (.render, 3)]).cause == .drain)
    #expect(
      try record(end: .ms(60), [(.drain, 15), (.release, 15), (.logic, 29)]).cause == .drain)
  }

  @Test func `a late begin is a cause`() throws {
    let record = try record(late: 10, end: .ms(20), [(.render, 10)])
    #expect(record.cause == .wakeup)
    #expect(record.begin == .ms(10) && record.workEnd == .ms(20))
    #expect(record.spans[.wakeup] == .ms(10))
  }

  // MARK: Data of a frame

  @Test func `a record holds the noted times`() throws {
    var ledger = ledger(realClock: true)
    ledger.begin(vsync: 0, wokeAt: .ms(1))
    ledger.waiting(items: 7)
    for _ in 0..<3 { ledger.spend(.ms(2), on: .logic) }
    ledger.spend(.ms(0.5), on: .lockWait)
    ledger.handled(items: 2)
    ledger.handled(items: 3)
    _ = ledger.end(at: .ms(8))
    let log = ledger.finish(at: .ms(17))
    let record = try #require(log.records.first)
    #expect(record.items == 5 && record.queueDepth == 7)
    #expect(record.spans[.logic] == .ms(6) && record.spans[.lockWait] == .ms(0.5))
    #expect(record.spans[.wakeup] == .ms(1) && record.spans[.render] == .zero)
    #expect(log.totals == record.spans)
    #expect(log.works == [8_000_000] && log.lateness == [1_000_000])
    #expect(log.deepestQueue == 7)
  }

  @Test func `the longest lock wait is one wait, not a frame's sum`() {
    var ledger = ledger()
    ledger.frame(0, to: .ms(9), at: rate, [(.lockWait, .ms(3)), (.lockWait, .ms(5))])
    ledger.frame(1, to: .ms(20), at: rate, [(.lockWait, .ms(1))])
    let log = ledger.finish(at: .ms(1000))
    #expect(log.longestLockWait == .ms(5))
    #expect(log.totals[.lockWait] == .ms(9))
  }

  @Test func `a summary keeps no records, and a virtual clock has no late wake-ups`() {
    var ledger = FrameLedger(
      refresh: rate, duration: .seconds(1), detail: .summary, hasRealClock: false)
    ledger.frame(0, to: .ms(3), at: rate)
    let log = ledger.finish(at: .ms(17))
    #expect(log.records.isEmpty && log.wakeups.isEmpty)
    #expect(log.lateness == [0] && log.works == [3_000_000])
  }
}
