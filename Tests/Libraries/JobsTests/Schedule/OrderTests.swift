import Testing

@testable import SchedulableJobs

/// The order and the concurrency of jobs.
@Suite struct OrderTests {
  @Test func `jobs run in the order in which they were added, one at a time`() throws {
    var script = Script()
    for id in ["a", "b", "c"] { try script.add(id) }
    #expect(script.start() == ["a"])
    script.end("a")
    #expect(script.start() == ["b"])
    script.end("b")
    #expect(script.start() == ["c"])
  }

  @Test(arguments: 1...4)
  func `as many jobs run at once as the queue is wide`(width: Int) throws {
    var script = Script(width: width)
    for number in 0..<6 { try script.add("\(number)") }
    #expect(script.start() == (0..<width).map(String.init))
    script.end("0")
    #expect(script.start() == ["\(width)"])
    #expect(script.schedule.runningCount == width)
    #expect(script.schedule.waitingCount == 5 - width)
  }

  @Test func `jobs of a group never run at the same time, others run beside them`() throws {
    var script = Script(width: 4)
    for id in ["a1", "a2", "b1", "a3"] { try script.add(id) { $0.group = String(id.prefix(1)) } }
    try script.add("free")
    #expect(script.start() == ["a1", "b1", "free"])
    script.end("a1")
    #expect(script.start() == ["a2"])
    script.end("a2")
    #expect(script.start() == ["a3"])
  }

  @Test func `a group continues if its next job is cancelled, expired or blocked`() throws {
    var script = Script(width: 2)
    for id in ["a", "b", "c", "d", "e"] {
      try script.add(id) {
        $0.group = "one"
        if id == "c" { $0.deadline = JobTime(milliseconds: 1000) }
        if id == "d" { $0.constraints = [.charging] }
      }
    }
    #expect(script.start() == ["a"])
    #expect(script.cancel(.id("b")).isEmpty)
    script.at(2)
    script.end("a")
    #expect(script.start() == ["e"])
    script.machine(MachineState(isCharging: true))
    #expect(script.start() == [])
    script.end("e")
    #expect(script.start() == ["d"])
  }

  @Test func `a job that waits for two others starts when both have ended`() throws {
    var script = Script(width: 3)
    try script.add("x") { $0.group = "one" }
    try script.add("y") { $0.group = "two" }
    #expect(script.start() == ["x", "y"])
    try script.add("x") {
      $0.group = "two"
      $0.ifPresent = .replace
    }
    try script.add("z") { $0.group = "two" }
    #expect(script.start() == [])
    script.end("y")
    #expect(script.start() == ["z"], "the replacement still waits for the x that runs")
    script.schedule.ended(1, .failure(reason: "stopped"), at: script.now)
    #expect(script.start() == [])
    script.end("z")
    #expect(script.start() == ["x"])
  }
}
