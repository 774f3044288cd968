import Foundation
import FrameBudget
import FrameBudgetParsing
import TestSupport
import Testing

@testable import FrameBudgetReports

struct `The words of a verdict` {
  private func verdict(_ rows: [ReportRow]) throws -> Verdict {
    try #require(Verdict.all(rows).first)
  }

  /// No frame dropped, 50 ms of waiting for locks.
  private var locks: HandMadeRun {
    var run = HandMadeRun.locks
    run.work = { vsync in
      (vsync % 60 == 0 ? [(.lockWait, .milliseconds(5))] : []) + [(.render, .milliseconds(10))]
    }
    return run
  }

  /// As smooth, by copies.
  private var copies: HandMadeRun {
    var run = HandMadeRun.schedulable
    run.strategy = "schedulable-priorities"
    run.shown = { $0.instant + .milliseconds(50) }
    return run
  }

  @Test(arguments: [
    (
      ["hitch_count": [11], "hitch_total_ms": [616.7], "hitch_max_ms": [216.7]],
      "11 hitches, 617 ms in all, the longest 217 ms; dropped frames are unknown"
    ),
    (["hang_count": [0]], "0 hangs; dropped frames are unknown"),
    (["expected_frames": [0]], "no frame was due"),
    (["frame_ms_p99": [20]], "dropped frames are unknown"),
  ])
  func `say what a log without vsyncs has`(_ metrics: [String: [Double]], _ words: String) throws {
    let log = results(metrics, engine: "imported", strategy: "app")
    #expect(try #require(Verdict.all(log.rows).first).headline == "app: \(words).")
  }

