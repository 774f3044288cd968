import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetReports

@Suite struct `A per-frame file` {
  private func records(isSplit: Bool = false) -> [FrameRecord] {
    (0..<3).map { number in
      var spans = PhaseSpans()
      spans[.render] = .nanoseconds(10_000_001)
      spans[.lockWait] = .microseconds(Int64(number))
      return FrameRecord(
        beginVsync: 2 * number, presentVsync: 2 * number + 2,
        begin: Instant(nanoseconds: Int64(number) * 33_333_333),
        workEnd: Instant(nanoseconds: Int64(number) * 33_333_333 + 20_000_000), cause: .render,
        items: number, queueDepth: 7, spans: spans, parts: isSplit ? parts(number) : [])
    }
  }

  private func parts(_ number: Int) -> [FramePartTime] {
    [
      FramePartTime(name: "bind-rows", span: .nanoseconds(Int64(number) * 1_000_001)),
      FramePartTime(name: "measure", span: .zero),
    ]
  }

  private func text(
    _ hertz: RefreshRate = RefreshRate(60_000, over: 1001), isSplit: Bool = false
  ) throws -> String {
    let records = records(isSplit: isSplit)
    let scenario = Scenario(
      name: "with, \"quotes\"", display: Display(refresh: hertz), duration: .seconds(1))
    let strategy = try StrategyCatalog.strategy(
      "throttled", options: [("batch", "5"), ("interval", "1 s")], for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    return FramesCSV.header
      + FramesCSV.lines(records, of: plan, engine: .real, cores: 2, until: .milliseconds(100))
      + FramesCSV.lines(records, of: plan, engine: .virtual, cores: 2, until: .milliseconds(100))
  }

  private func runs(in text: String) throws -> [RecordedRun] {
    try FramesFile(ByteSource(Array(text.utf8), name: "frames.csv")).runs
  }

  @Test func `of more runs than a page shows is refused`() throws {
    let lines = try text().split(separator: "\n").map(String.init)
    func frames(of count: Int) -> String {
      let first = (0..<count).map { lines[1].replacing("with, ", with: "scenario \($0), ") }
      return ([lines[0]] + first).joined(separator: "\n") + "\n"
    }
    #expect(try runs(in: frames(of: FramesFile.maxRuns)).count == FramesFile.maxRuns)
    #expect {
      try runs(in: frames(of: FramesFile.maxRuns + 1))
    } throws: {
      "\($0)" == "frames.csv:10002: more than 10000 runs"
    }
  }

