import SchedulableThreads
import TestSupport
import Testing

@testable import SchedulableObjects

@Suite(.serialized) struct ParkingTests {
  private func scheduler(
    _ queue: QueueVariant, parker: any Parker
  ) throws -> ThreadScheduler {
    try ThreadScheduler(
      loop: SchedulerLoop(name: "parking", options: queue.options, parker: parker))
  }

  @Test(arguments: QueueVariant.allCases)
  func `an idle thread is woken exactly once, however many events come`(
    queue: QueueVariant
  ) throws {
    let parker = FakeParker()
    let scheduler = try scheduler(queue, parker: parker)
    for edge in 1...20 {
      while parker.parks < edge {}  // idle
      let (busy, gate) = (Gate(), Gate())
      scheduler.schedule {
        busy.open()
        gate.wait()
      }
      busy.wait()
      for _ in 0..<100 { scheduler.schedule {} }
      gate.open()
      #expect(parker.wakeUps == edge)
    }
    #expect(scheduler.counters.wakeUps == 20)
    scheduler.shutdownBlocking()
  }

  @Test(arguments: QueueVariant.allCases, ["futex", "semaphore"])
  func `no event is lost on the edge of sleep`(queue: QueueVariant, kind: String) throws {
    let parker: any Parker = kind == "futex" ? makeParker() : SemaphoreParker()
    let scheduler = try scheduler(queue, parker: parker)
    var random = RandomNumbers(seed: 11)
    for _ in 0..<5_000 {
      let done = Gate()
      scheduler.schedule { done.open() }
      done.wait()
      // The thread goes to sleep now; the next event comes before, while or after it does.
      for _ in 0..<Int.random(in: 0..<200, using: &random) { _ = random.next() }
    }
    scheduler.shutdownBlocking()
    #expect(scheduler.counters.events == 5_000)
  }

  @Test(arguments: [QueueKind.stack, .swap])
  func `a million events from eight producers across the edge of sleep`(queue: QueueKind) throws {
    let scheduler = try ThreadScheduler(
      name: "million", options: .init().with { $0.queue = queue })
    let each = 125_000
    let ledger = SchedulableObject(Ledger(), on: scheduler)
    let producers = try (0..<8).map { producer in
      try PlatformThread(name: "producer") {
        var random = RandomNumbers(seed: UInt64(producer))
        for number in 0..<each {
          ledger.schedule { $0.note(number, of: producer) }
          // Now and then a pause, so that the queue runs empty and the thread goes to sleep.
          if random.next() % 4_096 == 0 { SemaphoreParker().park(forNanoseconds: 100_000) }
        }
      }
    }
    for producer in producers { producer.join() }
    let outcome = Recorder<[Int]>()
    ledger.schedule { outcome.add([$0.reordered] + $0.next) }
    scheduler.shutdownBlocking()
    #expect(outcome.all == [[0] + Array(repeating: each, count: 8)])
  }
}

/// Counts what comes from each producer; unsynchronised on purpose, so that the thread sanitizer sees any race.
private final class Ledger {
  private(set) var next = [Int](repeating: 0, count: 8)
  private(set) var reordered = 0

  func note(_ number: Int, of producer: Int) {
    if next[producer] != number { reordered += 1 }
    next[producer] += 1
  }
}