  @Test func `name the hang, the smooth strategy with its price, and one with another price`()
    throws
  {
    let verdict = try verdict([HandMadeRun.mainThread.row(), locks.row(), copies.row()])
    #expect(
      verdict.text == """
        With 2500 items of add-file the app hangs for 6.5 s. threads-and-locks:lock=fair: none of 600 frames dropped, \
        9 of 9 taps in time, all work done; price: the UI waits 50 ms for locks. schedulable-priorities is as smooth \
        without waiting for locks, at 734 ms of copying.
        """)
  }

  @Test func `are the same for results that were written and read back`() throws {
    let rows = [
      HandMadeRun.mainThread.row(), locks.row(), copies.row(), HandMadeRun.throttled.row(),
    ]
    let results = try ResultSet(ByteSource(Array(SummaryCSV.text(rows).utf8), name: "summary.csv"))
    let workloads = try ResultSet(
      ByteSource(Array(WorkloadsCSV.text(rows).utf8), name: "workloads.csv"))
    let read = try #require(Verdict.all(results.rows, workloads: workloads.rows).first)
    let made = try verdict(rows)
    #expect(read.text == made.text)
    #expect(read.strategies == made.strategies)
  }

  @Test func `call items what the scenario calls them, also once they are written and read back`()
    throws
  {
    var run = HandMadeRun.mainThread
    run.scenario.workloads[0].item = "photo"
    run.scenario.workloads[1].item = "edit"
    let row = run.row()
    let made = try verdict([row])
    #expect(made.headline == "With 2500 photos the app hangs for 6.5 s.")
    #expect(made.today.facts.contains("6 of 9 edits late"))
    let workloads = try ResultSet(
      ByteSource(Array(WorkloadsCSV.text([row]).utf8), name: "workloads.csv"))
    let summary = try ResultSet(
      ByteSource(Array(SummaryCSV.text([row]).utf8), name: "summary.csv"))
    let read = Verdict.all(summary.rows, workloads: workloads.rows)
    #expect(read.map(\.text) == [made.text])
    #expect(
      try ReportPage(title: "page", results: summary, workloads: workloads).html()
        .contains("<title>camera-upload: With 2500 photos the app hangs for 6.5 s.</title>"))
  }

  @Test(
    arguments: [
      ([("two", "file", 20), ("three", "file", 30)], "With 50 files "),
      ([("two", "", 20), ("three", "", 30)], "With 20 items of two and 30 of three "),
      ([("two", "file", 1), ("three", "", 30)], "With 1 file and 30 items of three "),
      ([("two", "", 20), ("three", "note", 30)], "With 20 items of two and 30 notes "),
      ([("a", "file", 1), ("b", "file", 2), ("c", "", 3)], "With 3 files and 3 items of c "),
      ([("a", "", 1), ("b", "", 2), ("c", "", 3)], "With 6 items "),
    ])
  func `count items with the same name together`(
    _ work: [(name: String, item: String, count: Int)], _ beginning: String
  ) throws {
    let rows = work.map { name, item, count in
      var row = OutcomeRow().row
      (row.workload, row.item) = (name, item)
      var numbers = OutcomeRow().numbers
      numbers["items_done"] = Double(count)
      numbers["responses_late"] = nil
      row.numbers = RowNumbers(numbers)
      return row
    }
    let verdict = try #require(Verdict.all([OutcomeRow().row], workloads: rows).first)
    #expect(verdict.headline.hasPrefix(beginning))
  }

  @Test func `name the unfinished work if there is one kind`() throws {
    var row = OutcomeRow(left: 5).row
    (row.workload, row.item) = ("import", "photo")
    let verdict = try #require(Verdict.all([OutcomeRow(left: 5).row], workloads: [row]).first)
    #expect(verdict.today.facts.hasSuffix("5 of 1000 photos left undone"))
  }

  @Test func `name a strategy as the option takes it`() throws {
    let row = HandMadeRun.throttled.row()
    #expect(try verdict([row]).today.label == "throttled:batch=1000:interval=5 s")
    #expect(try verdict([row]).today.label == row.log.strategy.label)
  }

  @Test func `say that a wait had not ended`() throws {
    var run = HandMadeRun()
    run.shown = { $0.workload == 1 && $0.number > 6 ? nil : $0.instant + .milliseconds(20) }
    #expect(
      try verdict([run.row()]).today.facts
        == "none of 600 frames dropped, 2 of 9 taps late (the slowest after at least 1.5 s), all work done"
    )
  }

  @Test func `of one strategy compare nothing`() throws {
    let verdict = try verdict([HandMadeRun.mainThread.row()])
    #expect(
      verdict.answer == [
        "main-thread: 390 of 600 frames dropped (6.5 s without a new one), 6 of 9 taps late (the slowest after 6 s), all work done.",
        "No other strategy was run for comparison.",
      ])
  }

  @Test func `of a recorded log do not advise`() throws {
    let rows = ["browser", "compositor"].map { name in
      let outcome = OutcomeRow(label: name, drops: [.logic: 2], longestGap: 2)
      return RunRecord(
        scenario: outcome.row.scenario, strategy: name, options: "", changes: "",
        engine: "imported", cores: "", repetition: "1", seed: "", status: "", refreshHz: 60,
        durationMilliseconds: 10_000,
        numbers: RowNumbers(
          outcome.numbers.filter { !$0.key.hasPrefix("items") && $0.key != "responses_late" }))
    }
    let verdict = try #require(Verdict.all(rows).first)
    #expect(verdict.cheapest == nil)
    #expect(
      verdict.text
        == "browser: 2 of 600 frames dropped (up to 2 in a row). compositor: 2 of 600 frames dropped (up to 2 in a row)."
    )
  }

  @Test func `name who was disturbed`() throws {
    let rows = [
      OutcomeRow(engine: .real, drops: [.logic: 3]),
      OutcomeRow(label: "other", engine: .real, isDisturbed: true),
    ]
    #expect(
      try #require(Verdict.all(rows).first).caveats == [
        "The machine was disturbed: other processes ran during other; measure again to be sure."
      ])
  }

  @Test(
    arguments: [
      (60, "33.3 ms"), (1000, "2 ms"), (59.94006, "33.4 ms"), (nil, "2 periods"), (0, "2 periods"),
      (1e-9, "2 periods"), (-60, "2 periods"), (1001, "2 periods"), (1e14, "2 periods"),
    ] as [(Double?, String)])
  func `say by how much frames are later, in periods if no screen has the rate`(
    _ refreshHz: Double?, _ span: String
  ) throws {
    var row = OutcomeRow(periodsLater: 2).row
    row.refreshHz = refreshHz
    let outcome = try #require(Verdict.all([row]).first).today
    #expect(outcome.losses == ["each shown \(span) later from 2 more buffers"])
  }

  @Test func `of every shipped scenario`() throws {
    let folder = Project.folder.appending(path: "results/reference").path
    let results = try ResultSet(ByteSource(path: "\(folder)/summary.csv"))
    let workloads = try ResultSet(ByteSource(path: "\(folder)/workloads.csv"))
    let verdicts = Verdict.all(results.rows, workloads: workloads.rows)
    let texts = verdicts.map { verdict in
      let title = "\(verdict.scenario), cores: \(verdict.cores)"
      return ([title] + Paragraph.wrapped(verdict.text, width: 100, indent: "  ")).joined(
        separator: "\n")
    }
    try Golden.expect(texts.joined(separator: "\n\n") + "\n", "verdicts.txt")
  }

  @Test(
    arguments: [
      (OutcomeRow(), "The app stays smooth."),
      (OutcomeRow(late: 7), "The app is late with 7 responses."),
      (OutcomeRow(drops: [.logic: 1]), "The app drops 1 of 600 frames."),
      (
        OutcomeRow(drops: [.logic: 9], longestGap: 3, late: 1),
        "The app drops 9 of 600 frames, up to 3 in a row, and is late with 1 response."
      ),
      (OutcomeRow(left: 5), "The app drops no frame, but leaves 5 of 1000 items undone."),
      (
        OutcomeRow(incompleteFrames: 30),
        "The app drops no frame, but shows 30 of 600 frames incomplete, for up to 50 ms."
      ),
      (
        OutcomeRow(periodsLater: 1),
        "The app drops no frame, but shows each 16.7 ms later from 1 more buffer."
      ),
      (
        OutcomeRow(drops: [.logic: 60], longestGap: 30, hangs: 2),
        "The app hangs 2 times, for up to 500 ms."
      ),
      // The longest row may be the machine's.
      (
        OutcomeRow(engine: .real, drops: [.wakeup: 4, .machine: 36], longestGap: 5),
        "The app drops 4 of 600 frames."
      ),
      (
        OutcomeRow(engine: .real, drops: [.logic: 20, .machine: 60], longestGap: 60, hangs: 1),
        "The app drops 20 of 600 frames."
      ),
      (
        OutcomeRow(engine: .real, drops: [.logic: 9, .machine: 1], longestGap: 10),
        "The app drops 9 of 600 frames, up to 9 in a row."
      ),
      (
        OutcomeRow(engine: .real, drops: [.logic: 60, .machine: 1], longestGap: 60, hangs: 1),
        "The app hangs for 1 s."
      ),
      (OutcomeRow(status: .invalid), "main-thread broke an invariant: it proves nothing."),
    ])
  func `begin with what the app does to its user`(_ row: OutcomeRow, _ headline: String) throws {
    #expect(try #require(Verdict.all([row]).first).headline == headline)
  }

  @Test(
    arguments: [
      (72, 0, 0, 0, "72 of 72 queries in time"), (72, 0, 0, 9, "72 of 72 queries in time"),
      (72, 0, 1, 0, "71 of 72 queries in time (1 not due yet)"),
      (1, 0, 1, 0, "the one query not due yet"), (1, 0, 0, 0, "the one query in time"),
      (9, 2, 1, 0, "2 of 9 queries late"),
      // Four of them may wait for the answer of the one.
      (9, 0, 1, 4, "none of 9 queries late (at least 1 not due yet)"),
    ])
  func `count as in time only what was answered`(
    _ arrived: Int, _ late: Int, _ notDue: Int, _ replaced: Int, _ words: String
  ) {
    let work = WorkOutcome(
      name: "search", item: "query", arrived: arrived, left: 0, late: late, notDue: notDue,
      replaced: replaced, slowest: nil)
    let outcome = StrategyOutcome(
      watched: "main-thread", engine: .virtual, expectedFrames: 600,
      drops: Cause.allCases.map { _ in 0 }, longestGap: 0, longestGapMilliseconds: 0, hangs: 0,
      work: [work])
    #expect(outcome.smoothness.last == words)
  }

  @Test func `have as many answers in time as the sentence on the run`() throws {
    // The last tap comes 20 ms before the end.
    var made = HandMadeRun()
    made.scenario.workloads[1].arrival = .batch(1, every: .seconds(1), start: .milliseconds(1980))
    made.shown = { $0.instant + .milliseconds(30) }
    let run = made.row()
    let text = try #require(Verdict.all([run]).first).today.facts
    #expect(text.contains("8 of 9 taps in time (1 not due yet)"))
    let repeated = try #require(RepeatedRun([run.record], namesEngine: false))
    #expect(
      Narrative(run: repeated).text.contains("All 8 taps that were due were answered within"))
  }

  @Test func `leave today's strategy alone where it is smooth, and say what pays least`() throws {
    let cheap = OutcomeRow(label: "cheap", handOff: 1)
    let verdict = try #require(Verdict.all([OutcomeRow(lockWait: 9), cheap]).first)
    #expect(
      verdict.text == """
        The app stays smooth. main-thread: none of 600 frames dropped, no response late, all work done; price: the UI \
        waits 9 ms for locks. cheap has the lowest price: 1 ms of handing work over.
        """)
    let cheapest = try #require(Verdict.all([OutcomeRow(), cheap]).first)
    #expect(cheapest.answer.last == "No other smooth strategy has a lower price.")
  }

  @Test(arguments: [
    (
      OutcomeRow(lockWait: 1, periodsLater: 1),
      "steady has the earliest frames, at a price: 9 ms of copying."
    ),
    (
      OutcomeRow(lockWait: 1, incompleteFrames: 30),
      "steady has the fewest incomplete frames, at a price: 9 ms of copying."
    ),
    (OutcomeRow(lockWait: 10), "steady has the lowest price: 9 ms of copying."),
  ])
  func `call a price the lowest only if it is`(_ today: OutcomeRow, _ choice: String) throws {
    let steady = OutcomeRow(label: "steady", copying: 9)
    #expect(try #require(Verdict.all([today, steady]).first).answer.last == choice)
  }

  @Test func `say why what has a lower price is not better`() throws {
    let late = OutcomeRow(label: "late", periodsLater: 1)
    let verdict = try #require(Verdict.all([OutcomeRow(lockWait: 9), late]).first)
    #expect(
      verdict.answer.last
        == "Smooth strategies with a lower price show frames later, or more of them incomplete.")
  }

  @Test func `say that the frames of one with another price are later`() throws {
    let verdict = try #require(
      Verdict.all([
        OutcomeRow(drops: [.logic: 390]), OutcomeRow(label: "locks", lockWait: 5),
        OutcomeRow(label: "late", copying: 1, periodsLater: 1),
      ]).first)
    #expect(
      verdict.answer.dropFirst() == [
        "late is as smooth without waiting for locks, at 1 ms of copying.",
        "Its frames: each shown 16.7 ms later from 1 more buffer.",
      ])
  }
}
