import FrameBudget
import Testing

@testable import FrameBudgetReports

struct `The narrative` {
  private func text(_ run: HandMadeRun) throws -> String {
    Narrative(run: try #require(RepeatedRun([run.row().record], namesEngine: false))).text
  }

  @Test func `tells of one hang and what caused it`() throws {
    #expect(
      try text(.mainThread)
        == "main-thread dropped 390 of 600 frames in one hang of 6.5 s, caused by business logic, and "
        + "6 of 9 taps waited longer than 100 ms. All 2509 items were done.")
  }

  @Test func `tells of several hangs and of work left undone`() throws {
    #expect(
      try text(.throttled).hasPrefix(
        "throttled:batch=1000:interval=5 s dropped 312 of 600 frames in 2 hangs, 5.2 s in all, "
          + "caused by business logic, and left 500 of 2509 items undone."))
  }

  @Test func `reports the unfinished work and the price of a smooth screen`() throws {
    #expect(
      try text(.schedulable)
        == "schedulable dropped none of 600 frames, but 6 of 9 taps waited longer than 100 ms. "
        + "All 2509 items were done. The price: copying state for the UI took 734 ms; handing over "
        + "cost the main thread 28.7 µs per item.")
  }

  @Test(
    arguments: [
      (30, 0, "30 of 600 frames incomplete, for up to 50 ms"),
      (nil, 1, "each shown 16.7 ms later from 1 more buffer"),
      (
        30, 1,
        "30 of 600 frames incomplete, for up to 50 ms; each shown 16.7 ms later from 1 more buffer"
      ),
    ] as [(Int?, Int, String)])
  func `counts frames that are incomplete or later as a price`(
    _ incomplete: Int?, _ later: Int, _ price: String
  ) throws {
    let row = OutcomeRow(incompleteFrames: incomplete, periodsLater: later).row
    let run = try #require(RepeatedRun([row], namesEngine: false))
    #expect(Narrative(run: run).text.hasSuffix("The price: \(price)."))
  }

  @Test func `says who waited for whose locks`() throws {
    var run = HandMadeRun.mainThread
    let two = Deadlock(
      threads: ["import", "share"], locks: ["gallery", "catalogue"],
      since: .zero + .milliseconds(1200))
    run.totals.deadlocks = [two]
    #expect(
      try text(run).contains(
        "longer than 100 ms. Threads 'import' and 'share' waited for each other's locks (gallery, "
          + "catalogue) from 1.2 s on, without end. All"))
    let rows = [run.row(), HandMadeRun.mainThread.row(repetition: 2), run.row(repetition: 3)]
    let repeated = try #require(RepeatedRun(rows.map(\.record), namesEngine: false))
    #expect(
      Narrative(run: repeated).text.contains("In 2 of 3 runs threads 'import' and 'share' waited"))
  }

  @Test func `says so of more than two threads`() {
    let three = Deadlock(threads: ["a", "b", "c"], locks: ["k", "l", "m"], since: .zero)
    #expect(
      three.words
        == "threads 'a', 'b' and 'c' waited for one another's locks (k, l, m) from 0 ms on, "
        + "without end")
  }

  @Test func `names all causes, the largest first`() throws {
    var run = HandMadeRun()
    run.work = { vsync in
      switch vsync {
      case 10: [(.reads, .milliseconds(60))]
      case 50, 60: [(.lockWait, .milliseconds(8)), (.render, .milliseconds(10))]
      default: []
      }
    }
    #expect(
      try text(run).hasPrefix(
        "main-thread dropped 5 of 600 frames in 3 hitches, the longest of 50 ms, mostly caused by "
          + "UI reads (3), also by waiting for locks (2)"))
  }

  @Test(arguments: [
    (1, "dropped 1 of 600 frames in one hitch of 16.7 ms"),
    (2, "dropped 2 of 600 frames in 2 hitches of one frame each"),
  ])
  func `counts hitches of one frame`(_ count: Int, _ words: String) throws {
    var run = HandMadeRun()
    run.work = { [(.render, .milliseconds($0 % 10 == 0 && $0 / 10 < count ? 20 : 1))] }
    #expect(try text(run).contains(words))
  }

  @Test func `tells hangs among shorter hitches`() throws {
    var run = HandMadeRun()
    run.work = { [(.logic, .milliseconds($0 == 10 ? 300 : $0 == 100 ? 20 : 1))] }
    #expect(try text(run).contains("in 2 hitches, one of them a hang (300 ms)"))
  }

  @Test func `speaks of one item and one tap in the singular`() throws {
    var run = HandMadeRun()
    run.scenario.workloads = [
      HandMadeRun.workload("tap", .once(1, start: .zero), within: .milliseconds(100))
    ]
    #expect(
      try text(run).hasSuffix("Its one item was done and the one tap was answered within 100 ms."))
    run.shown = { _ in nil }
    let words = try text(run)
    #expect(
      words.contains(
        "but left 1 of 1 item undone, and its one tap waited longer than 100 ms, without an answer."
      ))
  }

  @Test func `says that every tap waited`() throws {
    var run = HandMadeRun.mainThread
    run.shown = { _ in nil }
    run.scenario.workloads[1].arrival = .batch(1, every: .seconds(1), start: .zero)
    #expect(
      try text(run).contains(
        "and all 10 taps waited longer than 100 ms, all of them without an answer"))
  }

  @Test func `distinguishes late and missing responses, and omits those that are not due`()
    throws
  {
    var run = HandMadeRun.mainThread
    run.scenario.workloads[1].arrival = .batch(1, every: .seconds(1), start: .zero)
    run.shown = { $0.number < 2 ? $0.instant + .milliseconds(150) * ($0.number + 1) : nil }
    #expect(
      try text(run).contains("all 10 taps waited longer than 100 ms, 8 of them without an answer"))
    run = HandMadeRun()
    run.scenario.workloads[1].arrival = .batch(1, every: .seconds(1), start: .milliseconds(950))
    run.shown = { $0.number < 9 ? $0.instant + .milliseconds(50) : nil }
    let words = try text(run)
    #expect(words.contains("All 9 taps that were due were answered within 100 ms"))
  }

  @Test func `says nothing about items where there are none`() throws {
    let scenario = Scenario(
      name: "steady", display: Display(refresh: RefreshRate(60)), duration: .seconds(1))
    #expect(
      try text(HandMadeRun(scenario: scenario)) == "main-thread dropped none of 60 frames.")
  }

  @Test func `says that a run was interrupted`() throws {
    var run = HandMadeRun.mainThread
    run.end = .zero + .milliseconds(500)
    #expect(try text(run).hasPrefix("main-thread (interrupted after 500 ms) dropped none of 30"))
  }

  @Test func `says that a run ended before the first vsync`() throws {
    var run = HandMadeRun.mainThread
    run.end = .zero + .milliseconds(5)
    #expect(
      try text(run) == "main-thread (interrupted after 5 ms) ended before the first vsync.")
  }

  @Test func `says that a run ended before the deadline of its first frame`() throws {
    var run = HandMadeRun.mainThread
    run.scenario.display.pipeline = Pipeline(deadline: 3)
    run.end = .zero + .milliseconds(20)
    #expect(try text(run).hasSuffix(" ended before a frame could be shown."))
  }

  @Test func `says that a run is invalid`() throws {
    var run = HandMadeRun()
    run.totals.exclusionViolations = 1
    #expect(try text(run).hasPrefix("main-thread (invalid) dropped none"))
  }

  @Test func `says what a median is of`() throws {
    let rows = [HandMadeRun.mainThread.row(), HandMadeRun().row(), HandMadeRun().row()]
    let run = try #require(RepeatedRun(rows.map(\.record), namesEngine: false))
    #expect(
      Narrative(run: run).text.hasPrefix(
        "main-thread (the median of 3 runs, which dropped 0 to 390) dropped none of 600 frames"))
  }

  @Test func `tells of waiting for locks`() throws {
    #expect(
      try text(.locks).contains("The price: the UI waited 1.6 s for locks, up to 8 ms at once"))
  }

  @Test func `tells threads of its own, other processes and late wake-ups apart`() throws {
    var run = HandMadeRun()
    run.work = { vsync in
      let phase: Phase? =
        switch vsync {
        case 10, 20, 30: .preempted
        case 40, 50: .machine
        case 60: .wakeup
        default: nil
        }
      return [
        (phase ?? .reads, .milliseconds(phase == nil ? 0 : 15)), (.render, .milliseconds(10)),
      ]
    }
    #expect(
      try text(run).contains(
        "in 6 hitches of one frame each, mostly caused by other threads of the app, which had the "
          + "processors (3), also by late wake-ups (1) and other processes (2)"))
  }

  @Test(arguments: Cause.allCases) func `has words for every cause`(_ cause: Cause) {
    #expect(!cause.traits.words.isEmpty)
  }
}
