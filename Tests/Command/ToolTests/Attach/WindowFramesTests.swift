import FrameBudget
import FrameBudgetTerminal
import Testing

@testable import FrameBudgetCLI

/// Frames of a page at 60 Hz, as `PageScript` reports them.
struct ReportedPage {
  private(set) var frames: [[Double]] = []
  private(set) var long: [String] = []
  /// The page's clock, in milliseconds: when its main thread is free.
  private(set) var free = 0.0
  private var vsync = 0
  private var isFirst = true
  static let period = 1000.0 / 60

  /// Frames that wait 1 ms and draw for 2 ms.
  mutating func draw(_ count: Int = 1) { for _ in 0..<count { frame(drawing: 2) } }

  /// A frame of the next vsync that the main thread can be asked for.
  mutating func frame(drawing: Double) {
    let time = Double(vsync) * Self.period
    let begin = max(time + 1, free)
    frames.append([time, begin, begin + drawing, isFirst ? 1 : 0])
    isFirst = false
    free = begin + drawing
    // While a frame is drawn, the browser asks for no other one.
    vsync = max(vsync + 1, Int((free / Self.period).rounded(.down)))
  }

  /// A task of the page that keeps the main thread from `delay` after the newest frame; reported if that takes 50 ms.
  mutating func compute(_ span: Double, after delay: Double = 0, by name: String = "busy (a.js)") {
    let start = free + delay
    free = start + span
    if span >= 50 {
      long.append(#"[\#(start), \#(free), \#(free + 2), [["\#(name)", \#(start), \#(span)]]]"#)
    }
  }

  /// The time without frames while the page is hidden.
  mutating func hide(_ span: Double) {
    vsync += Int(span / Self.period)
    free = Double(vsync) * Self.period
    isFirst = true
  }

  func report(isHidden: Bool = false) throws -> WindowReport {
    let rows = frames.map { "[\($0.map { "\($0)" }.joined(separator: ", "))]" }
    return try #require(
      WindowReport(
        """
        {"origin": 1.7e12, "now": \(free), "hidden": \(isHidden), "cost": 0.5, "frames": [\(rows.joined(separator: ", "))],
        "long": [\(long.joined(separator: ", "))]}
        """))
  }
}

@Suite struct `Frames of an attached page` {
  private func seen(_ page: ReportedPage) throws -> (WindowFrames, [FrameRecord]) {
    var frames = WindowFrames(RefreshRate(60))
    let now = ContinuousClock.now
    frames.take(try page.report(), at: now)
    #expect(frames.observation(at: now).frames.isEmpty)
    frames.stop()
    let observation = frames.observation(at: now)
    #expect(observation.openFrame == nil)
    return (frames, observation.frames)
  }

  @Test func `that are in time drop nothing`() throws {
    var page = ReportedPage()
    page.draw(600)
    let (frames, records) = try seen(page)
    #expect(records.count == 600 && records.allSatisfy { $0.dropped == 0 && $0.cause == nil })
    #expect(records.map(\.presentVsync) == Array(1...600))
    #expect(frames.lastLate == nil && frames.betterRate == nil)
  }

  /// A task keeps the main thread at any phase of the vsyncs.
  @Test(arguments: [20.0, 35, 60, 120, 300, 600])
  func `after a task have its length within a frame, its cause and its name`(span: Double) throws {
    for delay in stride(from: 0, to: 14, by: 1.3) {
      var page = ReportedPage()
      page.draw(60)
      page.compute(span, after: delay)
      page.draw(60)
      let (frames, records) = try seen(page)
      let longest = try #require(records.max { $0.workEnd - $0.begin < $1.workEnd - $1.begin })
      let dropped = records.reduce(0) { $0 + $1.dropped }
      let lost = Double(dropped) * ReportedPage.period
      #expect(abs(lost - span) < 2 * ReportedPage.period && lost < span + 3, "\(lost) of \(span)")
      let waits = records.map { $0.spans[.logic].inMilliseconds }
      #expect(abs((waits.max() ?? 0) - span) < ReportedPage.period + 1, "\(span), \(delay)")
      #expect(longest.spans[.render] == .milliseconds(2))
      let hangs = records.flatMap(\.hangsBetween)
      #expect(hangs.map(\.inMilliseconds) == (span > 250 ? [span] : []))
      if dropped > 0 {
        let late = try #require(frames.lastLate)
        #expect(late.cause == .logic)
        #expect(late.work?.name == (span >= 50 ? "busy (a.js)" : nil))
      }
    }
  }

