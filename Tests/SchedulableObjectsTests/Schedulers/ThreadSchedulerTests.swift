import Synchronization
import Testing

@testable import SchedulableObjects

@Suite struct ThreadSchedulerTests {
  @Test(arguments: QueueKind.allCases)
  func `events of one thread run in the order sent`(queue: QueueKind) throws {
    let scheduler = try ThreadScheduler(name: "order", options: .init().with { $0.queue = queue })
    let seen = Recorder<Int>()
    for number in 0..<10_000 { scheduler.schedule { seen.add(number) } }
    scheduler.shutdownAndWait()
    #expect(seen.all == Array(0..<10_000))
  }

  @Test(arguments: QueueKind.allCases)
  func `a higher priority overtakes queued events`(queue: QueueKind) throws {
    let scheduler = try ThreadScheduler(name: "prio", options: .init().with { $0.queue = queue })
    let seen = Recorder<String>()
    let gate = Gate()
    let done = Gate()
    scheduler.schedule { gate.wait() }
    scheduler.schedule(priority: .background) {
      seen.add("background")
      done.open()
    }
    scheduler.schedule {
      seen.add("normal 1")
      scheduler.schedule(priority: .user) { seen.add("user 2") }
    }
    scheduler.schedule { seen.add("normal 2") }
    scheduler.schedule(priority: .user) { seen.add("user 1") }
    gate.open()
    done.wait()
    scheduler.shutdownAndWait()
    #expect(seen.all == ["user 1", "normal 1", "user 2", "normal 2", "background"])
  }
}
