import Testing

@testable import SchedulableJobs

/// Unique ids, and cancellation by common properties of jobs.
@Suite struct IdentityTests {
  @Test func `a second job with an id is refused until the first has ended`() throws {
    var script = Script()
    try script.add("a")
    #expect(throws: JobError.alreadyPresent(id: "a")) { try script.add("a") }
    #expect(script.start() == ["a"])
    #expect(throws: JobError.alreadyPresent(id: "a")) { try script.add("a") }
    script.end("a")
    try script.add("a")
    #expect(script.start() == ["a"])
  }

  @Test func `a replacement takes the place of a waiting job`() throws {
    var script = Script()
    try script.add("a") { $0.tags = ["old"] }
    try script.add("a") { $0.ifPresent = .replace }
    #expect(script.changes == ["cancelled a"])
    #expect(script.start() == ["a"])
    script.end("a")
    #expect(script.start() == [])
  }

  @Test func `a replacement of a running job starts after its end`() throws {
    var script = Script(width: 2)
    try script.add("a") { $0.retry = Retry(limit: 9, first: .zero) }
    #expect(script.start() == ["a"])
    try script.add("a") { $0.ifPresent = .replace }
    #expect(script.start() == [])
    script.schedule.ended(1, .failure(reason: "cancelled"), at: script.now)
    #expect(script.start() == ["a"])
    script.end("a")
    #expect(script.changes == ["started a", "cancelled a", "started a", "completed a"])
    #expect(throws: Never.self) { try script.add("a") }
  }

  @Test(arguments: [
    (JobSelection.tag("photos"), ["a", "c"]), (.group("g"), ["b", "c"]), (.id("b"), ["b"]),
    (.all, ["a", "b", "c", "d"]), (.tag("none"), []),
  ])
  func `jobs are cancelled by id, tag, group, or all of them`(
    selection: JobSelection, cancelled: [String]
  ) throws {
    var script = Script(width: 9, machine: MachineState(isCharging: true))
    try script.add("a") { $0.tags = ["big", "photos"] }
    try script.add("b") { $0.group = "g" }
    try script.add("c") {
      $0.tags = ["photos"]
      $0.group = "g"
    }
    try script.add("d") { $0.delay = .seconds(5) }
    #expect(script.cancel(selection).isEmpty)
    #expect(script.changes == cancelled.map { "cancelled \($0)" })
    #expect(script.schedule.waitingCount == 4 - cancelled.count)
    script.at(5)
    var left = script.start()
    if left.contains("b") && !cancelled.contains("c") { script.end("b") }
    left += script.start()
    #expect(Set(left) == Set(["a", "b", "c", "d"]).subtracting(cancelled))
  }

  @Test func `a running job is notified of its cancellation, and ends when its code returns`()
    throws
  {
    var script = Script()
    try script.add("a") {
      $0.retry = Retry(limit: 5)
      $0.repetition = Repetition(every: .zero)
    }
    #expect(script.start() == ["a"])
    #expect(script.cancel(.all) == [1])
    #expect(script.changes == ["started a"])
    script.fail("a")
    #expect(script.changes == ["started a", "cancelled a"])
    #expect(script.start() == [])
  }

  @Test func `kept jobs come first, and their ids are taken while they are being read`() throws {
    var script = Script(width: 9)
    let kept = ["k1", "k2", "k3"].enumerated().map {
      KeptJob(sequence: Int64($0.offset + 5), id: $0.element, text: "")
    }
    script.schedule.expect(kept)
    try script.add("new")
    #expect(throws: JobError.alreadyPresent(id: "k1")) { try script.add("k1") }
    try script.add("k2") { $0.ifPresent = .replace }
    #expect(script.schedule.cancel(.id("k3"), isRestoring: true).isEmpty)
    for job in kept {
      let record = JobRecord(Job("work", id: job.id), sequence: job.sequence, addedAt: script.now)
      script.schedule.restore(record, at: script.now)
    }
    script.schedule.endRestoring(3)
    #expect(script.start() == ["k1", "new", "k2"])
    #expect(script.changes.prefix(3) == ["restored k1", "restored k3", "cancelled k3"])
  }
}
