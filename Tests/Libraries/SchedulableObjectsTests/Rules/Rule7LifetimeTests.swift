import SchedulableThreads
import Foundation
import TestSupport
import Testing

@testable import SchedulableObjects

@Suite("Rule 7: lifetimes") struct Rule7LifetimeTests {
  @Test(arguments: QueueVariant.allCases)
  func `rule 7, the object dies on its scheduler`(queue: QueueVariant) throws {
    for _ in 0..<100 {
      let scheduler = try ThreadScheduler(name: "home", options: queue.options)
      let deaths = Recorder<Bool>()
      var handle: SchedulableObject? = SchedulableObject(
        Tracked { [weak scheduler] in deaths.add(scheduler?.isCurrent ?? false) }, on: scheduler)
      handle?.schedule { $0.value += 1 }
      handle = nil
      scheduler.shutdownBlocking()
      #expect(deaths.all == [true])
    }
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 7, the object dies after the events sent to it, whatever their priority`(
    queue: QueueVariant
  ) {
    var random = RandomNumbers(seed: 7)
    for _ in 0..<200 {
      let scheduler = ManualScheduler(options: queue.options)
      let seen = Recorder<String>()
      let priorities = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        EventPriority.allCases.randomElement(using: &random) ?? .normal
      }
      var handle: SchedulableObject? = SchedulableObject(
        Tracked { seen.add("death") }, on: scheduler)
      for priority in priorities {
        // Events of others are in between, of which some overtake.
        for _ in 0..<Int.random(in: 0...60, using: &random) {
          scheduler.schedule(priority: .user) {}
        }
        handle?.schedule(priority: priority) { _ in seen.add("\(priority)") }
      }
      handle = nil
      scheduler.run()
      #expect(seen.all.last == "death")
      #expect(seen.all.dropLast().sorted() == priorities.map { "\($0)" }.sorted())
    }
  }

  @Test func `rule 7, an object that holds its own handle weakly dies with the last other one`()
    throws
  {
    final class Node {
      weak var own: SchedulableObject<Node>?
      let tracked: Tracked

      init(_ tracked: sending Tracked) { self.tracked = tracked }
    }
    let scheduler = try ThreadScheduler(name: "home")
    let (deaths, reached) = (Recorder<Bool>(), Recorder<Bool>())
    do {
      let handle = SchedulableObject(Node(Tracked { deaths.add(true) }), on: scheduler)
      handle.schedule { [weak handle] node in node.own = handle }
      handle.schedule { node in reached.add(node.own != nil) }
      scheduler.waitUntilIdle()
      withExtendedLifetime(handle) { #expect(deaths.all.isEmpty) }
    }
    scheduler.waitUntilIdle()
    #expect(reached.all == [true])
    #expect(deaths.all == [true])
    scheduler.shutdownBlocking()
  }

  @Test func `rule 7, an object that is dropped on its own scheduler outlives what waits for it`() {
    let scheduler = ManualScheduler()
    let seen = Recorder<Int>()
    let held = Locked(Optional(SchedulableObject(Tracked { seen.add(-1) }, on: scheduler)))
    held.withLock { $0 }?.schedule { object in
      let handle = held.withLock { $0.take() }
      handle?.schedule(priority: .background) { seen.add($0.value) }
      handle?.schedule(priority: .user) { $0.value = 5 }
      object.value = 4
    }
    scheduler.run()
    #expect(seen.all == [5, -1])
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 7, events that are refused leave nothing behind and do not touch the object`(
    queue: QueueVariant
  ) {
    let (scheduler, deaths) = (
      ManualScheduler(options: queue.options.with { $0.report = { _ in } }), Tally()
    )
    var handle: SchedulableObject? = SchedulableObject(Tracked { deaths.add() }, on: scheduler)
    for priority in EventPriority.allCases {
      let captured = Tracked { deaths.add() }
      handle?.schedule(priority: priority) { $0.value += captured.value + 1 }
    }
    handle = nil
    scheduler.beginShutdown(.drop)
    scheduler.run()
    #expect(deaths.count == 4)
    #expect(scheduler.counters.refused == 3)
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 7, whichever thread releases it last, the object outlives all sent events`(
    queue: QueueVariant
  ) throws {
    for _ in 0..<50 {
      let scheduler = try ThreadScheduler(name: "home", options: queue.options)
      let (ran, ranAtDeath) = (Tally(), Recorder<Int>())
      var senders: [PlatformThread] = []
      do {
        let handle = SchedulableObject(Tracked { ranAtDeath.add(ran.count) }, on: scheduler)
        for index in 0..<3 {
          senders.append(
            try PlatformThread(name: "sender \(index)") {
              for number in 0..<100 {
                handle.schedule(priority: EventPriority.allCases[(number + index) % 3]) {
                  $0.value += 1
                  ran.add()
                }
              }
            })
        }
      }
      for sender in senders { sender.join() }
      senders = []
      scheduler.shutdownBlocking()
      #expect(ranAtDeath.all == [300])
    }
  }

  @Test func `a queued event fills no more than one line of memory`() {
    #expect(MemoryLayout<EventNode.Content>.size <= 64)
  }

  @Test func `rule 7, an object whose scheduler has ended dies all the same`() throws {
    let scheduler = try ThreadScheduler(name: "home")
    let deaths = Tally()
    var handle: SchedulableObject? = SchedulableObject(Tracked { deaths.add() }, on: scheduler)
    scheduler.shutdownBlocking()
    #expect(handle != nil)
    handle = nil
    #expect(deaths.count == 1)
  }

  @Test func `rule 7, a scheduler without references runs waiting events and ends its thread`()
    throws
  {
    weak var weakScheduler: ThreadScheduler?
    weak var weakLoop: SchedulerLoop?
    let ran = Gate()
    var path = ""
    do {
      let scheduler = try ThreadScheduler(name: "forgotten")
      weakScheduler = scheduler
      weakLoop = scheduler.loop
      path = "/proc/self/task/\(scheduler.threadID)"
      let gate = scheduler.holdAtGate()
      scheduler.schedule { ran.open() }
      gate.open()
    }
    #expect(weakScheduler == nil)
    ran.wait()
    #expect(becomesTrue { weakLoop == nil && !FileManager.default.fileExists(atPath: path) })
  }

  @Test func `rule 7, a scheduler that is dropped while events wait is reported, once`() throws {
    let reports = Recorder<Report>()
    let (ran, gone) = (Tally(), Gate())
    do {
      let scheduler = try ThreadScheduler(
        name: "dropped", options: .init().with { $0.report = { reports.add($0) } })
      let gate = scheduler.holdAtGate()
      for _ in 0..<3 { scheduler.schedule { ran.add() } }
      scheduler.schedule(after: .seconds(3600)) { Issue.record("an hour early") }
      scheduler.schedule(after: .seconds(3600)) { Issue.record("cancelled") }.cancel()
      _ = SchedulableObject(Tracked { gone.open() }, on: scheduler)
      gate.open()
    }
    gone.wait()
    #expect(becomesTrue { reports.count >= 2 })
    // The gate may be through before the scheduler goes, and with it some of the three.
    let forgotten = reports.all.filter { if case .forgotten = $0 { true } else { false } }
    #expect(forgotten.count == 1)
    #expect(reports.all.contains(.refused(Refusal(scheduler: "dropped", reason: .shutDown))))
    #expect(becomesTrue { ran.count == 3 })
  }

  @Test func `rule 7, a scheduler that is shut down or idle is dropped without a report`() throws {
    let reports = Recorder<Report>()
    let options = SchedulerOptions().with { $0.report = { reports.add($0) } }
    weak var weakLoop: SchedulerLoop?
    do {
      let idle = try ThreadScheduler(name: "idle", options: options)
      weakLoop = idle.loop
      _ = SchedulableObject(Tracked(), on: idle)
      let main = MainScheduler(options: options)
      _ = SchedulableObject(Tracked(), on: main)
      main.schedule {}
      main.shutdown()
    }
    #expect(becomesTrue { weakLoop == nil })
    #expect(reports.all == [])
  }

  @Test func `rule 7, a thread that only its objects keep alive is reported`() throws {
    let reports = Recorder<Report>()
    let hold = Recorder<SchedulableObject<Tracked>>()
    do {
      let scheduler = try ThreadScheduler(
        name: "kept", options: .init().with { $0.report = { reports.add($0) } })
      for _ in 0..<2 { hold.add(SchedulableObject(Tracked(), on: scheduler)) }
    }
    #expect(becomesTrue { reports.count == 1 })
    #expect(reports.all == [.keptByObjects(scheduler: "kept", objects: 2)])
    // It still serves them, and can be ended through them.
    let served = Gate()
    hold.all[0].schedule { _ in served.open() }
    served.wait()
    hold.all[0].scheduler.beginShutdown()
  }

  @Test func `rule 7, an object does not retain a scheduler that cannot be drained any more`() async
  {
    let reports = Recorder<Report>()
    var object: SchedulableObject<Tracked>?
    do {
      let main = MainScheduler(options: .init().with { $0.report = { reports.add($0) } })
      object = SchedulableObject(Tracked(), on: main)
    }
    #expect(reports.all == [])
    object?.schedule { $0.value += 1 }
    let refusal = Refusal(scheduler: "main", reason: .shutDown)
    #expect(reports.all == [.refused(refusal)])
    await #expect(throws: refusal) {
      try await object?.call { $0.value }
    }
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 7, delayed events that were cancelled are freed long before they are due`(
    queue: QueueVariant
  ) {
    let scheduler = ManualScheduler(options: queue.options)
    let alive = Tally()
    let freed = Tally()
    func alarm() -> Weak {
      alive.add()
      return Weak(scheduler.schedule(after: .seconds(3600), holding(freed)))
    }
    // Like time-outs: begun and cancelled, one after another.
    for _ in 0..<20_000 { alarm().cancel() }
    scheduler.run()
    // All at once, while others stay.
    let kept = (0..<5_000).map { _ in alarm() }
    let cancelled = (0..<20_000).map { _ in alarm() }
    scheduler.run()
    for alarm in cancelled { alarm.cancel() }
    scheduler.run()
    #expect(cancelled.count { $0.isAlive } < 2_500 + 1_024)
    #expect(kept.count { $0.isAlive } == 5_000)
    #expect(freed.count == 40_000)
    scheduler.advance(by: .seconds(3600))
    #expect(freed.count == alive.count)
    #expect(scheduler.counters.events == 5_000)
    #expect(scheduler.counters.refused == 0)
  }

  @Test func `rule 7, an event may hold the last reference to its scheduler`() throws {
    weak var weakLoop: SchedulerLoop?
    do {
      let scheduler = try ThreadScheduler(name: "last")
      weakLoop = scheduler.loop
      let gate = scheduler.holdAtGate()
      scheduler.schedule { _ = scheduler.name }
      gate.open()
    }
    #expect(becomesTrue { weakLoop == nil })
  }

  @Test(arguments: QueueVariant.allCases)
  func `rule 7, nothing leaks, whatever becomes of the events`(queue: QueueVariant) async throws {
    let deaths = Tally()
    weak var weakLoop: SchedulerLoop?
    do {
      let scheduler = try ThreadScheduler(
        name: "leaks", options: queue.options.with { $0.report = { _ in } })
      weakLoop = scheduler.loop
      let object = SchedulableObject(Tracked { deaths.add() }, on: scheduler)
      for _ in 0..<10 { scheduler.schedule(holding(deaths)) }
      scheduler.schedule(after: .seconds(3600), holding(deaths))
      scheduler.schedule(after: .seconds(3600), holding(deaths)).cancel()
      scheduler.schedule(replacing: 1, holding(deaths))
      scheduler.schedule(replacing: 1, holding(deaths))
      _ = try await object.call { $0.value }
      let gate = scheduler.holdAtGate()
      scheduler.schedule(holding(deaths))
      scheduler.beginShutdown(.drop)
      scheduler.schedule(holding(deaths))
      gate.open()
      await scheduler.shutdown()
    }
    #expect(becomesTrue { weakLoop == nil })
    #expect(deaths.count == 17)
  }
}

/// A delayed event that is held by its scheduler alone.
private struct Weak {
  private weak var event: ScheduledEvent?

  init(_ event: ScheduledEvent) { self.event = event }

  var isAlive: Bool { event != nil }
  func cancel() { event?.cancel() }
}

/// An event that holds an object which counts its death.
private func holding(_ deaths: Tally) -> sending () -> Void {
  let object = Tracked { deaths.add() }
  return { object.value += 1 }
}
