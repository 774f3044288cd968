import SchedulableThreads
import TestSupport
import Testing

@testable import SchedulableObjects

@Suite("Rule 1: order") struct Rule1OrderTests {
  @Test(arguments: QueueVariant.allCases)
  func `rule 1, events of each sending thread run in the order sent`(queue: QueueVariant) throws {
    let scheduler = try ThreadScheduler(name: "order", options: queue.options)
    let seen = Recorder<[Int]>()
    let senders = try (0..<4).map { sender in
      try PlatformThread(name: "sender") {
        for number in 0..<2_000 { scheduler.schedule { seen.add([sender, number]) } }
      }
    }
    for sender in senders { sender.join() }
    scheduler.shutdownBlocking()
    for sender in 0..<4 {
      let mine = seen.all.filter { $0[0] == sender }.map { $0[1] }
      #expect(mine == Array(0..<2_000))
    }
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 1, a higher priority overtakes queued events`(queue: QueueVariant) throws {
    let scheduler = try ThreadScheduler(name: "priority", options: queue.options)
    let seen = Recorder<String>()
    let gate = scheduler.holdAtGate()
    scheduler.schedule(priority: .background) { seen.add("background") }
    scheduler.schedule {
      seen.add("normal 1")
      scheduler.schedule(priority: .user) { seen.add("user 2") }
    }
    scheduler.schedule { seen.add("normal 2") }
    scheduler.schedule(priority: .user) { seen.add("user 1") }
    gate.open()
    scheduler.waitUntilIdle()
    #expect(seen.all == ["user 1", "normal 1", "user 2", "normal 2", "background"])
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 1, events that send events of the same priority do not starve the rest`(
    queue: QueueVariant
  ) {
    let scheduler = ManualScheduler(options: queue.options)
    let seen = Recorder<String>()
    for priority in [EventPriority.user, .normal] {
      chain(1_000_000, on: scheduler, priority)
    }
    scheduler.schedule { seen.add("normal") }
    scheduler.schedule(priority: .background) { seen.add("background") }
    var events = 0
    while seen.count < 2, scheduler.runNext() { events += 1 }
    #expect(seen.all == ["normal", "background"])
    #expect(events < 100_000)
  }

  /// Events of a loop on a clock of the test, which may pass while none runs.
  private struct LateLoop: ~Copyable {
    let loop: SchedulerLoop
    let time = ManualTime()
    var consumer: Consumer
    let seen = Recorder<String>()

    init(_ queue: QueueVariant) {
      loop = SchedulerLoop(name: "late", options: queue.options, clock: .manual(time))
      consumer = Consumer(loop)
    }

    func send(_ name: String, due: Int64? = nil) {
      let event = ScheduledEvent(due: due, in: loop) { [seen] in seen.add(name) }
      loop.post(
        EventNode(.ticket(event), priority: .normal, traits: due == nil ? [] : .delayed))
    }

    /// Lets the loop take what was sent.
    mutating func absorb() { _ = consumer.countReady() }

    mutating func run(at instant: Int64) -> [String] {
      time.set(instant)
      while consumer.runNext() {}
      loop.close(.drain)
      consumer.end()
      return seen.all
    }
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 1, delayed events run in the order of their times, also late ones`(
    queue: QueueVariant
  ) {
    var late = LateLoop(queue)
    late.send("due at 10", due: 10)
    late.absorb()
    late.send("due at 20", due: 20)
    let lateOrder = late.run(at: 60)
    #expect(lateOrder == ["due at 10", "due at 20"])

    var batch = LateLoop(queue)
    batch.send("due at 30", due: 30)
    batch.send("due at 20", due: 20)
    batch.send("due at 90", due: 90)
    let batchOrder = batch.run(at: 60)
    #expect(batchOrder == ["due at 20", "due at 30"])

    var queued = LateLoop(queue)
    queued.send("due at 10", due: 10)
    queued.send("plain")
    queued.absorb()
    queued.send("due at 5", due: 5)
    let queuedOrder = queued.run(at: 60)
    #expect(queuedOrder == ["plain", "due at 5", "due at 10"])
  }

  @Test(arguments: [QueueVariant.stack, .swap])
  func `rule 1, a late delayed event stays between those sent before and after it`(
    queue: QueueVariant
  ) {
    var late = LateLoop(queue)
    late.send("before")
    late.send("due at 10", due: 10)
    late.send("after")
    let lateOrder = late.run(at: 60)
    #expect(lateOrder == ["before", "due at 10", "after"])

    var waiting = LateLoop(queue)
    waiting.send("due at 10", due: 10)
    waiting.absorb()
    waiting.send("due at 30", due: 30)
    waiting.send("plain")
    waiting.send("due at 20", due: 20)
    let waitingOrder = waiting.run(at: 60)
    #expect(waitingOrder == ["due at 10", "plain", "due at 20", "due at 30"])
  }

  private func chain(_ length: Int, on scheduler: ManualScheduler, _ priority: EventPriority) {
    guard length > 0 else { return }
    scheduler.schedule(priority: priority) { chain(length - 1, on: scheduler, priority) }
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 1, a hundred events of a higher priority overtake all that wait`(queue: QueueVariant) {
    let scheduler = ManualScheduler(options: queue.options)
    let seen = Recorder<Int>()
    scheduler.schedule { seen.add(-1) }
    for number in 0..<100 { scheduler.schedule(priority: .user) { seen.add(number) } }
    scheduler.run()
    #expect(seen.all == Array(0..<100) + [-1])
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 1, schedule enqueues also from the same scheduler`(queue: QueueVariant) {
    let scheduler = ManualScheduler(options: queue.options)
    let seen = Recorder<Int>()
    scheduler.schedule {
      seen.add(1)
      scheduler.schedule { seen.add(4) }
      seen.add(2)
    }
    scheduler.schedule { seen.add(3) }
    scheduler.run()
    #expect(seen.all == [1, 2, 3, 4])
  }

  @Test(arguments: QueueVariant.allCases)
  func `delayed events run when they are due, those due together in the order sent`(
    queue: QueueVariant
  ) {
    let scheduler = ManualScheduler(options: queue.options)
    let seen = Recorder<String>()
    scheduler.schedule(after: .seconds(2)) { seen.add("2 s") }
    scheduler.schedule(after: .seconds(1)) {
      seen.add("1 s, at \(scheduler.now)")
      scheduler.schedule(after: .milliseconds(500)) { seen.add("1.5 s") }
    }
    scheduler.schedule(after: .seconds(1)) { seen.add("1 s again") }
    scheduler.schedule { seen.add("now") }
    scheduler.advance(by: .milliseconds(999))
    #expect(seen.all == ["now"])
    scheduler.advance(by: .seconds(1))
    #expect(seen.all == ["now", "1 s, at 1.0 seconds", "1 s again", "1.5 s"])
    scheduler.advance(by: .seconds(1))
    #expect(seen.all.last == "2 s")
    #expect(scheduler.now == .milliseconds(2_999))
  }

  @Test(arguments: QueueVariant.allCases)
  func `a sleeping thread wakes for a delayed event`(queue: QueueVariant) throws {
    let scheduler = try ThreadScheduler(name: "timer", options: queue.options)
    let rang = Gate()
    let start = ContinuousClock.now
    scheduler.schedule(after: .seconds(3600)) { Issue.record("an hour early") }
    scheduler.schedule(after: .milliseconds(20)) { rang.open() }
    rang.wait()
    #expect(ContinuousClock.now - start >= .milliseconds(20))
    scheduler.shutdownBlocking(.drop)
  }

  @Test func `random delays come out sorted by time, then by the order sent`() {
    var random = RandomNumbers(seed: 7)
    let scheduler = ManualScheduler()
    let seen = Recorder<[Int]>()
    let delays = (0..<500).map { _ in Int.random(in: 1...40, using: &random) }
    for (number, delay) in delays.enumerated() {
      scheduler.schedule(after: .milliseconds(delay)) { seen.add([delay, number]) }
    }
    scheduler.advance(by: .seconds(1))
    let expected = delays.enumerated().map { [$1, $0] }.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(seen.all == expected)
  }
}