  @Test func `that draw for long are late by drawing`() throws {
    var page = ReportedPage()
    page.draw(10)
    page.frame(drawing: 40)
    page.draw(10)
    let (frames, records) = try seen(page)
    #expect(records.filter { $0.dropped > 0 }.map(\.mainCause) == [.render])
    #expect(records.reduce(0) { $0 + $1.dropped } == 2)
    #expect(frames.lastLate?.work == nil)
  }

  /// As the last frame of a Wayland client, which the compositor has not shown yet.
  @Test func `are there also if only the frames before have a time on the screen`() {
    var vsyncs = stride(from: 0.0, to: 100, by: 1000.0 / 60).map { vsync in
      WindowReport.Frame(
        vsync: vsync, begin: vsync + 1, end: vsync + 2, isFirst: vsync == 0, shown: vsync + 16.7)
    }
    // The client has noticed the newest call early, as far as the clocks tell.
    let last = (vsyncs.last?.vsync ?? 0) + 7
    vsyncs.append(WindowReport.Frame(vsync: last, begin: last, end: last + 2, isFirst: false))
    var frames = WindowFrames(RefreshRate(60))
    let report = WindowReport(
      now: last + 2, isHidden: false, cost: .zero, frames: vsyncs, longFrames: [])
    frames.take(report, at: .now)
    frames.stop()
    let records = frames.observation(at: .now).frames
    #expect(records.map(\.presentVsync) == Array(1...vsyncs.count))
  }

  @Test func `are those of the model's definitions in the view`() throws {
    var page = ReportedPage()
    page.draw(120)
    page.compute(300)
    page.draw(120)
    var frames = WindowFrames(RefreshRate(60))
    frames.take(try page.report(), at: .now)
    frames.stop()
    var model = LiveModel(
      LiveModel.Session(
        scenario: "page", strategies: [], engines: [], refresh: RefreshRate(60), batch: 1,
        attached: .page))
    model.begin([RunModel(label: "page", refresh: RefreshRate(60))])
    let observation = frames.observation(at: .now)
    let dropped = observation.frames.reduce(0) { $0 + $1.dropped }
    model.take(observation)
    var status: RunStatus?
    model.updateVerdicts {
      status = $0
      return LiveVerdict.words($0)
    }
    let shown = try #require(status)
    #expect(shown.drops.reduce(0, +) == dropped && (17...18).contains(dropped))
    #expect(shown.hangs == 1 && shown.longestGap == dropped)
    #expect(shown.expected == observation.frames.last?.presentVsync)
  }

  /// Also while the reports of one hang come in several pieces.
  @Test func `are the same in many reports as in one`() throws {
    var page = ReportedPage()
    var pieces: [WindowReport] = []
    for step in 0..<40 {
      page.draw(6)
      if step % 7 == 3 { page.compute(90) }
      pieces.append(try page.report())
    }
    var (one, many) = (WindowFrames(RefreshRate(60)), WindowFrames(RefreshRate(60)))
    one.take(try page.report(), at: .now)
    var (records, taken) = ([FrameRecord](), 0)
    for piece in pieces {
      let new = WindowReport(piece, from: taken)
      taken = piece.frames.count
      many.take(new, at: .now)
      records += many.observation(at: .now).frames
    }
    one.stop()
    many.stop()
    records += many.observation(at: .now).frames
    #expect(records == one.observation(at: .now).frames)
  }

  @Test func `have no gap where the page was hidden`() throws {
    var page = ReportedPage()
    page.draw(30)
    page.hide(5000)
    page.draw(30)
    let (_, records) = try seen(page)
    #expect(records.count == 60 && records.allSatisfy { $0.dropped == 0 })
    #expect(records.last?.presentVsync == 60)
  }

  @Test func `hang while nothing is reported, unless the page is hidden`() throws {
    var page = ReportedPage()
    page.draw(60)
    for isHidden in [false, true] {
      var frames = WindowFrames(RefreshRate(60))
      let now = ContinuousClock.now
      frames.take(try page.report(isHidden: isHidden), at: now)
      #expect(frames.observation(at: now).frames.count == (isHidden ? 60 : 0))
      let short = frames.observation(at: now + .milliseconds(200))
      #expect(short.openFrame == nil)
      let hang = frames.observation(at: now + .milliseconds(900))
      if isHidden {
        #expect(hang.openFrame == nil)
      } else {
        let open = try #require(hang.openFrame)
        #expect((850...905).contains((open.workEnd - open.begin).inMilliseconds))
        #expect((51...54).contains(open.dropped) && open.cause == .logic)
        #expect(hang.now == open.workEnd)
      }
      frames.stop()
      #expect(frames.observation(at: now + .seconds(9)).openFrame == nil)
    }
  }

