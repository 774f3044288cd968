import Parsing
import Testing

@testable import Reports

struct LanePictureTests {
  private func plot() throws -> Plot {
    let runs = try TracedRun.read(ByteSource(Array(HandMadeTrace.text().utf8), name: "t"))
    return try #require(LanePicture(runs[0])).plot()
  }

  /// The window: a period before the late frame begins at 10 ms, one after it is shown at 40 ms.
  @Test func `the numbers behind it are what each thread did around the hitch`() throws {
    #expect(
      try plot().table.rows == [
        ["screen", "20", "40", "no new frame, because of lock", "2", ""],
        ["main", "0", "2", "reads", "1", "2"], ["main", "2", "6", "render", "1", "4"],
        ["main", "10", "11", "reads", "1", "1"],
        ["main", "11", "33", "waiting for the lock catalogue", "1", "22"],
        ["main", "33", "34", "reads", "1", "1"], ["main", "34", "38", "render", "1", "4"],
        ["main", "40", "42", "reads", "1", "2"], ["main", "42", "46", "render", "1", "4"],
        ["files", "3", "33", "business logic (add-file/insert)", "1", "30"],
        ["lock catalogue", "3", "33", "held by files", "1", "30"],
        ["lock catalogue", "33", "34", "held by main", "1", "1"],
      ])
  }

  @Test func `bars stand where their numbers say`() throws {
    let wait = try #require(try plot().marks.first { $0.contains("waiting for the lock") })
    // 50 ms are 434 wide, from 16 on.
    let (left, width) = (16 + 11.0 / 50 * 434, 22.0 / 50 * 434)
    #expect(wait.contains("x=\"\(Plot.text(left))\""))
    #expect(wait.contains("width=\"\(Plot.text(width))\""))
    #expect(wait.contains("fill=\"\(FramePictures.color(of: "lock"))\""))
    #expect(wait.contains("<title>main, 11 to 33 ms: waiting for the lock catalogue</title>"))
  }

  @Test func `the description says what was dropped and why`() throws {
    let plot = try plot()
    #expect(plot.title == "Threads around the worst hitch of traced · main-thread · real")
    #expect(
      plot.summary.hasPrefix(
        "The frame begun at 10 ms kept 2 vsyncs without a new frame, because of lock."))
    #expect(plot.legend.map(\.name).contains("waiting for a lock"))
  }

  @Test func `without a late frame there is no picture`() {
    var run = TracedRun()
    run.threads = [TracedRun.Thread(name: "main")]
    #expect(LanePicture(run) == nil)
  }

  private func span(_ begin: Int64, _ end: Int64, _ kind: TracedRun.Kind) -> TracedRun.Span {
    TracedRun.Span(begin: begin, end: end, kind: kind, name: "")
  }

  @Test func `spans too short to be told apart are one mark of what most of it was`() {
    let spans = (0..<100).flatMap { number in
      [span(number * 10, number * 10 + 8, .logic), span(number * 10 + 8, number * 10 + 10, .drain)]
    }
    let marks = LaneMark.marks(of: spans, from: 0, to: 1000, shortest: 100)
    #expect(marks.count == 1)
    #expect(marks.first?.kind == .logic)
    #expect(marks.first?.words == "200 spans: business logic 80 %, results 20 %")
    #expect(marks.first?.busy == 1000)
  }

  @Test func `spans that show keep their bounds, and are cut at the window's`() {
    let spans = [span(0, 500, .logic), span(500, 505, .post), span(700, 1500, .render)]
    let marks = LaneMark.marks(of: spans, from: 100, to: 1000, shortest: 100)
    #expect(marks.map(\.begin) == [100, 500, 700])
    #expect(marks.map(\.end) == [500, 505, 1000])
    #expect(marks.map(\.kind) == [.logic, .post, .render])
  }

  @Test func `a span around others has the time that is its own`() {
    let spans = [span(0, 1000, .reads), span(200, 600, .lockWait), span(600, 700, .preempted)]
    let marks = LaneMark.marks(of: spans, from: 0, to: 1000, shortest: 10)
    #expect(marks.map(\.kind) == [.reads, .lockWait, .preempted, .reads])
    #expect(marks.map(\.busy) == [200, 400, 100, 300])
  }
}
