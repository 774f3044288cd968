import TestSupport
import Testing

@testable import SchedulableObjects

@Suite("Rule 5: back-pressure without blocking") struct Rule5CapacityTests {
  private let reports = Recorder<Report>()
  private let seen = Recorder<Int>()

  private func scheduler(_ capacity: Capacity) -> ManualScheduler {
    let reports = reports
    return ManualScheduler(
      name: "full",
      options: .init().with {
        $0.capacity = capacity
        $0.report = { reports.add($0) }
      })
  }

  private func send(_ numbers: Range<Int>, to scheduler: ManualScheduler) {
    for number in numbers { scheduler.schedule { [seen] in seen.add(number) } }
  }

  @Test func `rule 5, a full queue drops the newest and says so`() {
    let scheduler = scheduler(.bounded(3, whenFull: .dropNewest))
    send(0..<5, to: scheduler)
    scheduler.run()
    send(5..<7, to: scheduler)
    scheduler.run()
    #expect(seen.all == [0, 1, 2, 5, 6])
    let refusal = Report.refused(Refusal(scheduler: "full", reason: .full))
    #expect(reports.all == [refusal, refusal])
  }

  @Test func `rule 5, a full queue drops the oldest and says so`() {
    let scheduler = scheduler(.bounded(3, whenFull: .dropOldest))
    send(0..<5, to: scheduler)
    scheduler.run()
    #expect(seen.all == [2, 3, 4])
    let refusal = Report.refused(Refusal(scheduler: "full", reason: .evicted))
    #expect(reports.all == [refusal, refusal])
  }

  @Test func `rule 5, the oldest of the lowest priority goes, and none for a lower one`() {
    let scheduler = scheduler(.bounded(2, whenFull: .dropOldest))
    scheduler.schedule(priority: .user) { [seen] in seen.add(1) }
    scheduler.schedule(priority: .background) { [seen] in seen.add(2) }
    scheduler.schedule { [seen] in seen.add(3) }
    scheduler.schedule(priority: .background) { [seen] in seen.add(4) }
    scheduler.run()
    #expect(seen.all == [1, 3])
    #expect(scheduler.counters.refused == 2)
  }

  @Test(arguments: [Capacity.Overflow.dropOldest, .dropNewest])
  func `rule 5, cancelled delayed events take no place from others`(overflow: Capacity.Overflow) {
    let scheduler = scheduler(.bounded(4, whenFull: overflow))
    send(0..<3, to: scheduler)
    let delayed = (0..<2_000).map { _ in scheduler.schedule(after: .seconds(3600)) {} }
    for event in delayed { event.cancel() }
    send(3..<4, to: scheduler)
    scheduler.run()
    #expect(seen.all == [0, 1, 2, 3])
    #expect(reports.all == [])
  }

