import FrameBudget
import Testing

@testable import FrameBudgetReports

struct StripTests {

  /// Six vsyncs at 60 Hz in a tenth of a second; the third frame keeps two of them without a new one.
  private func row(_ answers: [AnswerLog] = []) throws -> PageRow {
    var row = try #require(
      PageRow.rows(results(["dropped_frames": [2]], milliseconds: 100).rows, among: []).first)
    row.frames = try Pages.recorded().first
    row.answers = answers
    return row
  }

  private func answers(_ times: [(Int64, Int64?)]) -> AnswerLog {
    AnswerLog(
      workload: "tap <1>", allowed: .milliseconds(10),
      answers: times.map { arrival, shown in
        AnswerLog.Answer(
          arrival: .zero + .milliseconds(arrival), shown: shown.map { .zero + .milliseconds($0) })
      })
  }

  private func strip(_ row: PageRow, to end: Double = 0.1) -> Strip {
    Strip(row: row, axis: TimeAxis(to: end))
  }

  @Test func `a gap lasts from the first vsync without a new frame to the next new one`() throws {
    let html = strip(try row()).markup.html
    #expect(html.matches(of: /class="gap"/).count == 1)
    // Vsyncs 3 to 5 of 60 Hz: 50 ms to 83.3 ms of 100.
    #expect(html.contains("class=\"gap\" style=\"left:50%;width:33.333%\""))
    let title = "no new frame at 2 vsyncs starting at 0.05 s because of business logic"
    #expect(html.contains("title=\"\(title)\""))
  }

  @Test func `all strips have one axis`() throws {
    #expect(strip(try row(), to: 0.2).markup.html.contains("left:25%;width:16.667%"))
    #expect(strip(try row(), to: 0.2).markup.html.contains("class=\"shown\" style=\"width:50%\""))
  }

  @Test func `an answer in time is a circle, a late one a cross with a line to its answer`() throws
  {
    let html = strip(try row([answers([(10, 20), (30, 80)])])).markup.html
    #expect(html.contains("class=\"intime\" style=\"left:10%\""))
    #expect(html.contains("class=\"late\" style=\"left:30%\""))
    #expect(html.contains("class=\"wait\" style=\"left:30%;width:50%\""))
    #expect(html.contains("tap &lt;1&gt; at 0.03 s: answered after 50 ms; the limit is 10 ms"))
  }

  @Test func `the line of an open response reaches the end; a dotted circle is not due yet`() throws
  {
    let row = try row([answers([(40, nil), (95, nil)])])
    let html = strip(row).markup.html
    #expect(html.contains("class=\"wait open\" style=\"left:40%;width:60%\""))
    #expect(html.contains("class=\"notdue\" style=\"left:95%\""))
    #expect(strip(row).answerKinds == [.open, .notDue])
    let legend = StripTable([row], []).markup.html
    #expect(legend.contains("not due by the end") && !legend.contains("in time"))
  }

  @Test(arguments: [("touch", "touches"), ("query", "queries"), ("key press", "key presses")])
  func `the legend has what is waited for in the singular, the column in the plural`(
    _ one: String, _ many: String
  ) throws {
    var log = answers([(10, 15), (30, 80)])
    log = AnswerLog(workload: one, allowed: log.allowed, answers: log.answers)
    let html = StripTable([try row([log])], []).markup.html
    #expect(html.contains("\(one) in time") && html.contains("\(one) late"))
    #expect(html.contains(">\(many) late</th>"))
  }

  @Test func `many short gaps are as high as their share of the vsyncs`() throws {
    let given = try row()
    let long = results(["dropped_frames": [500]], milliseconds: 20_000).rows
    var row = try #require(PageRow.rows(long, among: long).first)
    let refresh = RefreshRate(100)
    var run = try #require(given.frames)
    run = RecordedRun(keys: run.keys, refresh: refresh, duration: .seconds(20))
    // Every other vsync is without a new frame.
    run.frames = (0..<1000).map { frame in
      FrameRecord(
        beginVsync: 2 * frame, presentVsync: 2 * frame + 2, begin: refresh.vsync(2 * frame),
        workEnd: refresh.vsync(2 * frame + 1) + .milliseconds(1), cause: .render, items: 0,
        queueDepth: 0, spans: PhaseSpans())
    }
    row.frames = run
    let html = strip(row, to: 20).markup.html
    let heights = html.matches(of: /--height:([0-9.]+)/).compactMap { Double($0.output.1) }
    #expect(heights.count > 200)
    #expect(heights.allSatisfy { abs($0 - 0.5) < 0.11 })
  }

  @Test func `with very many answers each mark represents several, late ones first`() throws {
    let many = (0..<3000).map { number -> (Int64, Int64?) in
      let at = Int64(number % 100)
      return (at, at == 7 ? 99 : at)
    }
    let html = strip(try row([answers(many)])).markup.html
    #expect(html.matches(of: /class="intime"/).count == 99)
    #expect(html.matches(of: /class="late"/).count == 1)
  }

  @Test func `the pointer finds each frame's phases`() throws {
    let html = strip(try row()).markup.html
    #expect(
      html.contains("data-hertz=\"60\" data-frames=\"0:5=8;1:;2:1=30 5=10,2,business logic;5:5=8\"")
    )
  }

  @Test func `a label describes its content`() throws {
    let row = try row([answers([(10, 20), (30, 80)])])
    #expect(
      strip(row).markup.html.contains(
        "aria-label=\"schedulable: 1 gap without a new frame, 1 of 2 answers late\""))
  }
}
