import TestSupport
import Testing

@testable import SchedulableObjects

@Suite struct ManualSchedulerTests {
  private final class Counter {
    var count = 0
    func add() -> Int {
      count += 1
      return count
    }
  }

  private actor Lodger: Schedulable {
    nonisolated let scheduler: any Scheduler
    private var visits = 0

    init(on scheduler: any Scheduler) { self.scheduler = scheduler }

    func visit() -> Int {
      visits += 1
      return visits
    }
  }

  private let scheduler = ManualScheduler()

  @Test func `objects are assembled at once, and a test may call them directly`() async throws {
    let counter = try await scheduler.assemble { $0.bind(Counter()) }
    let anywhere: any Scheduler = scheduler
    let other = try await anywhere.assemble { $0.bind(Counter()) }
    counter.schedule { _ = $0.add() }
    #expect(counter.assumeIsolated { $0.count } == 0)
    scheduler.run()
    #expect(counter.assumeIsolated { $0.add() } == 2)
    #expect(scheduler.assumeIsolated { other.withDirect($0) { $0.add() } } == 1)
    #expect(!scheduler.isCurrent)
  }

  @Test func `other tasks may assemble objects while a run waits for them`() async throws {
    for _ in 0..<50 {
      let scheduler = ManualScheduler()
      let count = try await scheduler.run { [scheduler] in
        let made = Task.detached { try await scheduler.assemble { $0.bind(Counter()) } }
        return try await made.value.call { $0.add() }
      }
      #expect(count == 1)
    }
  }

  @Test func `tasks that assemble objects at once wait for one another`() async throws {
    let built = Tally()
    try await withThrowingTaskGroup(of: Void.self) { [scheduler] group in
      for _ in 0..<100 {
        group.addTask {
          _ = try await scheduler.assemble { here in
            built.add()
            return here.bind(Counter())
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(built.count == 100)
    // The only events: each handle was released.
    #expect(scheduler.run() == 100)
  }

  @Test func `a run drives calls of child tasks, actors' jobs and new objects`() async throws {
    let lodger = Lodger(on: scheduler)
    let counter = try await scheduler.assemble { $0.bind(Counter()) }
    let result = try await scheduler.run { [scheduler] in
      async let first = counter.call { $0.add() }
      async let visit = lodger.visit()
      let sum = try await first + visit
      let other = try await scheduler.assemble { $0.bind(Counter()) }
      return try await sum + other.call { $0.add() }
    }
    #expect(result == 3)
  }

  @Test func `a run moves the clock to the next timer when nothing is left to run`() async throws {
    let seen = Recorder<String>()
    scheduler.schedule(after: .seconds(60)) { seen.add("event") }
    let clock = scheduler.clock
    try await scheduler.run { [scheduler] in
      async let early: Void = {
        try await clock.sleep(for: .seconds(30))
        seen.add("early \(scheduler.now)")
      }()
      try await clock.sleep(for: .seconds(3600))
      try await early
    }
    #expect(seen.all == ["early 30.0 seconds", "event"])
    #expect(scheduler.now == .seconds(3600))
  }

  @Test func `a sleep on the clock ends when the test moves it that far`() async throws {
    let clock = scheduler.clock
    let woken = Tally()
    let sleeper = Task.immediate {
      try await clock.sleep(for: .seconds(5))
      woken.add()
    }
    scheduler.advance(by: .seconds(4))
    #expect(woken.count == 0)
    scheduler.advance(by: .seconds(1))
    try await sleeper.value
    #expect(woken.count == 1)
  }

  @Test func `a sleep of a cancelled task throws`() async {
    let clock = scheduler.clock
    let sleeper = Task { try await clock.sleep(for: .seconds(5)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test func `a run passes on the error of its code, and its cancellation`() async throws {
    struct Failure: Error {}
    let failing = Task { [scheduler] in
      try await scheduler.run { () throws -> Void in throw Failure() }
    }
    await #expect(throws: Failure.self) { try await failing.value }
    let (began, clock) = (Gate(), scheduler.clock)
    let task = Task { [scheduler] in
      try await scheduler.run {
        began.open()
        while !Task.isCancelled { await Task.yield() }
        try await clock.sleep(for: .seconds(1))
      }
    }
    await onOwnThread { began.wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a run waits for what comes from elsewhere`() async throws {
    let thread = try ThreadScheduler(name: "elsewhere")
    let counter = try await thread.assemble { $0.bind(Counter()) }
    #expect(try await scheduler.run { try await counter.call { $0.add() } } == 1)
    await thread.shutdown()
  }
}
