import Testing

@testable import SchedulableJobs

/// Repetition after success, and retries after failure.
@Suite struct RunningAgainTests {
  @Test func `a job that fails is tried again after waits that double, up to the longest`() throws {
    var script = Script()
    try script.add("a") {
      $0.retry = Retry(limit: 5, first: .seconds(1), longest: .seconds(6))
    }
    var now = 0.0
    for wait in [1.0, 2, 4, 6, 6] {
      #expect(script.start() == ["a"])
      script.fail("a")
      now += wait
      #expect(script.alarm == now)
      script.at(now - 0.001)
      #expect(script.start() == [])
      script.at(now)
    }
    #expect(script.start() == ["a"])
    script.fail("a")
    #expect(script.changes.last == "failed a")
    #expect(script.changes.count { $0 == "retrying a" } == 5)
    #expect(script.schedule.waitingCount == 0)
  }

  @Test func `the wait doubles with each earlier failure, from the first wait on`() {
    let retry = Retry(limit: 90, first: .milliseconds(250), longest: .seconds(86400))
    #expect(retry.wait(afterFailures: 1) == .milliseconds(250))
    #expect(retry.wait(afterFailures: 11) == .milliseconds(256_000))
    #expect(retry.wait(afterFailures: 90) == .seconds(86400))
    #expect(Retry(limit: 3, first: .zero, longest: .zero).wait(afterFailures: 3) == .zero)
  }

  @Test func `a success forgets the failures before it`() throws {
    var script = Script()
    try script.add("a") {
      $0.retry = Retry(limit: 1, first: .zero)
      $0.repetition = Repetition(every: .zero)
    }
    for _ in 0..<3 {
      #expect(script.start() == ["a"])
      script.fail("a")
      #expect(script.start() == ["a"])
      script.end("a")
    }
    #expect(script.changes.last == "repeating a")
  }

  @Test func `a final failure is not tried again`() throws {
    var script = Script()
    try script.add("a") { $0.retry = Retry(limit: 5) }
    #expect(script.start() == ["a"])
    script.end("a", .failure(reason: "gone", isFinal: true))
    #expect(script.changes == ["started a", "failed a"])
  }

  @Test func `a job repeats after its interval, up to its number of runs`() throws {
    var script = Script()
    try script.add("a") { $0.repetition = Repetition(every: .seconds(10), maximumRuns: 3) }
    for run in 0..<3 {
      script.at(Double(run) * 12)
      #expect(script.start() == ["a"])
      script.at(Double(run) * 12 + 2)
      script.end("a")
      #expect(script.start() == [])
    }
    #expect(script.alarm == nil)
    #expect(script.changes.suffix(3) == ["repeating a", "started a", "completed a"])
  }

  @Test func `an older job that runs again goes before younger ones`() throws {
    var script = Script()
    try script.add("old") { $0.retry = Retry(limit: 1, first: .seconds(1)) }
    try script.add("b")
    try script.add("c")
    #expect(script.start() == ["old"])
    script.fail("old")
    #expect(script.start() == ["b"])
    script.at(1)
    script.end("b")
    #expect(script.start() == ["old"])
  }

  @Test func `an end that is reported twice counts once`() throws {
    var script = Script(width: 2)
    try script.add("a")
    try script.add("b")
    #expect(script.start() == ["a", "b"])
    script.end("a")
    script.end("a")
    #expect(script.schedule.runningCount == 1)
  }
}