  @Test func `reads back every run with all data of its frames`() throws {
    let runs = try runs(in: text())
    #expect(runs.map(\.scenario) == ["with, \"quotes\"", "with, \"quotes\""])
    #expect(
      runs.map(\.label) == [
        "throttled:batch=5:interval=1 s real", "throttled:batch=5:interval=1 s virtual",
      ])
    #expect(runs.map(\.frames) == [records(), records()])
    #expect(runs.map(\.duration) == [.milliseconds(100), .milliseconds(100)])
    #expect(runs[0].refresh == RefreshRate(60_000, over: 1001))
  }

  @Test func `reads back the parts of drawing`() throws {
    let text = try text(isSplit: true)
    #expect(text.contains("bind-rows=2.000002;measure=0"))
    let records = records(isSplit: true)
    #expect(try runs(in: text).map(\.frames) == [records, records])
    #expect(records[2].heaviestPart == parts(2)[0])
    #expect(records[0].heaviestPart == nil)
  }

  @Test(arguments: ["bind-rows", "bind-rows=", "=1", "bind-rows=x", "a=1;", "a=-1"])
  func `with a cell that is no list of parts is refused`(_ cell: String) throws {
    let text = try text(isSplit: true)
    #expect(throws: InputError.self) {
      _ = try runs(in: text.replacing("bind-rows=2.000002;measure=0", with: cell))
    }
  }

  @Test(arguments: [
    (1, "learned,parts_ms"), (2, "hangs_between_ms,learned"), (5, "on_demand,compositor_ms"),
    (12, "preempted_ms,machine_ms"), (14, "lock_wait_ms,wakeup_ms"),
  ])
  func `of an earlier version, without the last columns, reads as before`(
    columns: Int, last: String
  ) throws {
    let lines = try text().split(separator: "\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropLast(columns)
        .joined(separator: ",")
    }
    #expect(lines[0].hasSuffix(last))
    let runs = try runs(in: lines.joined(separator: "\n") + "\n")
    #expect(runs.map(\.frames) == [records(), records()])
  }

  @Test(arguments: [
    ("", "frames.csv: holds no frames"),
    ("a,b\n", "frames.csv:1: is not a per-frame file: it has no column 'schema'"),
  ])
  func `is distinguished from other files`(_ text: String, _ message: String) throws {
    let error = #expect(throws: InputError.self) {
      _ = try runs(in: text)
    }
    #expect(error?.description.hasPrefix(message) == true)
  }

  @Test(arguments: [
    (",render,", ",redner,", "'redner' is not a cause"),
    ("20000000", "2e7", "'2e7' in column work_end_ns is not a number"),
    (",2,4,", ",2,2,", "each frame belongs to"), (",2,4,", ",3,4,", "each frame belongs to"),
    (",2,4,", ",2,99999999999,", "each frame belongs to"),
    (",20000000,", ",20000000,,", "where the header has"),
    ("59.94006", "0", "'0' is not a refresh rate"),
    (",100,", ",-100,", "'-100' in column duration_ms is not a number that fits"),
    (",0,2,", ",\"0,2,", "is not closed"),
  ])
  func `says in which line it is broken`(_ old: String, _ new: String, _ message: String) throws {
    let text = try text()
    let place = try #require(text.firstRange(of: old))
    let line = text[..<place.lowerBound].count { $0 == "\n" } + 1
    let error = #expect(throws: InputError.self) {
      _ = try runs(in: text.replacingCharacters(place, with: new))
    }
    #expect(error?.description.hasPrefix("frames.csv:\(line): ") == true)
    #expect(error?.description.contains(message) == true)
  }

  /// The time between two frames on demand does not count, and may be a day.
  @Test func `has frames on demand in a run, or none`() throws {
    let lines = try text().split(separator: "\n").map(String.init)
    let column = try #require(
      lines[0].split(separator: ",").firstIndex { $0 == FrameColumn.isOnDemand.name })
    // The scenario's name, in quotes, has a comma.
    var fields = lines[2].components(of: ",")
    fields[column + 1] = "1"
    let text = ([lines[0], lines[1], fields.joined(separator: ",")]).joined(separator: "\n")
    let error = #expect(throws: InputError.self) { _ = try runs(in: text) }
    #expect(error?.description == "frames.csv:3: frames of one run are all on demand, or none is")
  }

  @Test(arguments: [(5, true), (6, false), (600, false)])
  func `takes two frames at one vsync only behind the end of the run`(_ last: Int, _ fits: Bool) {
    let frame = FrameRecord(
      beginVsync: 5, dueVsync: 6, presentVsync: 6, begin: .zero, workEnd: .zero, dropped: 0,
      cause: nil, items: 0, queueDepth: 0, spans: PhaseSpans())
    #expect(frame.follows(begin: 4, shown: 6, last: last) == fits)
  }

  /// As of runs that wanted no frame, beside which `report` draws the rest.
  @Test func `without a frame has no runs`() throws {
    #expect(try runs(in: FramesCSV.header).isEmpty)
  }
}

extension String {
  fileprivate func components(of separator: Character) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  fileprivate func firstRange(of text: String) -> Range<Index>? {
    indices.lazy.map { self[$0...] }.first { $0.hasPrefix(text) }
      .map { $0.startIndex..<index($0.startIndex, offsetBy: text.count) }
  }

  fileprivate func replacingCharacters(_ range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
