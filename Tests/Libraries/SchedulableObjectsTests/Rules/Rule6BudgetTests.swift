import SchedulableThreads
import TestSupport
import Testing

@testable import SchedulableObjects

@Suite("Rule 6: the main side has a budget") struct Rule6BudgetTests {
  @Test func `rule 6, at least one event runs though the deadline is past`() {
    let main = MainScheduler()
    let seen = Recorder<Int>()
    for number in 0..<3 { main.schedule { seen.add(number) } }
    let past = ContinuousClock.now - .seconds(1)
    #expect(main.drain(until: past) == 1)
    #expect(main.drain(until: past) == 1)
    #expect(seen.all == [0, 1])
    #expect(main.drain(until: .now + .seconds(60)) == 1)
    #expect(main.drain(until: .now + .seconds(60)) == 0)
  }

  @Test func `rule 6, draining stops at the deadline though events wait`() {
    let main = MainScheduler(options: .init().with { $0.report = { _ in } })
    let deadline = ContinuousClock.now + .milliseconds(5)
    let late = Tally()
    for _ in 0..<100 {
      main.schedule {
        if ContinuousClock.now >= deadline { late.add() }
        while ContinuousClock.now < deadline - .milliseconds(1) {}
      }
    }
    main.schedule { while ContinuousClock.now < deadline {} }
    for _ in 0..<100 { main.schedule { late.add() } }
    let ran = main.drain(until: deadline)
    #expect(ran >= 1)
    #expect(ran < 201)
    #expect(late.count <= 1)
  }

  @Test func `rule 6, without a deadline what an event sends waits for the next time`() {
    let main = MainScheduler()
    let seen = Recorder<Int>()
    main.schedule {
      seen.add(1)
      main.schedule { seen.add(3) }
    }
    main.schedule { seen.add(2) }
    #expect(main.drain() == 2)
    #expect(seen.all == [1, 2])
    #expect(main.drain() == 1)
    #expect(main.drain() == 0)
  }

  @Test func `rule 6, the main scheduler takes events from other threads and wakes no thread`()
    throws
  {
    let main = MainScheduler()
    let seen = Tally()
    let senders = try (0..<4).map { _ in
      try PlatformThread(name: "sender") {
        for _ in 0..<1_000 { main.schedule { seen.add() } }
      }
    }
    for sender in senders { sender.join() }
    #expect(main.drain() == 4_000)
    #expect(seen.count == 4_000)
    #expect(main.counters.wakeUps == 0)
  }

  @Test func `rule 6, another thread cannot drain the main scheduler`() async {
    await #expect(processExitsWith: .failure) {
      let main = MainScheduler()
      try PlatformThread(name: "other") { main.drain() }.join()
    }
  }
}
