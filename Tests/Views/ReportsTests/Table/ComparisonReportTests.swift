import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetReports

struct `The comparison for people` {
  static let rows = [
    HandMadeRun.mainThread, .throttled, .locks, .schedulable,
  ].map { $0.row() }

  @Test(arguments: [80, 100, 120, 200])
  func `matches its golden file byte by byte`(_ width: Int) throws {
    let text = ComparisonReport.text(Self.rows, width: width, isColored: false)
    try Golden.expect(text, "comparison-\(width).txt")
  }

  @Test(arguments: [40, 60, 80, 81, 99, 100, 119, 120, 160, 200, 500])
  func `has no line wider than there is room`(_ width: Int) {
    let text = ComparisonReport.text(Self.rows, width: width, isColored: false)
    for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
  }

  @Test func `keeps dropped frames when there is room for nothing else`() {
    let text = ComparisonReport.text(Self.rows, width: 40, isColored: false)
    #expect(text.contains("dropped"))
    #expect(text.contains("390"))
    #expect(text.contains("not shown in 40 columns: "))
  }

  @Test func `leaves out columns that apply nowhere`() {
    let scenario = Scenario(
      name: "steady", display: Display(refresh: RefreshRate(60)), duration: .seconds(1))
    let text = ComparisonReport.text(
      [HandMadeRun(scenario: scenario).row()], width: 200, isColored: false)
    for absent in ["items", "resp", "lock", "publish", "hand-off", "hops"] {
      #expect(!text.contains(absent), "\(absent)")
    }
    #expect(text.contains("frame"))
  }

  @Test(arguments: MetricSet.allCases)
  func `shows a platform's numbers instead of ours, each under its title`(_ set: MetricSet) {
    let text = ComparisonReport.text(Self.rows, sets: [set], width: 500, isColored: false)
    let table = text.split(separator: "\n")
    for theirs in set.metrics {
      let applies = Self.rows.contains { $0.metrics[theirs.metric] != nil }
      for word in theirs.title where !word.isEmpty && applies {
        #expect(table.contains { $0.contains(word) }, "\(theirs.theirs): \(word)")
      }
    }
    let heads =
      table.prefix { !$0.contains("strategy") }.suffix(1)
      + table.filter { $0.contains("strategy ") }
    #expect(!heads.contains { $0.contains("worst") } && text.contains("dropped"))
    #expect(text.contains("numbers of frames as \(set.title)'s tools print them"))
  }

  @Test func `shows the numbers of all platforms beside ours`() {
    let text = ComparisonReport.text(
      Self.rows, sets: MetricSet.allCases, width: 500, isColored: false)
    for title in ["worst ", "overrun", "severe", "blocking", "build", "0.1 % low"] {
      #expect(text.contains(title), "\(title)")
    }
  }

  @Test(arguments: [40, 60, 80, 100, 120, 160])
  func `platforms' numbers are dropped to fit the width, the first one last`(_ width: Int) {
    for sets in MetricSet.allCases.map({ [$0] }) + [MetricSet.allCases] {
      let text = ComparisonReport.text(Self.rows, sets: sets, width: width, isColored: false)
      for line in text.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
      #expect(text.contains("dropped"))
    }
    let android = ComparisonReport.text(
      Self.rows, sets: [.android], width: width, isColored: false)
    #expect(width < 100 || android.contains("overrun"))
  }

  /// The names of the rows with a star.
  private static func marked(_ rows: [ReportRow]) -> [String] {
    ComparisonReport.text(rows, width: 120, isColored: false)
      .split(separator: "\n").filter { $0.contains(" * ") }.map { String($0.prefix { $0 != " " }) }
  }

  @Test func `marks smooth rows that left work or hid late responses, and no others`() {
    var lazy = HandMadeRun.throttled
    lazy.work = { _ in [(.render, .milliseconds(10))] }
    lazy.strategy = "lazy"
    let rows = Self.rows + [lazy.row()]
    #expect(Self.marked(rows) == ["schedulable", "lazy"])
    let text = ComparisonReport.text(rows, width: 120, isColored: false)
    #expect(text.contains("\n* drops few frames"))
  }

  @Test func `marks rows that others disturbed, and no others`() {
    var busy = HandMadeRun.mainThread
    busy.totals.hostLoad = HostLoad(stealPercent: 0, othersPercent: 41)
    var robbed = HandMadeRun.throttled
    robbed.totals.hostLoad = HostLoad(stealPercent: 1.1, othersPercent: 0)
    var quiet = HandMadeRun.schedulable
    quiet.totals.hostLoad = HostLoad(stealPercent: 1, othersPercent: 5)
    var late = HandMadeRun()
    late.strategy = "late"
    late.work = { [(.machine, .milliseconds($0 == 5 ? 9 : 0)), (.render, .milliseconds(10))] }
    var predicted = late
    (predicted.strategy, predicted.engine) = ("predicted", .virtual)
    let text = ComparisonReport.text(
      [busy, robbed, quiet, late, predicted].map { $0.row() }, width: 120, isColored: false)
    let marked = text.split(separator: "\n").filter { $0.contains(" ! ") }.map {
      String($0.prefix { $0 != " " })
    }
    #expect(marked == ["main-thread", "throttled", "late"])
    #expect(text.contains("\n! disturbed: other processes"))
    #expect(text.contains("throttled (real) !"))
  }

