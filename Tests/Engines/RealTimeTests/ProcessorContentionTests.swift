import FrameBudget
import Testing

@testable import FrameBudgetRealTime

@Suite struct `Own threads` {
  @Test func `fewer threads than processors crowd out no thread`() {
    let contention = ProcessorContention(threads: 3, processors: 4)
    #expect(contention.taken(of: .milliseconds(5), using: .milliseconds(100)) == .zero)
    #expect(
      ProcessorContention.none.taken(of: .milliseconds(5), using: .milliseconds(100)) == .zero)
    #expect(contention.use.others == .zero)
  }

  @Test(
    arguments: [
      // One processor: the time that they used is the time that they took.
      (1, 6, 4, 4), (1, 6, 9, 6), (1, 6, 0, 0),
      // They had to use both for as long.
      (2, 6, 12, 6), (2, 6, 22, 6), (2, 6, 4, 2),
      // Clocks that are read one after the other disagree a little.
      (2, 6, -1, 0), (2, 0, 9, 0),
    ] as [(Int, Int64, Int64, Int64)])
  func `own threads take the same time from each processor as from the main thread`(
    processors: Int, missing: Int64, others: Int64, taken: Int64
  ) {
    let contention = ProcessorContention(threads: processors, processors: processors)
    #expect(
      contention.taken(of: .milliseconds(missing), using: .milliseconds(others))
        == .milliseconds(taken))
  }
}

@Suite struct `The main thread's account` {
  private let contention = ProcessorContention(threads: 2, processors: 2)

  private func use(_ main: Int64, _ others: Int64) -> ProcessorUse {
    ProcessorUse(main: .milliseconds(main), others: .milliseconds(others))
  }

  @Test func `splits the time in which it could have run by who ran`() {
    var account = FrameAccount(.post, at: .ms(100), used: use(50, 1000))
    account.waited(.milliseconds(3))
    account.slept(.milliseconds(2))
    // It ran for 8 of 20 ms, and could not run in 5 of them.
    let idle = account.notRunning(until: .ms(120), used: use(58, 1010), contention: contention)
    #expect(idle.preempted == .milliseconds(5) && idle.machine == .milliseconds(2))
  }

  @Test func `has run all the time if clocks disagree by a little`() {
    let account = FrameAccount(.post, at: .ms(100), used: use(50, 0))
    let idle = account.notRunning(until: .ms(120), used: use(71, 50), contention: contention)
    #expect(idle.preempted == .zero && idle.machine == .zero)
  }

  @Test func `charges a phase with its time, less what the thread was blocked`() {
    var account = FrameAccount(.post, at: .ms(100))
    #expect(account.enter(.logic, at: .ms(101)) == .milliseconds(1))
    account.waited(.milliseconds(4))
    #expect(account.enter(.reads, at: .ms(111)) == .milliseconds(6))
    #expect(account.phase == .reads && account.since == .ms(111))
    #expect(account.blocked == .milliseconds(4))
  }

  /// It continued with logic after 1 ms, and has waited for a lock since the third.
  @Test func `reports the time so far of an interval under way`() throws {
    let rate = RefreshRate(60)
    var ledger = FrameLedger(
      refresh: rate, duration: .seconds(1), detail: .frames, hasRealClock: true)
    ledger.begin(vsync: 0, wokeAt: .zero)
    var account = FrameAccount(.post, at: .zero, used: use(0, 0))
    ledger.spend(account.enter(.logic, at: .ms(1)), on: .post)
    let underWay = ledger.underWay
    let frame = try #require(underWay)
    func record() -> FrameRecord {
      account.record(of: frame, asOf: .ms(60), used: use(13, 0), contention: contention, rate)
    }
    #expect(record().cause == .logic && record().spans[.logic] == .milliseconds(59))
    account.noteWait(since: .ms(3))
    #expect(record().cause == .lock && record().lateVsyncs == 3)
    #expect(record().spans[.lockWait] == .milliseconds(57))
    #expect(record().spans[.logic] == .milliseconds(2) && record().spans[.post] == .milliseconds(1))
    #expect(record().spans[.machine] == .zero)
  }
}

extension Instant {
  fileprivate static func ms(_ count: Int64) -> Self { .zero + .milliseconds(count) }
}