  @Test func `rule 5, a call that a full queue drops is answered`() async throws {
    let scheduler = try ThreadScheduler(
      name: "full",
      options: .init().with { $0.capacity = .bounded(1, whenFull: .dropNewest) })
    let object = SchedulableObject(Tracked(), on: scheduler)
    let (running, gate) = (Gate(), Gate())
    scheduler.schedule {
      running.open()
      gate.wait()
    }
    running.wait()
    scheduler.schedule {}
    await #expect(throws: Refusal(scheduler: "full", reason: .full)) {
      try await object.call { $0.value }
    }
    gate.open()
    await scheduler.shutdown()
  }

  @Test(arguments: [Capacity.unbounded(), .bounded(2, whenFull: .dropNewest)])
  func `rule 5, of events with one key only the newest runs, in the place of the first`(
    capacity: Capacity
  ) {
    let scheduler = scheduler(capacity)
    scheduler.schedule(replacing: "position") { [seen] in seen.add(1) }
    send(10..<11, to: scheduler)
    scheduler.schedule(replacing: "position") { [seen] in seen.add(2) }
    scheduler.schedule(replacing: "position") { [seen] in seen.add(3) }
    scheduler.run()
    #expect(seen.all == [3, 10])
    #expect(scheduler.counters.coalesced == 2)
    scheduler.schedule(replacing: "position") { [seen] in seen.add(4) }
    scheduler.run()
    #expect(seen.all == [3, 10, 4])
    #expect(reports.all == [])
  }

  @Test func `rule 5, a keyed event that is refused leaves its key free`() {
    let scheduler = scheduler(.bounded(1, whenFull: .dropNewest))
    send(0..<1, to: scheduler)
    scheduler.schedule(replacing: "key") { [seen] in seen.add(1) }
    scheduler.run()
    scheduler.schedule(replacing: "key") { [seen] in seen.add(2) }
    scheduler.run()
    #expect(seen.all == [0, 2])
    #expect(reports.count == 1)
    #expect(scheduler.counters.refused == 1)
  }

  @Test func `rule 5, a keyed event that replaces another runs at its own priority`() {
    let scheduler = scheduler(.unbounded())
    scheduler.schedule(replacing: "raised") { [seen] in seen.add(-1) }
    scheduler.schedule(replacing: "lowered", priority: .user) { [seen] in seen.add(-2) }
    send(0..<1, to: scheduler)
    scheduler.schedule(replacing: "raised", priority: .user) { [seen] in seen.add(1) }
    scheduler.schedule(replacing: "lowered", priority: .background) { [seen] in seen.add(2) }
    scheduler.run()
    #expect(seen.all == [1, 0, 2])
    #expect(scheduler.counters.coalesced == 2)
    #expect(scheduler.counters.events == 3)
    #expect(scheduler.counters.refused == 0)
  }

  @Test func `rule 5, a key that changed its priority and back has its first place`() {
    let scheduler = scheduler(.unbounded())
    scheduler.schedule(replacing: "key") { [seen] in seen.add(-1) }
    send(0..<1, to: scheduler)
    scheduler.schedule(replacing: "key", priority: .user) { [seen] in seen.add(-2) }
    scheduler.schedule(replacing: "key") { [seen] in seen.add(1) }
    scheduler.run()
    #expect(seen.all == [1, 0])
    // It also gets no earlier place than that of its last run: it would overtake events that were sent in between.
    scheduler.schedule(replacing: "key") { [seen] in seen.add(-3) }
    scheduler.schedule(replacing: "key", priority: .user) { [seen] in seen.add(2) }
    #expect(scheduler.runNext())
    send(3..<4, to: scheduler)
    scheduler.schedule(replacing: "key") { [seen] in seen.add(4) }
    scheduler.run()
    #expect(seen.all == [1, 0, 2, 3, 4])
  }

  @Test func `rule 5, a keyed event keeps its old place where there is no room for a new one`() {
    let scheduler = scheduler(.bounded(1, whenFull: .dropNewest))
    scheduler.schedule(replacing: "key") { [seen] in seen.add(-1) }
    scheduler.schedule(replacing: "key", priority: .user) { [seen] in seen.add(1) }
    scheduler.run()
    #expect(seen.all == [1])
    #expect(reports.all == [])
    #expect(scheduler.counters.refused == 0)
  }

  @Test func `rule 5, keyed events are refused once each when their scheduler shuts down`() {
    let scheduler = scheduler(.unbounded())
    scheduler.schedule(replacing: "key") { [seen] in seen.add(-1) }
    scheduler.schedule(replacing: "key", priority: .user) { [seen] in seen.add(-2) }
    scheduler.beginShutdown(.drop)
    scheduler.schedule(replacing: "key") { [seen] in seen.add(-3) }
    scheduler.shutdown(.drop)
    #expect(seen.all == [])
    #expect(reports.count == 2)
    #expect(scheduler.counters.refused == 2)
  }

  @Test func `rule 5, an unbounded queue reports above its high-water mark, once per flood`() {
    let scheduler = scheduler(.unbounded(highWater: 10))
    for flood in 1...2 {
      send(0..<25, to: scheduler)
      scheduler.run()
      #expect(reports.count == flood)
      send(0..<3, to: scheduler)
      scheduler.run()
    }
    #expect(reports.all.first == .highWater(scheduler: "full", waiting: 25))
    #expect(scheduler.counters.deepest == 25)
  }
}
