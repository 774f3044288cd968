import TestSupport
import Testing

@testable import SchedulableObjects

@Suite("Rule 2: nothing blocks, nothing nests, no lock around foreign code")
struct Rule2NoNestingTests {
  @Test func `rule 2, an event cannot drain its main scheduler, and the message has its position`()
    async
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let main = MainScheduler()
      main.schedule { main.drain() }
      main.drain()
    }
    expect(result, toSay: "scheduler 'main' is running its events already, and does not nest")
  }

  @Test func `rule 2, an event cannot shut down its main scheduler, but begin to`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let main = MainScheduler()
      main.schedule { main.shutdown() }
      main.drain(until: .now)
    }
    expect(result, toSay: "calls beginShutdown")
  }

  @Test func `rule 2, an event cannot advance its manual scheduler`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scheduler = ManualScheduler()
      scheduler.schedule { scheduler.run() }
      scheduler.run()
    }
    expect(result, toSay: "scheduler 'manual' is running its events already, and does not nest")
  }

  @Test func `rule 2, an event cannot wait for the end of its scheduler`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scheduler = try ThreadScheduler(name: "self")
      scheduler.schedule { scheduler.shutdownBlocking() }
      waitToBeStopped()
    }
    expect(result, toSay: "scheduler 'self' cannot wait for its own end")
  }

  @Test func `rule 2, schedulers cannot wait for one another's end`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let schedulers = try ["a", "b", "c"].map { try ThreadScheduler(name: $0) }
      let allArePosted = Gate()
      for (index, scheduler) in schedulers.enumerated() {
        let next = schedulers[(index + 1) % 3]
        scheduler.schedule {
          allArePosted.wait()
          next.shutdownBlocking()
        }
      }
      allArePosted.open()
      waitToBeStopped()
    }
    expect(result, toSay: "would wait endlessly for each other's end")
  }

  @Test func `rule 2, schedulers may wait for the end of others in a row`() throws {
    let schedulers = try (0..<5).map { try ThreadScheduler(name: "\($0)") }
    for (scheduler, next) in zip(schedulers, schedulers.dropFirst()) {
      scheduler.schedule { next.shutdownBlocking() }
    }
    for scheduler in schedulers { scheduler.shutdownBlocking() }
  }

  private func expect(_ result: ExitTest.Result?, toSay words: String) {
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains(words), "\(message)")
    #expect(message.contains("Rule2NoNestingTests.swift:"), "\(message)")
  }

  /// Each of these drops a closure whose captured object sends an event as it dies: with a lock held, that would hang.
  @Test(arguments: QueueVariant.allCases)
  func `rule 2, a deinit at the end of an event may send events`(queue: QueueVariant) {
    let reports = Recorder<Report>()
    let scheduler = ManualScheduler(
      options: queue.options.with { $0.report = { reports.add($0) } })
    let deaths = Recorder<Int>()
    func sender(_ number: Int) -> sending Tracked {
      Tracked {
        deaths.add(number)
        scheduler.schedule {}
      }
    }
    scheduler.schedule(after: .seconds(9), event(holding: sender(1))).cancel()
    scheduler.schedule(replacing: "key", event(holding: sender(2)))
    scheduler.schedule(replacing: "key", event(holding: sender(3)))
    scheduler.run()
    scheduler.beginShutdown(.drop)
    scheduler.schedule(event(holding: sender(4)))
    scheduler.shutdown()
    #expect(deaths.all == [1, 2, 3, 4])
  }

  @Test func `rule 2, the deinit of an event dropped by a full queue may send events`() {
    let scheduler = ManualScheduler(
      options: .init().with {
        $0.capacity = .bounded(1, whenFull: .dropOldest)
        $0.report = { _ in }
      })
    let deaths = Recorder<Int>()
    scheduler.schedule(event(holding: Tracked { deaths.add(1) }))
    scheduler.schedule(
      event(
        holding: Tracked {
          deaths.add(2)
          scheduler.schedule {}
        }))
    scheduler.schedule {}
    #expect(deaths.all == [1, 2])
  }
}

/// An event that holds the object.
private func event(holding object: sending Tracked) -> sending () -> Void {
  { object.value += 1 }
}