  @Test func `hang without the time for which the page was hidden`() throws {
    var page = ReportedPage()
    page.draw(60)
    var frames = WindowFrames(RefreshRate(60))
    let start = ContinuousClock.now
    frames.take(try page.report(isHidden: true), at: start)
    page.hide(500_000)
    let shown = start + .seconds(500)
    let now = try page.report().now
    frames.take(
      WindowReport(now: now, isHidden: false, cost: .zero, frames: [], longFrames: []), at: shown)
    let hang = frames.observation(at: shown + .milliseconds(900))
    let open = try #require(hang.openFrame)
    #expect((850...905).contains((open.workEnd - open.begin).inMilliseconds))
    #expect(hang.now == open.workEnd)
  }

  /// Ten minutes without a frame, again and again: of a false client.
  @Test func `add up to a day at most`() throws {
    let frames = (0..<4096).map { number -> WindowReport.Frame in
      let vsync = 599_000 * Double(number)
      return WindowReport.Frame(vsync: vsync, begin: vsync, end: vsync + 1, isFirst: false)
    }
    let report = WindowReport(
      now: 599_000 * 4096, isHidden: false, cost: .zero, frames: frames, longFrames: [])
    var window = WindowFrames(RefreshRate(60))
    for _ in 0..<3 {
      window.take(report, at: .now)
      _ = window.observation(at: .now)
    }
    window.stop()
    let now = try #require(window.observation(at: .now).now)
    #expect(window.isFull && now.sinceZero < .seconds(86_400 + 600))
  }

  /// The browser knows them only once their frame is on the screen.
  @Test func `have the names that a later report brings`() throws {
    var page = ReportedPage()
    page.draw(10)
    page.compute(100)
    page.draw(10)
    let report = try page.report()
    var frames = WindowFrames(RefreshRate(60))
    for (shown, long) in [(report.frames, []), ([], report.longFrames)] {
      frames.take(
        WindowReport(
          now: report.now, isHidden: false, cost: .zero, frames: shown, longFrames: long),
        at: .now)
    }
    #expect(frames.lastLate?.work?.name == "busy (a.js)")
  }

