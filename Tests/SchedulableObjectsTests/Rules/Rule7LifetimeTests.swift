import Foundation
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
      scheduler.shutdownAndWait()
      #expect(deaths.all == [true])
    }
  }

  @Test func `rule 7, an object whose scheduler has ended dies all the same`() throws {
    let scheduler = try ThreadScheduler(name: "home")
    let deaths = Tally()
    var handle: SchedulableObject? = SchedulableObject(Tracked { deaths.add() }, on: scheduler)
    scheduler.shutdownAndWait()
    #expect(handle != nil)
    handle = nil
    #expect(deaths.count == 1)
  }

  @Test func `rule 7, a scheduler that nobody holds runs what waits and ends its thread`() throws {
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

/// An event that holds an object which counts its death.
private func holding(_ deaths: Tally) -> sending () -> Void {
  let object = Tracked { deaths.add() }
  return { object.value += 1 }
}

/// Waits for something that another thread is about to do; false after a minute.
private func becomesTrue(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  while ContinuousClock.now < deadline {
    if condition() { return true }
    Thread.sleep(forTimeInterval: 0.001)
  }
  return false
}
