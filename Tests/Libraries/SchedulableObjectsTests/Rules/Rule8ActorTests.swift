import TestSupport
import Testing

@testable import SchedulableObjects

@Suite("Rule 8: actors on a scheduler") struct Rule8ActorTests {
  @Test(arguments: QueueVariant.allCases)
  func `rule 8, an actor runs on its scheduler's thread`(queue: QueueVariant) async throws {
    let scheduler = try ThreadScheduler(name: "home", options: queue.options)
    let guest = Guest(on: scheduler)
    #expect(await guest.isHome())
    await scheduler.shutdown()
  }

  @Test func `rule 8, actors on one scheduler call each other without a hop`() async throws {
    let scheduler = try ThreadScheduler(name: "home")
    let host = Host(guest: Guest(on: scheduler), on: scheduler)
    #expect(await host.visits(1_000) == 1_000)
    await scheduler.shutdown()
    #expect(scheduler.counters.events < 10)
  }

  @Test func `rule 8, events that are sent to an actor keep their order`() async throws {
    let scheduler = try ThreadScheduler(name: "home")
    let guest = Guest(on: scheduler)
    for number in 0..<1_000 { guest.schedule { $0.note(number) } }
    #expect(await guest.notes == Array(0..<1_000))
    await scheduler.shutdown()
  }

  @Test func `rule 8, an actor can live on a passive scheduler`() async throws {
    let scheduler = ManualScheduler()
    let guest = Guest(on: scheduler)
    let answer = Recorder<Bool>()
    let task = Task { answer.add(await guest.isHome()) }
    while answer.count == 0 {
      await Task.yield()
      scheduler.run()
    }
    await task.value
    #expect(answer.all == [true])
  }

  @Test(arguments: [ShutdownMode.drain, .drop])
  func `rule 8, a shutdown drops no step of a task`(mode: ShutdownMode) async throws {
    for _ in 0..<20 {
      let scheduler = try ThreadScheduler(
        name: "home", options: .init().with { $0.report = { _ in } })
      let guest = Guest(on: scheduler)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<50 { group.addTask { await guest.note(number) } }
        group.addTask { await scheduler.shutdown(mode) }
      }
      #expect(await guest.notes.sorted() == Array(0..<50))
    }
  }
}

private actor Guest: Schedulable {
  nonisolated let scheduler: any Scheduler
  private(set) var notes: [Int] = []

  init(on scheduler: any Scheduler) { self.scheduler = scheduler }

  func note(_ number: Int) { notes.append(number) }

  func isHome() -> Bool { scheduler.isCurrent }
}

private actor Host: Schedulable {
  nonisolated let scheduler: any Scheduler
  private let guest: Guest

  init(guest: Guest, on scheduler: any Scheduler) {
    self.guest = guest
    self.scheduler = scheduler
  }

  func visits(_ count: Int) async -> Int {
    for number in 0..<count { await guest.note(number) }
    return await guest.notes.count
  }
}