  @Test func `tell the rate of the display`() throws {
    var frames = WindowFrames(RefreshRate(60))
    let rows = (0..<100).map {
      "[\(Double($0) * 1000 / 144), \(Double($0) * 1000 / 144 + 1), \(Double($0) * 1000 / 144 + 2), 0]"
    }
    let text = """
      {"origin": 0, "now": 700, "hidden": false, "cost": 0, "frames": [\(rows.joined(separator: ", "))], "long": []}
      """
    frames.take(try #require(WindowReport(text)), at: .now)
    frames.stop()
    #expect(frames.betterRate == RefreshRate(144))
  }

  /// Over an hour the difference would add up to more than a second.
  @Test func `follow the display's own rate`() throws {
    var frames = WindowFrames(RefreshRate(60))
    let period = 1000 / 59.94
    var dropped = 0
    for part in 0..<60 {
      let rows = (part * 100..<part * 100 + 100).map {
        "[\(Double($0) * period), \(Double($0) * period + 1), \(Double($0) * period + 3), 0]"
      }
      let text = """
        {"origin": 1e12, "now": 0, "hidden": false, "cost": 0, "frames": [\(rows.joined(separator: ", "))], "long": []}
        """
      frames.take(try #require(WindowReport(text)), at: .now)
      dropped += frames.observation(at: .now).frames.reduce(0) { $0 + $1.dropped }
    }
    #expect(dropped == 0)
  }
}

extension WindowReport {
  /// The same report with the frames from a place on.
  fileprivate init(_ other: WindowReport, from place: Int) {
    self.init(
      now: other.now, isHidden: other.isHidden, cost: other.cost,
      frames: Array(other.frames[place...]), longFrames: other.longFrames)
  }
}

@Suite struct `A report of a page` {
  private static let good =
    #"{"origin": 5, "now": 9, "hidden": false, "cost": 0.25, "frames": [[1, 2, 3, 1]], "long": [[1, 2, 3, [["f", 1, 2]]]]}"#

  @Test func `has times of the page's clock`() throws {
    let report = try #require(WindowReport(Self.good))
    #expect(report.now == 14 && report.cost == .microseconds(250) && !report.isHidden)
    #expect(report.frames == [WindowReport.Frame(vsync: 6, begin: 7, end: 8, isFirst: true)])
    #expect(
      report.longFrames == [
        WindowReport.LongFrame(
          start: 6, render: 7, end: 8, scripts: [WindowReport.Script(name: "f", start: 6, span: 2)])
      ])
  }

  @Test(arguments: [
    "", "null", "[]", "{}", #"{"origin": 1}"#,
    good.replacing("[1, 2, 3, 1]", with: "[1, 2, 3]"),
    good.replacing("[1, 2, 3, 1]", with: "[3, 2, 1, 1]"),
    good.replacing("[1, 2, 3, 1]", with: "[1, 2, 1e14, 1]"),
    good.replacing("[1, 2, 3, 1]", with: "[1, 2, 1e400, 1]"),
    good.replacing("[1, 2, 3, 1]", with: "[9, 9, 9, 0], [1, 2, 3, 0]"),
    good.replacing("[1, 2, 3, 1]", with: "[100, 2, 3, 1]"),
    good.replacing(#"["f", 1, 2]"#, with: #"["f", 1, -2]"#),
    good.replacing(#"["f", 1, 2]"#, with: #"["f", 1]"#),
    good.replacing(#"["f", 1, 2]"#, with: #"[7, 1, 2]"#),
    good.replacing("[1, 2, 3, [", with: "[3, 2, 1, ["),
    good.replacing("0.25", with: "-1"), good.replacing("0.25", with: "1e9"),
    good.replacing("0.25", with: "null"), good.replacing(#""origin": 5"#, with: #""origin": "5""#),
    good.replacing("false", with: "0"), good + "x",
  ])
  func `that is none is refused`(text: String) { #expect(WindowReport(text) == nil, "\(text)") }

  /// Each number of it takes each extreme value.
  @Test func `with extreme numbers is refused, or shown`() throws {
    let numbers = Self.good.matches(of: #/[0-9.]+/#).map(\.range)
    for range in numbers {
      for value in ["0", "-1", "1e308", "-1e308", "999999999999999", "1e-300", "9007199254740993"] {
        var text = Self.good
        text.replaceSubrange(range, with: value)
        guard let report = WindowReport(text) else { continue }
        var frames = WindowFrames(RefreshRate(60))
        for _ in 0..<3 {
          frames.take(report, at: .now)
          _ = frames.observation(at: .now + .seconds(1))
        }
      }
    }
  }

  @Test func `has short names`() throws {
    let long = Self.good.replacing("\"f\"", with: "\"\(String(repeating: "x", count: 1_000_000))\"")
    #expect(WindowReport(long)?.longFrames.first?.scripts.first?.name.count == 80)
  }
}

@Suite struct `The cost of the view` {
  @Test func `is a share of what the page uses since it is known`() {
    var cost = PageCost()
    cost.add(.milliseconds(50))
    #expect(cost.percent == nil)
    cost.take(process: .seconds(10), main: .seconds(8))
    #expect(cost.percent == nil)
    cost.add(.milliseconds(5))
    cost.take(process: .seconds(11), main: .seconds(9))
    #expect(cost.percent == 0.5)
  }

  @Test func `is a day at most`() {
    var cost = PageCost()
    cost.take(process: .seconds(10), main: .seconds(8))
    for _ in 0..<200_000 { cost.add(.seconds(86_399)) }
    cost.take(process: .seconds(11), main: .seconds(9))
    #expect(cost.percent == 8_640_000)
  }
}

@Suite struct `The address of an attached page` {
  @Test(arguments: [
    ("http://localhost:8000/list", "localhost:8000/list"), ("about:blank", "about:blank"),
    ("http://a/\u{1B}[31m", #"a/\u{1B}[31m"#),
    (
      "https://example.org/" + String(repeating: "x", count: 100),
      "…" + String(repeating: "x", count: 39)
    ),
  ])
  func `is shown without its scheme, and its end if it is long`(address: String, label: String) {
    #expect(AttachedSource.label(of: address) == label)
  }

  @Test func `is counted anew in another process`() {
    var cost = PageCost()
    cost.take(process: .seconds(100), main: .seconds(8))
    cost.add(.seconds(5))
    cost.take(process: .seconds(2), main: .seconds(1))
    #expect(cost.percent == nil)
    cost.add(.milliseconds(10))
    cost.take(process: .seconds(3), main: .seconds(2))
    #expect(cost.percent == 1)
    #expect(
      cost.words
        == "this view's script takes 1 % of its CPU time, and the frames that it requests more")
  }
}