  @Test func `does not mention smoothness if no run is smooth`() {
    let rows = [HandMadeRun.mainThread.row(), HandMadeRun.throttled.row()]
    #expect(rows[1].metrics.items.pending == 500)
    #expect(Self.marked(rows) == [])
    let text = ComparisonReport.text(rows, width: 120, isColored: false)
    #expect(!text.contains("smoothness"))
  }

  /// Nine taps of which the first two are answered: a hang to the end.
  private static var hang: HandMadeRun {
    var run = HandMadeRun.mainThread
    run.done = { $0.workload == 0 || $0.number < 2 ? max($0.instant, .zero + .seconds(1)) : nil }
    run.shown = { $0.instant + .milliseconds(16) }
    return run
  }

  @Test func `marks a percentile that is a lower bound, and says what the mark means`() {
    let text = ComparisonReport.text([Self.hang.row()], width: 120, isColored: false)
    #expect(text.contains("  >6420  "), "\(text)")
    #expect(
      text.contains("\n> lower bound: some responses were still open at the end"))
    let exact = ComparisonReport.text(Self.rows, width: 120, isColored: false)
    #expect(!exact.contains(">"))
  }

  @Test(
    arguments: [
      (true, false, ">+"), (false, true, "<-"), (true, true, " - "), (false, false, ""),
    ])
  func `a difference of engines is a bound where a side is one`(
    _ isRealBound: Bool, _ isVirtualBound: Bool, _ text: String
  ) throws {
    var answered = HandMadeRun.mainThread
    answered.shown = { $0.instant + .milliseconds(16) }
    func run(_ hangs: Bool, _ engine: EngineKind) -> ReportRow {
      var run = hangs ? Self.hang : answered
      run.engine = engine
      return run.row()
    }
    let rows = [run(isRealBound, .real), run(isVirtualBound, .virtual)]
    let report = ComparisonReport.text(rows, width: 200, isColored: false)
    let lines = report.split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.contains("real minus virtual") })
    let difference = try #require(lines[start...].first { $0.hasPrefix("main-thread") })
    #expect(text.isEmpty ? !difference.contains { "<>".contains($0) } : difference.contains(text))
  }

  @Test func `has no footnote where nothing is marked`() {
    let text = ComparisonReport.text([HandMadeRun.locks.row()], width: 120, isColored: false)
    #expect(!text.contains("*") && !text.contains("!"))
  }

  @Test func `does not hold an interruption against a run`() {
    var run = HandMadeRun.throttled
    run.end = .zero + .seconds(3)
    #expect(RepeatedRun([run.row().record], namesEngine: false)?.boughtSmoothness == false)
  }

  @Test func `has colours only on request, and the same text`() {
    let plain = ComparisonReport.text(Self.rows, width: 100, isColored: false)
    let colored = ComparisonReport.text(Self.rows, width: 100, isColored: true)
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[31m"))
    #expect(colored.replacing(#/\u{1B}\[\d+m/#, with: "") == plain)
  }

  @Test func `puts each value of a variation under a line of its own`() {
    let rows = ["a.b=1", "a.b=2"].flatMap { changes in
      [HandMadeRun.mainThread.row(changes: changes), HandMadeRun.locks.row(changes: changes)]
    }
    let lines = ComparisonReport.text(rows, width: 100, isColored: false, details: true)
      .split(separator: "\n").map(String.init)
    #expect(lines.filter { $0 == "a.b=1" }.count == 1)
    #expect(lines.filter { $0 == "a.b=2" }.count == 1)
    #expect(lines.filter { $0.hasPrefix("main-thread") }.count == 2)
    #expect(lines.contains { $0.hasPrefix("- [a.b=2] main-thread dropped") })
  }

  @Test func `says by how much the engines differ`() throws {
    var predicted = HandMadeRun.mainThread
    predicted.engine = .virtual
    predicted.work = { vsync in
      (vsync == 60 ? [(.logic, .milliseconds(6400))] : []) + [(.render, .milliseconds(10))]
    }
    let rows = [HandMadeRun.mainThread.row(), predicted.row(), HandMadeRun.locks.row()]
    let text = ComparisonReport.text(rows, width: 120, isColored: false)
    try Golden.expect(text, "engines.txt")
    #expect(text.contains("main-thread (real)"))
    #expect(text.contains("real minus virtual"))
  }

  @Test func `is short without runs`() {
    #expect(
      ComparisonReport.text([], width: 80, isColored: false).hasPrefix("nothing was measured"))
  }

  @Test func `shortens a name that is longer than a line`() {
    var run = HandMadeRun()
    run.strategy = String(repeating: "x", count: 64)
    let text = ComparisonReport.text([run.row()], width: 80, isColored: false)
    #expect(text.contains(String(repeating: "x", count: 39) + "…"))
  }
}
