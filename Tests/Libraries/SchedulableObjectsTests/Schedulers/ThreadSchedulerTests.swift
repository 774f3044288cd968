import SchedulableObjects
import Testing

@Suite struct `The thread of a scheduler` {
  @Test(arguments: [100_000, -1])
  func `cannot have processors that do not exist`(_ processor: Int) {
    #expect(throws: ThreadError.self) {
      try ThreadScheduler(name: "nowhere", processors: [processor])
    }
  }

  @Test(arguments: [100, 20, -21])
  func `cannot have a nice value that the system would clamp`(_ nice: Int) throws {
    let refusal = #expect(throws: ThreadError.self) {
      try ThreadScheduler(name: "nicest", nice: nice)
    }
    #expect(
      refusal?.description
        == "thread 'nicest' cannot have nice \(nice): nice values are from -20 to 19")
    let scheduler = try ThreadScheduler(name: "later")
    #expect(throws: ThreadError.self) { try scheduler.setNice(nice) }
    scheduler.shutdownBlocking()
  }

  @Test func `can be given a higher nice value while it runs`() throws {
    let scheduler = try ThreadScheduler(name: "nicer", nice: 5)
    #expect(scheduler.nice == 5)
    try scheduler.setNice(9)
    #expect(scheduler.nice == 9)
    scheduler.shutdownBlocking()
  }
}
