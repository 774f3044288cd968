import SchedulableThreads
import TestSupport
import Testing

@testable import SchedulableObjects

struct RepeatedEventTests {
  private let seen = Recorder<Int>()

  /// Records the milliseconds at which it runs.
  private func count(
    every period: Duration, on scheduler: ManualScheduler
  ) -> RepeatedEvent {
    scheduler.schedule(every: period) { [seen, weak scheduler] in
      seen.add(Int((scheduler?.now ?? .zero) / .milliseconds(1)))
    }
  }

  @Test func `it comes at whole periods, until it is cancelled`() {
    let scheduler = ManualScheduler()
    let event = count(every: .milliseconds(100), on: scheduler)
    scheduler.advance(by: .milliseconds(350))
    #expect(seen.all == [100, 200, 300])
    event.cancel()
    scheduler.advance(by: .seconds(1))
    #expect(seen.all == [100, 200, 300])
  }

  @Test func `it may cancel itself, and is not missed`() {
    let scheduler = ManualScheduler()
    let own = Locked<RepeatedEvent?>(nil)
    let event = scheduler.schedule(every: .milliseconds(10)) { [seen] in
      seen.add(0)
      if seen.count == 2 { own.withLock { $0 }?.cancel() }
    }
    own.withLock { $0 = event }
    scheduler.advance(by: .seconds(1))
    #expect(seen.count == 2)
  }

  @Test func `turns whose time has passed are left out`() {
    #expect(RepeatedEvent.due(after: 100, every: 10, at: 100) == 110)
    #expect(RepeatedEvent.due(after: 100, every: 10, at: 109) == 110)
    #expect(RepeatedEvent.due(after: 100, every: 10, at: 110) == 120)
    #expect(RepeatedEvent.due(after: 100, every: 10, at: 135) == 140)
    #expect(RepeatedEvent.due(after: .max - 5, every: 10, at: 0) == .max)
  }

  @Test func `its captured values are released when it ends`() {
    let scheduler = ManualScheduler()
    let deaths = Recorder<Bool>()
    let event = {
      let tracked = Tracked { deaths.add(true) }
      return scheduler.schedule(every: .milliseconds(10)) { tracked.value += 1 }
    }()
    scheduler.advance(by: .milliseconds(15))
    #expect(deaths.count == 0)
    event.cancel()
    #expect(deaths.count == 1)
  }

  @Test func `it comes to an object until the last handle is gone`() {
    let scheduler = ManualScheduler()
    let deaths = Recorder<Bool>()
    do {
      let object = SchedulableObject(Tracked { deaths.add(true) }, on: scheduler)
      object.schedule(every: .milliseconds(10)) { [seen] tracked in
        tracked.value += 1
        seen.add(tracked.value)
      }
      scheduler.advance(by: .milliseconds(35))
      #expect(seen.all == [1, 2, 3])
    }
    scheduler.advance(by: .seconds(1))
    #expect(seen.count == 3 && deaths.count == 1)
    let count = scheduler.counters.events
    scheduler.advance(by: .seconds(1))
    #expect(scheduler.counters.events == count)
  }

  @Test func `it ends with its scheduler, which tells of it`() {
    let (reports, deaths) = (Recorder<Report>(), Recorder<Bool>())
    var options = SchedulerOptions()
    options.report = { reports.add($0) }
    let scheduler = ManualScheduler(options: options)
    do {
      let tracked = Tracked { deaths.add(true) }
      scheduler.schedule(every: .milliseconds(10)) { tracked.value += 1 }
    }
    scheduler.advance(by: .milliseconds(25))
    scheduler.shutdown()
    #expect(deaths.count == 1)
    #expect(reports.count == 1)
  }

  @Test func `it comes on a thread of its own, too`() async throws {
    let scheduler = try ThreadScheduler(name: "clock")
    let third = Gate()
    let event = scheduler.schedule(every: .milliseconds(1)) { [seen] in
      seen.add(0)
      if seen.count == 3 { third.open() }
    }
    await onOwnThread { third.wait() }
    event.cancel()
    await scheduler.shutdown()
    #expect(seen.count >= 3)
  }

  @Test func `a period of nothing stops the process`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ManualScheduler().schedule(every: .zero) {}
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("RepeatedEventTests.swift:"))
    #expect(message.contains("nothing comes every 0.0 seconds"))
  }
}
