import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

struct ThreadPictureTests {
  private func traced() throws -> TracedRun {
    let file = try TracedRuns(ByteSource(Array(HandMadeTrace.text().utf8), name: "t"))
    let place = try #require(file.runs.first).place
    return try file.drawn(in: [place: window])[0]
  }

  /// The window: a period before the late frame begins at 10 ms, one after it is shown at 40 ms.
  private let window = ThreadPicture.Window(from: 0, to: 50_000_000)

  @Test func `a row for each thread, and for each lock that a thread waited for`() throws {
    let picture = ThreadPicture(try traced(), window)
    #expect(picture.lanes.map(\.name) == ["main", "files", "lock catalogue"])
    #expect(
      picture.lanes[0].marks.map(\.words) == [
        "reading state", "drawing", "reading state", "waiting for the lock catalogue",
        "reading state", "drawing", "reading state", "drawing",
      ])
    #expect(picture.lanes[2].marks.map(\.words) == ["held by files", "held by main"])
  }

  @Test func `each vsync says whether it had a new frame`() throws {
    let picture = ThreadPicture(try traced(), window)
    #expect(picture.vsyncs.map(\.state) == [.shown, .dropped, .dropped, .shown, .shown])
    let html = picture.markup(window).html
    #expect(html.matches(of: />dropped</).count == 2)
    #expect(html.contains("aria-label=\"a new frame at 3 of 5 vsyncs, 2 dropped\""))
  }

  @Test func `bars are at the positions of their numbers`() throws {
    let html = ThreadPicture(try traced(), window).markup(window).html
    #expect(
      html.contains(
        "<i class=\"k-waiting\" style=\"left:22%;width:44%\" title=\"main, 11 to 33 ms: waiting for the lock catalogue\">"
      ))
  }

  @Test func `without a trace the phases of the frames follow one another on the main thread`()
    throws
  {
    let run = try #require(try Pages.recorded().first)
    let picture = ThreadPicture(run, ThreadPicture.Window(from: 0, to: 100_000_000))
    #expect(picture.lanes.map(\.name) == ["main"])
    let marks = picture.lanes[0].marks
    #expect(marks.map(\.kind) == [.render, .render, .logic, .render, .render])
    #expect(marks[2].end - marks[2].begin == 30_000_000 && marks[3].begin == marks[2].end)
    #expect(
      picture.vsyncs.map(\.state) == [.shown, .shown, .dropped, .dropped, .shown, .shown])
  }

  @Test func `on demand a vsync that wanted no frame is not dropped, in either picture`() throws {
    // Frames at 1 and 6; the second was due at 5, so 2 to 4 wanted none.
    let period = 10_000_000 as Int64
    func frame(_ begin: Int, due: Int, shown: Int) -> FrameRecord {
      let at = Instant(nanoseconds: Int64(begin) * period)
      return FrameRecord(
        beginVsync: begin, dueVsync: due, presentVsync: shown, begin: at,
        workEnd: at + .milliseconds(2), dropped: shown - due, cause: shown > due ? .logic : nil,
        isOnDemand: true, items: 0, queueDepth: 0, spans: PhaseSpans())
    }
    let frames = [frame(0, due: 1, shown: 1), frame(4, due: 5, shown: 6)]
    let recorded = RecordedRun(
      keys: [], refresh: RefreshRate(100), duration: .milliseconds(70), learned: "",
      frames: frames)
    var traced = TracedRun()
    traced.vsyncs = Dictionary(uniqueKeysWithValues: (1...7).map { ($0, Int64($0) * period) })
    traced.frames = frames.map {
      TracedRun.Frame(
        span: 0..<1, begin: $0.beginVsync, asked: $0.beginVsync, shown: $0.presentVsync,
        late: $0.dropped, cause: $0.cause)
    }
    let window = ThreadPicture.Window(from: period, to: 7 * period)
    for picture in [ThreadPicture(recorded, window), ThreadPicture(traced, window)] {
      #expect(
        picture.vsyncs.map(\.state)
          == [.shown, .notDue, .notDue, .notDue, .dropped, .shown, .notDue])
      #expect(
        picture.markup(window).html.contains("a new frame at 2 of 7 vsyncs, 1 dropped, 4 not due"))
    }
  }

  @Test func `a window of a day, as of a damaged trace, has no more vsyncs than people see`() throws
  {
    let run = try #require(try Pages.recorded().first)
    let day = ThreadPicture.Window(from: 0, to: 86_400_000_000_000)
    #expect(ThreadPicture(run, day).vsyncs.count == 40)
  }

  @Test func `the worst hitch is above the best strategy at the same time`() throws {
    var set = results(["dropped_frames": [2], "expected_frames": [6]], strategy: "main-thread")
    set.append(
      results(["dropped_frames": [0], "expected_frames": [6]], strategy: "schedulable"), from: "")
    var rows = PageRow.rows(set.rows, among: set.rows)
    rows[0].trace = try traced()
    rows[1].frames = try Pages.recorded().first
    rows[1].frames?.frames.removeLast(2)
    let why = try #require(WhySection(rows, Verdict.all(set.rows)))
    let html = why.markup("").html
    #expect(
      html.contains(
        "Under main-thread the frame that began at 0.01 s took 28 ms: no new frame at 2 vsyncs because of waiting for "
          + "locks. Below: schedulable at the same time."))
    #expect(html.matches(of: /<figure class="threads/).count == 2)
  }

  @Test func `a hang that is open at the end has no length`() throws {
    var rows = PageRow.rows(results(["dropped_frames": [2]], milliseconds: 70).rows, among: [])
    var run = try #require(try Pages.recorded().first)
    run.frames.removeLast()
    rows[0].frames = run
    let html = try #require(WhySection(rows, [])).markup("").html
    #expect(html.contains("had not ended when the run did, 40 ms later"))
  }

  @Test func `a run without late frames has no explanation`() throws {
    var rows = PageRow.rows(results(["dropped_frames": [0]]).rows, among: [])
    #expect(WhySection(rows, []) == nil)
    var run = TracedRun()
    run.threads = [TracedRun.Thread(name: "main")]
    rows[0].trace = run
    #expect(WhySection(rows, []) == nil)
  }

  // MARK: Marks

  private func span(_ begin: Int64, _ end: Int64, _ kind: TracedRun.Kind) -> TracedRun.Span {
    TracedRun.Span(begin: begin, end: end, kind: kind, name: "")
  }

  @Test func `spans too short to distinguish are one mark of their longest activity`() {
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
