import FrameBudget
import Testing

/// A loop of events: the waiting of a frame is charged to the main thread's work in this time, and only the rest to a late
/// wake-up. 50 Hz, so that a period is 20 ms.
@Suite struct WaitingFrameTests {
  private static let rate = RefreshRate(50)

  private static func ledger(
    deadline: Int = 1, frameTime: MainLoop.Events.FrameTime = .newest,
    duration: TimeSpan = .seconds(1)
  ) -> FrameLedger {
    FrameLedger(
      Display(
        refresh: rate, pipeline: Pipeline(deadline: deadline),
        mainLoop: .events(MainLoop.Events(frameTime: frameTime))),
      duration: duration, detail: .frames, hasRealClock: true)
  }

  /// Something other than a frame.
  private static func item(
    _ ledger: inout FrameLedger, _ phase: Phase = .logic, from: Double, to: Double
  ) {
    ledger.ran(phase, from: .ms(from), to: .ms(to))
    ledger.eventEnded(from: .ms(from), to: .ms(to))
  }

  private static func frame(
    _ ledger: inout FrameLedger, _ phase: Phase = .render, from: Double, to: Double
  ) throws {
    let event = ledger.nextEvent(at: .ms(from))
    ledger.begin(try #require(event), at: .ms(from))
    ledger.spend(.ms(to - from), on: phase)
    ledger.ran(phase, from: .ms(from), to: .ms(to))
    ledger.end(at: .ms(to))
  }

  @Test(arguments: Phase.parts)
  func `time of the previous frame is not a late wake-up`(phase: Phase) throws {
    var ledger = Self.ledger(deadline: 2)
    for number in 0..<4 {
      try Self.frame(&ledger, phase, from: Double(number) * 33, to: Double(number + 1) * 33)
    }
    let log = ledger.finish(at: .ms(133))
    #expect(log.wakeups.prefix(4) == [0, 0, 0, 0])
    // Asked for at 0, 20, 40 and 80 ms: the third shows the moment of 60 ms, and began at 66.
    #expect(log.lateness.prefix(4) == [0, 13_000_000, 26_000_000, 19_000_000])
    // From its vsync on, at 20 ms, the frame before took 13, and itself 33.
    #expect(log.records[1].spans[phase] == .ms(46) && log.records[1].spans[.wakeup] == .zero)
    #expect(!log.drops.isEmpty && !log.drops.contains { $0.cause == .wakeup })
  }

  @Test func `time of the main thread counts once, between frames too`() throws {
    var ledger = Self.ledger(deadline: 2)
    try Self.frame(&ledger, from: 0, to: 33)
    try Self.frame(&ledger, from: 33, to: 39)
    Self.item(&ledger, from: 41, to: 44)
    Self.item(&ledger, .lockWait, from: 45, to: 52)
    ledger.noteIdle(at: .ms(52))
    try Self.frame(&ledger, .lockWait, from: 60, to: 64)
    let log = ledger.finish(at: .ms(70))
    #expect(log.totals[.render] == .ms(39) && log.totals[.logic] == .ms(3))
    #expect(log.totals[.lockWait] == .ms(11) && log.longestLockWait == .ms(7))
  }

  @Test func `a late wake-up and other work before a frame each count for their time`() throws {
    var ledger = Self.ledger()
    try Self.frame(&ledger, from: 0, to: 5)
    ledger.noteIdle(at: .ms(5))
    Self.item(&ledger, from: 23, to: 28)
    try Self.frame(&ledger, from: 28, to: 33)
    let log = ledger.finish(at: .ms(59))
    #expect(log.records[1].spans[.wakeup] == .ms(3) && log.records[1].spans[.logic] == .ms(5))
    #expect(log.wakeups == [0, 3_000_000] && log.lateness == [0, 8_000_000])
  }

  /// Nothing of the app ran from 5 ms on: with a deadline of two periods that costs vsyncs before the frame's own.
  @Test(arguments: [(1.0, Cause.wakeup), (50, .logic)])
  func `the cause of a late start is whatever kept the thread longest, idling included`(
    item: Double, cause: Cause
  ) throws {
    var ledger = Self.ledger(deadline: 2)
    try Self.frame(&ledger, from: 0, to: 5)
    ledger.noteIdle(at: .ms(5))
    Self.item(&ledger, from: 62, to: 62 + item)
    try Self.frame(&ledger, from: 62 + item, to: 70 + item)
    let log = ledger.finish(at: .ms(200))
    #expect(log.records[1].beginCause == cause)
  }

  @Test func `a frame that waited delays the next one with the same cause`() throws {
    var ledger = Self.ledger(deadline: 2, frameTime: .posted)
    for vsync in 0..<3 {
      try Self.frame(&ledger, from: Double(vsync) * 20, to: Double(vsync) * 20 + 5)
      ledger.noteIdle(at: .ms(Double(vsync) * 20 + 5))
    }
    // The frame of 60 ms waits for 21 ms, and draws for 19 ms: no frame begins at 80 ms.
    Self.item(&ledger, from: 58, to: 81)
    try Self.frame(&ledger, from: 81, to: 100)
    try Self.frame(&ledger, from: 100, to: 105)
    let log = ledger.finish(at: .ms(200))
    #expect(log.records[3].spans[.logic] == .ms(21))
    #expect(log.records[4].beginCause == .logic)
  }

  /// Of a run that ends at 50 ms the last vsync is at 40 ms; nothing is in the way from 45 ms on.
  @Test
  func `a frame that never began waits for the work that ran, not for the end`()
    throws
  {
    var ledger = Self.ledger(duration: .ms(50))
    try Self.frame(&ledger, from: 0, to: 5)
    ledger.noteIdle(at: .ms(5))
    Self.item(&ledger, from: 15, to: 42)
    Self.item(&ledger, .drain, from: 42, to: 45)
    let log = ledger.finish(at: .ms(50))
    #expect(log.records[1].spans[.wakeup] == .zero && log.wakeups == [0, 0])
    #expect(log.records[1].spans[.logic] == .ms(22) && log.drops.map(\.cause) == [.logic])
  }

  @Test func `the live record of a waiting frame shows its cause`() throws {
    var ledger = Self.ledger(deadline: 2)
    try Self.frame(&ledger, from: 0, to: 5)
    ledger.noteIdle(at: .ms(5))
    let waiting = ledger.waiting(at: .ms(150), doing: .logic, since: .ms(12))
    let record = try #require(waiting).record(asOf: .ms(150), Self.rate)
    #expect(record.mainCause == .logic && record.spans[.wakeup] == .zero)
    #expect(record.spans[.logic] == .ms(130))
  }
}
