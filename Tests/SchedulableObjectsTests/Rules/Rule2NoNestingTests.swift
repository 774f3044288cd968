import Testing

@testable import SchedulableObjects

@Suite("Rule 2: nothing blocks, nothing nests, no lock around foreign code")
struct Rule2NoNestingTests {
  @Test func `rule 2, an event cannot drain its main scheduler`() async {
    await #expect(processExitsWith: .failure) {
      let main = MainScheduler()
      main.schedule { main.drain() }
      main.drain()
    }
  }

  @Test func `rule 2, an event cannot advance its manual scheduler`() async {
    await #expect(processExitsWith: .failure) {
      let scheduler = ManualScheduler()
      scheduler.schedule { scheduler.run() }
      scheduler.run()
    }
  }

  @Test func `rule 2, an event cannot wait for the end of its scheduler`() async {
    await #expect(processExitsWith: .failure) {
      let scheduler = try ThreadScheduler(name: "self")
      let never = Gate()
      scheduler.schedule { scheduler.shutdownAndWait() }
      never.wait()
    }
  }

  /// Each of these drops a closure whose captured object sends an event as it dies: with a lock held, that would hang.
  @Test(arguments: QueueVariant.allCases)
  func `rule 2, what dies with an event may send events`(queue: QueueVariant) {
    let reports = Recorder<Report>()
    let scheduler = ManualScheduler(
      options: queue.options.with { $0.report = { reports.add($0) } })
    let deaths = Recorder<Int>()
    func sender(_ number: Int) -> sending Tracked {
      Tracked {
        deaths.add(number)
        scheduler.schedule {}
      }
    }
    scheduler.schedule(after: .seconds(9), event(holding: sender(1))).cancel()
    scheduler.schedule(replacing: "key", event(holding: sender(2)))
    scheduler.schedule(replacing: "key", event(holding: sender(3)))
    scheduler.run()
    scheduler.beginShutdown(.drop)
    scheduler.schedule(event(holding: sender(4)))
    scheduler.shutdown()
    #expect(deaths.all == [1, 2, 3, 4])
  }

  @Test func `rule 2, what a full queue drops may send events`() {
    let scheduler = ManualScheduler(
      options: .init().with {
        $0.capacity = .bounded(1, whenFull: .dropOldest)
        $0.report = { _ in }
      })
    let deaths = Recorder<Int>()
    scheduler.schedule(event(holding: Tracked { deaths.add(1) }))
    scheduler.schedule(
      event(
        holding: Tracked {
          deaths.add(2)
          scheduler.schedule {}
        }))
    scheduler.schedule {}
    #expect(deaths.all == [1, 2])
  }
}

/// An event that holds the object.
private func event(holding object: sending Tracked) -> sending () -> Void {
  { object.value += 1 }
}
