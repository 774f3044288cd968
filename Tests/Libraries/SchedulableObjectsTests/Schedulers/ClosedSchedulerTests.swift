import Dispatch
import TestSupport
import Testing

@testable import SchedulableObjects

/// A scheduler that is closed while its consumer is about to rest.
@Suite struct ClosedSchedulerTests {
  private actor Lodger: Schedulable {
    nonisolated let scheduler: any Scheduler

    init(on scheduler: any Scheduler) { self.scheduler = scheduler }

    func visit() {}
  }

  @Test(arguments: QueueVariant.allCases)
  func `a turn that a shutdown overtakes at its end requests the turn that ends the scheduler`(
    queue: QueueVariant
  ) {
    let wakes = Tally()
    let sleeper = MainSleeper(wake: { wakes.add() })
    let loop = SchedulerLoop(name: "closing", options: queue.options, parker: sleeper)
    var consumer = Consumer(loop)
    // The turn has found it open and runs no more events; nobody is asleep, so closing wakes nobody.
    loop.close(.drain)
    #expect(wakes.count == 0)
    consumer.rest(waking: sleeper, evenIfClosed: false)
    #expect(wakes.count == 1)
    consumer.end()
  }

  @Test(arguments: [false, true])
  func `a shutdown right behind an event returns`(isConcurrent: Bool) async {
    let queue = DispatchQueue(label: "host", attributes: isConcurrent ? .concurrent : [])
    for _ in 0..<2_000 {
      let host = HostedScheduler(name: "host") { queue.async(execute: $0) }
      let ran = Tally()
      host.schedule { ran.add() }
      await host.shutdown()
      #expect(ran.count == 1)
    }
  }

  @Test(arguments: QueueVariant.allCases)
  func `a closed main scheduler wakes its loop for actors' jobs, and not without any`(
    queue: QueueVariant
  ) async {
    await onOwnThread {
      let wakes = Tally()
      let main = MainScheduler(options: queue.options, wake: { wakes.add() })
      main.beginShutdown()
      main.drain()
      #expect(wakes.count == 1)
      let (lodger, done) = (Lodger(on: main), Tally())
      Task.detached {
        await lodger.visit()
        done.add()
      }
      #expect(becomesTrue { wakes.count == 2 })
      #expect(
        becomesTrue {
          main.drain()
          return done.count == 1
        })
      main.shutdown()
      let before = wakes.count
      main.drain()
      #expect(wakes.count == before)
    }
  }

  @Test func `a run on a closed scheduler sleeps while it waits for others`() async throws {
    let scheduler = ManualScheduler()
    // It may be so slow to fall asleep that nobody has to wake it.
    for _ in 0..<100 where scheduler.counters.wakeUps == 0 {
      let answer = try await scheduler.run { [scheduler] in
        scheduler.beginShutdown()
        return await Task.detached {
          try? await Task.sleep(for: .milliseconds(20))
          return 3
        }.value
      }
      #expect(answer == 3)
    }
    #expect(scheduler.counters.wakeUps > 0)
    scheduler.shutdown()
    #expect(try await scheduler.run { 4 } == 4)
  }
}
