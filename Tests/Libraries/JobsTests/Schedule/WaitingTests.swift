import Testing

@testable import SchedulableJobs

/// The conditions for which a job waits.
@Suite struct WaitingTests {
  @Test(arguments: [
    (JobConstraint.network, MachineState(network: .metered)),
    (.unmeteredNetwork, MachineState(network: .unmetered)),
    (.charging, MachineState(network: .none, isCharging: true)),
    (.condition("docked"), MachineState(network: .none, conditions: ["docked", "cool"])),
  ])
  func `a job starts when its constraints hold`(
    constraint: JobConstraint, machine: MachineState
  ) throws {
    var script = Script(machine: MachineState(network: .none))
    try script.add("a") { $0.constraints = [constraint] }
    try script.add("b")
    #expect(script.start() == ["b"])
    script.end("b")
    #expect(script.start() == [])
    script.machine(machine)
    #expect(script.start() == ["a"])
  }

  @Test func `a metered network is not an unmetered one`() throws {
    var script = Script(machine: MachineState(network: .metered))
    try script.add("a") { $0.constraints = [.unmeteredNetwork] }
    #expect(script.start() == [])
  }

  @Test func `all constraints have to hold at the same time`() throws {
    var script = Script(machine: MachineState(network: .none))
    try script.add("a") { $0.constraints = [.network, .charging] }
    script.machine(MachineState(network: .unmetered, isCharging: false))
    #expect(script.start() == [])
    script.machine(MachineState(network: .none, isCharging: true))
    #expect(script.start() == [])
    script.machine(MachineState(network: .unmetered, isCharging: true))
    #expect(script.start() == ["a"])
  }

  @Test func `constraints that held when a job became ready must still hold when it starts`() throws
  {
    var script = Script(machine: MachineState(isCharging: true))
    try script.add("first")
    try script.add("a") { $0.constraints = [.charging] }
    #expect(script.start() == ["first"])
    script.machine(MachineState(isCharging: false))
    script.end("first")
    #expect(script.start() == [])
    script.machine(MachineState(isCharging: true))
    #expect(script.start() == ["a"])
  }

  @Test func `a delay counts from the adding, and sets the alarm`() throws {
    var script = Script()
    script.at(10)
    try script.add("a") { $0.delay = .seconds(5) }
    try script.add("b") { $0.delay = .seconds(2) }
    #expect(script.start() == [])
    #expect(script.alarm == 12)
    script.at(12)
    #expect(script.start() == ["b"])
    #expect(script.alarm == 15)
    script.end("b")
    script.at(14.999)
    #expect(script.start() == [])
    script.at(15)
    #expect(script.start() == ["a"])
    #expect(script.alarm == nil)
  }

  @Test func `a delay and a constraint are waited for together`() throws {
    var script = Script()
    try script.add("a") {
      $0.delay = .seconds(5)
      $0.constraints = [.charging]
    }
    script.machine(MachineState(isCharging: true))
    #expect(script.start() == [])
    script.machine(MachineState())
    script.at(5)
    #expect(script.start() == [])
    script.machine(MachineState(isCharging: true))
    #expect(script.start() == ["a"])
  }

  @Test func `a job does not start at its deadline or later, and is dropped`() throws {
    var script = Script()
    try script.add("running")
    #expect(script.start() == ["running"])
    try script.add("a") { $0.deadline = JobTime(milliseconds: 1000) }
    try script.add("late") { $0.deadline = JobTime(milliseconds: 0) }
    script.at(1)
    script.end("running")
    #expect(script.start() == [])
    #expect(
      script.changes == ["started running", "expired late", "completed running", "expired a"])
  }

  @Test(arguments: [Duration.zero, .seconds(9)])
  func `a job that still waits at its deadline is dropped then`(delay: Duration) throws {
    var script = Script()
    try script.add("a") {
      $0.deadline = JobTime(milliseconds: 3000)
      $0.constraints = [.charging]
      $0.delay = delay
    }
    #expect(script.alarm == 3)
    script.at(3)
    #expect(script.start() == [])
    #expect(script.changes == ["expired a"])
    #expect(script.schedule.waitingCount == 0)
  }

  @Test func `a job that runs at its deadline continues`() throws {
    var script = Script()
    try script.add("a") { $0.deadline = JobTime(milliseconds: 1000) }
    #expect(script.start() == ["a"])
    script.at(2)
    #expect(script.start() == [])
    script.end("a")
    #expect(script.changes == ["started a", "completed a"])
  }

  @Test func `jobs cancelled during their delay leave no entries in the schedule`() throws {
    var script = Script()
    for number in 0..<2_000 {
      try script.add("\(number)") {
        $0.delay = .seconds(3600)
        $0.deadline = JobTime(milliseconds: 7_200_000)
      }
      _ = script.cancel(.id("\(number)"))
    }
    #expect(script.schedule.placeCount < 200)
    try script.add("kept") { $0.delay = .seconds(1) }
    script.at(1)
    #expect(script.start() == ["kept"])
  }

  @Test func `jobs that check their constraints repeatedly leave no entries in the schedule`()
    throws
  {
    var script = Script(machine: MachineState(network: .none))
    for number in 0..<10 {
      try script.add("\(number)") {
        $0.constraints = [.charging]
        $0.deadline = JobTime(milliseconds: Int64(1000 * (number + 1)))
      }
    }
    for _ in 0..<1_000 { script.machine(MachineState(network: .metered)) }
    #expect(script.schedule.placeCount < 200)
    #expect(script.alarm == 1)
    script.at(5)
    script.machine(MachineState(isCharging: true))
    #expect(script.start() == ["5"])
  }

  @Test func `jobs cancelled behind a running job leave no entries in the schedule`() throws {
    var script = Script(width: 2)
    try script.add("first") { $0.group = "group" }
    #expect(script.start() == ["first"])
    for number in 0..<2_000 {
      try script.add("\(number)") { $0.group = "group" }
      #expect(script.start() == [])
      _ = script.cancel(.id("\(number)"))
    }
    #expect(script.schedule.placeCount < 200)
    try script.add("kept") { $0.group = "group" }
    #expect(script.start() == [])
    script.end("first")
    #expect(script.start() == ["kept"])
  }
}
