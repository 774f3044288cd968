import SchedulableObjects
import Testing

@Suite struct `The thread of a scheduler` {
  @Test(arguments: [100_000, -1])
  func `cannot have processors that do not exist`(_ processor: Int) {
    #expect(throws: ThreadError.self) {
      try ThreadScheduler(name: "nowhere", processors: [processor])
    }
  }

  @Test func `can be given a higher nice value while it runs`() throws {
    let scheduler = try ThreadScheduler(name: "nicer", nice: 5)
    #expect(scheduler.nice == 5)
    try scheduler.setNice(9)
    #expect(scheduler.nice == 9)
    scheduler.shutdownAndWait()
  }
}
