import Testing

@testable import SchedulableObjects

@Suite("Rule 9: counters") struct Rule9CountersTests {
  @Test(arguments: QueueVariant.allCases)
  func `rule 9, events and the deepest queue are counted`(queue: QueueVariant) {
    let scheduler = ManualScheduler(options: queue.options)
    for _ in 0..<7 { scheduler.schedule {} }
    scheduler.run()
    scheduler.schedule {}
    scheduler.run()
    #expect(scheduler.counters.events == 8)
    #expect(scheduler.counters.deepest == 7)
    #expect(scheduler.counters.wakeUps == 0)
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 9, waiting time is measured on request`(queue: QueueVariant) {
    let scheduler = ManualScheduler(options: queue.options.with { $0.measuresWaiting = true })
    scheduler.advance(by: .seconds(5))
    scheduler.schedule {}
    scheduler.schedule(after: .seconds(2)) {}
    scheduler.schedule(after: .seconds(1)) {}
    scheduler.advance(by: .seconds(3))
    #expect(scheduler.counters.waitingTotal == .seconds(3))
    #expect(scheduler.counters.waitingLongest == .seconds(2))
  }

  @Test func `rule 9, waiting time is not measured otherwise`() {
    let scheduler = ManualScheduler()
    scheduler.schedule(after: .seconds(2)) {}
    scheduler.advance(by: .seconds(3))
    #expect(scheduler.counters.waitingTotal == .zero)
  }

  @Test func `rule 9, cancelled events do not count as run`() {
    let scheduler = ManualScheduler()
    let event = scheduler.schedule(after: .zero) { Issue.record("ran") }
    #expect(event.cancel())
    #expect(!event.cancel())
    scheduler.run()
    #expect(scheduler.counters.events == 0)
    #expect(scheduler.counters.refused == 0)
  }
}
