import Foundation
import FrameBudget
import FrameBudgetScenarios
import FrameBudgetSimulation
@testable import FrameBudgetCaptures
import TestSupport
import Testing

@testable import FrameBudgetLearning

/// The app's slices in frames become parts of drawing, the platform's do not.
struct PartsOfDrawingTests {
  /// Vsyncs every 16 ms. The second of three frames takes 40 ms: `obtainView` 28 ms, of these `inflate` 20 and the platform's
  /// `measure` 2. The third takes 5 ms, of these `obtainView` 1.
  private static let list = """
    # tracer: nop
     sf-200 ( 200) [000] ...1 100.000000: tracing_mark_write: C|200|VSYNC-app|0
    app-300 ( 300) [001] ...1 100.001000: tracing_mark_write: B|300|Choreographer#doFrame 1
    app-300 ( 300) [001] ...1 100.001500: tracing_mark_write: B|300|traversal
    app-300 ( 300) [001] ...1 100.004500: tracing_mark_write: E|300
    app-300 ( 300) [001] ...1 100.005000: tracing_mark_write: E|300
     sf-200 ( 200) [000] ...1 100.016000: tracing_mark_write: C|200|VSYNC-app|1
    app-300 ( 300) [001] ...1 100.017000: tracing_mark_write: B|300|Choreographer#doFrame 2
    app-300 ( 300) [001] ...1 100.017500: tracing_mark_write: B|300|traversal
    app-300 ( 300) [001] ...1 100.018000: tracing_mark_write: B|300|layout
    app-300 ( 300) [001] ...1 100.019000: tracing_mark_write: B|300|obtainView
    app-300 ( 300) [001] ...1 100.020000: tracing_mark_write: B|300|inflate
    app-300 ( 300) [001] ...1 100.040000: tracing_mark_write: E|300
    app-300 ( 300) [001] ...1 100.041000: tracing_mark_write: B|300|measure
    app-300 ( 300) [001] ...1 100.043000: tracing_mark_write: E|300
    app-300 ( 300) [001] ...1 100.047000: tracing_mark_write: E|300
    app-300 ( 300) [001] ...1 100.050000: tracing_mark_write: E|300
    app-300 ( 300) [001] ...1 100.056500: tracing_mark_write: E|300
    app-300 ( 300) [001] ...1 100.057000: tracing_mark_write: E|300
     sf-200 ( 200) [000] ...1 100.032000: tracing_mark_write: C|200|VSYNC-app|0
     sf-200 ( 200) [000] ...1 100.048000: tracing_mark_write: C|200|VSYNC-app|1
     sf-200 ( 200) [000] ...1 100.064000: tracing_mark_write: C|200|VSYNC-app|0
    app-300 ( 300) [001] ...1 100.065000: tracing_mark_write: B|300|Choreographer#doFrame 3
    app-300 ( 300) [001] ...1 100.066000: tracing_mark_write: B|300|obtainView
    app-300 ( 300) [001] ...1 100.067000: tracing_mark_write: E|300
    app-300 ( 300) [001] ...1 100.070000: tracing_mark_write: E|300
     sf-200 ( 200) [000] ...1 100.080000: tracing_mark_write: C|200|VSYNC-app|1
     sf-200 ( 200) [000] ...1 100.096000: tracing_mark_write: C|200|VSYNC-app|0

    """

  /// A frame of 24 ms that is dropped: `render` of `list.js` runs for 20 ms in `requestAnimationFrame`, of these 8 in the
  /// page's measure `bind` and 3 in a layout that it forces. The next takes 2 ms, of these `render` 1.
  private static let page = """
    {"traceEvents": [
    {"ph": "M", "name": "thread_name", "pid": 7, "tid": 1, "args": {"name": "CrRendererMain"}},
    {"ph": "b", "name": "PipelineReporter", "pid": 7, "tid": 2, "ts": 1000, "id2": {"local": "0x1"}, "args":
      {"frame_reporter": {"state": "STATE_DROPPED", "frame_source": 1, "frame_sequence": 1, "layer_tree_host_id": 1}}},
    {"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": 2000, "dur": 24000},
    {"ph": "I", "name": "BeginMainThreadFrame", "pid": 7, "tid": 1, "ts": 2000},
    {"ph": "X", "name": "FireAnimationFrame", "pid": 7, "tid": 1, "ts": 2100, "dur": 20200},
    {"ph": "X", "name": "FunctionCall", "pid": 7, "tid": 1, "ts": 2200, "dur": 20000, "args": {"data":
      {"functionName": "render", "lineNumber": 12, "url": "http://page.example/list.js"}}},
    {"ph": "b", "cat": "blink.user_timing", "name": "bind", "pid": 7, "tid": 1, "ts": 3000, "id": "0x5"},
    {"ph": "e", "cat": "blink.user_timing", "name": "bind", "pid": 7, "tid": 1, "ts": 11000, "id": "0x5"},
    {"ph": "X", "name": "Layout", "pid": 7, "tid": 1, "ts": 15000, "dur": 3000},
    {"ph": "X", "name": "Paint", "pid": 7, "tid": 1, "ts": 23000, "dur": 1000},
    {"ph": "X", "name": "Commit", "pid": 7, "tid": 1, "ts": 25000, "dur": 1000, "args": {"frameSeqId": 1}},
    {"ph": "e", "name": "PipelineReporter", "pid": 7, "tid": 2, "ts": 28000, "id2": {"local": "0x1"}, "args": {}},
    {"ph": "b", "name": "PipelineReporter", "pid": 7, "tid": 2, "ts": 34000, "id2": {"local": "0x3"}, "args":
      {"frame_reporter": {"state": "STATE_PRESENTED_ALL", "frame_source": 1, "frame_sequence": 3, "layer_tree_host_id": 1}}},
    {"ph": "X", "name": "RunTask", "pid": 7, "tid": 1, "ts": 35000, "dur": 2000},
    {"ph": "I", "name": "BeginMainThreadFrame", "pid": 7, "tid": 1, "ts": 35000},
    {"ph": "X", "name": "FunctionCall", "pid": 7, "tid": 1, "ts": 35500, "dur": 1000, "args": {"data":
      {"functionName": "render", "lineNumber": 12, "url": "http://page.example/list.js"}}},
    {"ph": "X", "name": "Commit", "pid": 7, "tid": 1, "ts": 36800, "dur": 200, "args": {"frameSeqId": 3}},
    {"ph": "e", "name": "PipelineReporter", "pid": 7, "tid": 2, "ts": 38000, "id2": {"local": "0x3"}, "args": {}}
    ]}
    """

  private func learn(
    _ text: String, rules: [NameRule] = [], isAnonymous: Bool = false
  ) throws -> LearnedScenario {
    let recording = try RecordingFile.read(
      Array(text.utf8), name: "app", choosing: RecordingChoice(namesFunctions: true))
    return try #require(
      LearnedScenario(
        recording, name: "app", source: "app", rules: rules, isAnonymous: isAnonymous))
  }

  /// By part: its time in each frame, in microseconds.
  private func times(_ learned: LearnedScenario) -> [String: [Int64]] {
    Dictionary(
      uniqueKeysWithValues: zip(learned.parts, learned.items.parts).map { name, part in
        (name, part.times.map { $0 / 1000 })
      })
  }

  @Test func `an app's slices in Android's frames are parts, without the platform's in them`()
    throws
  {
    let learned = try learn(Self.list)
    #expect(times(learned) == ["inflate": [0, 20_000, 0], "obtainView": [0, 6000, 1000]])
    // A millisecond each from its vsync to its begin, and what frames took.
    #expect(learned.items.drawing.map { $0 / 1000 } == [5000, 41_000, 6000])
    #expect(learned.items.restOfDrawing.map { $0 / 1000 } == [5000, 15_000, 5000])
    let totals = learned.partTotals
    #expect(totals.map(\.name) == ["inflate", "obtainView"])
    #expect(totals.map(\.span) == [.milliseconds(20), .milliseconds(7)])
    #expect(totals.map(\.frames) == [1, 2])
    #expect(learned.droppedFrames == 1 && totals.map(\.dropped) == [1, 1])
  }

  @Test func `functions in animation frames, and measures in them, are parts`() throws {
    let learned = try learn(Self.page)
    #expect(times(learned) == ["bind": [8000, 0], "render-list-js": [9000, 1000]])
    #expect(learned.items.restOfDrawing.map { $0 / 1000 } == [8000, 2000])
    #expect(learned.partTotals.map(\.dropped) == [1, 1] && learned.droppedFrames == 1)
  }

  @Test func `the scenario has a column for each part, which add up with the rest`() throws {
    let learned = try learn(Self.list)
    #expect(
      learned.scenario(replay: .good).contains(
        """
        ui:
          frame:
            - {name: inflate, cpu: {recorded: frames.csv, column: 0-inflate_ms}}
            - {name: obtainView, cpu: {recorded: frames.csv, column: 1-obtainView_ms}}

        """))
    let table = try #require(learned.tables.first { $0.name == "frames.csv" }).text
      .split(separator: "\n")
    #expect(table[0] == "vsync,render_ms,request_ms,0-inflate_ms,1-obtainView_ms")
    #expect(table[1].hasSuffix(",0,0") && table[1].hasPrefix("0,5,"))
    #expect(table[2].hasSuffix(",20,6") && table[2].hasPrefix("1,15,"))
    // Until the third frame, one would draw what the second did.
    #expect(table[4].hasSuffix(",20,6") && table[5].hasSuffix(",0,1"))
  }

  /// The first frame lasts for 40 ms, in which the browser wanted another one.
  @Test func `a frame that was wanted meanwhile has the costs of the next one`() throws {
    var text = Self.page
    for (old, new) in [
      (#""ts": 2000, "dur": 24000"#, #""ts": 2000, "dur": 40000"#),
      (#""ts": 25000, "dur": 1000"#, #""ts": 41000, "dur": 1000"#),
      (#""ts": 28000"#, #""ts": 43000"#), (#""ts": 38000"#, #""ts": 47000"#),
      (#""ts": 35000"#, #""ts": 44000"#), (#""ts": 35500"#, #""ts": 44500"#),
      (#""ts": 36800"#, #""ts": 45800"#),
      (
        #"{"traceEvents": ["#,
        #"""
        {"traceEvents": [
        {"ph": "b", "name": "PipelineReporter", "pid": 7, "tid": 2, "ts": 17667, "id2": {"local": "0x2"}, "args":
          {"frame_reporter": {"state": "STATE_DROPPED", "frame_source": 1, "frame_sequence": 2, "layer_tree_host_id": 1}}},
        {"ph": "e", "name": "PipelineReporter", "pid": 7, "tid": 2, "ts": 43000, "id2": {"local": "0x2"}, "args": {}},
        """#
      ),
    ] { text = text.replacing(old, with: new) }
    let learned = try learn(text)
    #expect(learned.screen.wanted == [0, 1, 2])
    let table = try #require(learned.tables.first { $0.name == "frames.csv" }).text
      .split(separator: "\n")
    // The page's function and its measure.
    #expect(table[0].hasSuffix(",0-render-list-js_ms,1-bind_ms"))
    #expect(table[1].hasSuffix(",9,8"))
    #expect(table[2].hasSuffix(",1,0") && table[3].hasSuffix(",1,0"))
  }

  /// The first of 30 frames takes 12 ms, the others 1 ms. Then one task takes the last ten vsyncs.
  @Test func `a frame behind the last one has the median costs, and not those of the first`()
    throws
  {
    let period = 50.0 / 3
    let frames = (0..<40).map { vsync -> RecordedFrame in
      let at = Double(vsync) * period
      guard vsync < 30 else { return RecordedFrame(vsync: .ms(at), verdict: .dropped) }
      let end = at + (vsync == 0 ? 13 : 2)
      return RecordedFrame(
        vsync: .ms(at), work: TimeSpan.ms(at + 1).nanoseconds..<TimeSpan.ms(end).nanoseconds,
        presented: .ms(at + 14), verdict: .shown)
    }
    let recording = Recording.slices(
      [("a", 0, 1, 0), ("hang", 30 * period + 1, 40 * period, 0)], frames: frames)
    let learned = try #require(LearnedScenario(recording, name: "app", source: "app"))
    #expect(learned.screen.wanted == Array(0..<40))
    let table = try #require(learned.tables.first { $0.name == "frames.csv" }).text
      .split(separator: "\n").dropFirst()
    let costs = try table.map { try #require(Double($0.split(separator: ",")[1])) }
    #expect(costs[0] > 10 && costs[1..<40].allSatisfy { $0 < 3 }, "\(costs)")
  }

  @Test func `where a frame has several slices of a part, the longest is its unit`() throws {
    let second = """
      app-300 ( 300) [001] ...1 100.067000: tracing_mark_write: E|300
      app-300 ( 300) [001] ...1 100.067000: tracing_mark_write: B|300|obtainView
      app-300 ( 300) [001] ...1 100.067500: tracing_mark_write: B|300|obtainView
      app-300 ( 300) [001] ...1 100.068000: tracing_mark_write: E|300
      app-300 ( 300) [001] ...1 100.069000: tracing_mark_write: E|300

      """
    let first = "app-300 ( 300) [001] ...1 100.067000: tracing_mark_write: E|300\n"
    let text = Self.list.replacing(first, with: second)
    let learned = try learn(text)
    #expect(times(learned)["obtainView"] == [0, 6000, 3000])
    #expect(
      learned.items.parts.map { $0.longest.map { $0 / 1000 } } == [
        [0, 20_000, 0], [0, 6000, 2000],
      ])
    #expect(
      learned.scenario(replay: .good).contains(
        """
            - {name: inflate, cpu: {recorded: frames.csv, column: 0-inflate_ms}}
            - {name: obtainView, cpu: {recorded: frames.csv, column: 1-obtainView_ms}, unit: {recorded: frames.csv, column: 1-obtainView_unit_ms}}

        """))
    let table = try #require(learned.tables.first { $0.name == "frames.csv" }).text
      .split(separator: "\n")
    #expect(table[0].hasSuffix(",0-inflate_ms,1-obtainView_ms,1-obtainView_unit_ms"))
    #expect(table[2].hasSuffix(",20,6,6") && table[5].hasSuffix(",0,3,2"))
    try Self.expectSameFrames(learned, "several slices")
  }

  @Test(arguments: [
    (NameRule.Target.render, ["obtainView": [0, 6000, 1000]]),
    (.workload("views"), ["obtainView": [0, 6000, 1000]]),
    (.ignore, ["obtainView": [0, 26_000, 1000]]),
    (.service("rows"), ["rows": [0, 20_000, 0], "obtainView": [0, 6000, 1000]]),
    (.service("obtainView"), ["obtainView": [0, 26_000, 1000]]),
  ])
  func `rules leave a slice in drawing, give it to the one around it, or name a part`(
    _ target: NameRule.Target, _ expected: [String: [Int64]]
  ) throws {
    let learned = try learn(Self.list, rules: [NameRule(target) { $0 == "inflate" }])
    #expect(times(learned) == expected)
    #expect(learned.items.drawing.map { $0 / 1000 } == [5000, 41_000, 6000])
  }

  @Test func `a rule makes a part of the platform's own slice`() throws {
    let rule = NameRule(.service("measuring")) { $0 == "measure" }
    let learned = try learn(Self.list, rules: [rule])
    #expect(times(learned)["measuring"] == [0, 2000, 0])
  }

  @Test func `the report names the parts, anonymous ones by number`() throws {
    for (isAnonymous, names) in [
      (false, ["inflate", "obtainView"]), (true, ["service-1", "service-3"]),
    ] {
      let learned = try learn(Self.list, isAnonymous: isAnonymous)
      let log = try Replay(learned).run("as-recorded")
      let text = LearnReport(learned, ReplayComparison(learned, log), moves: []).text
      let table = """
        | part | in frames, ms | of all drawing, % | in how many of 3 frames | in how many of 1 dropped |
        |---|---|---|---|---|
        | \(names[0]) | 20 | 38.5 | 1 | 1 |
        | \(names[1]) | 7 | 13.5 | 2 | 1 |
        """
      #expect(text.contains(table), "\(text)")
      #expect(text.contains("| 11 | a part of drawing |") == false)
      #expect(text.contains("| \(names[0]) | 0 | 1 | a part of drawing |"), "\(text)")
    }
  }

  @Test func `a slice that hardly matters in late frames is no part`() throws {
    // 1 % of 41 ms is 0.41 ms.
    for (end, isPart) in [("100.020400", false), ("100.020500", true)] {
      let short = Self.list.replacing("100.040000", with: end)
      let rule = NameRule(.service("inflating")) { $0 == "inflate" }
      let learned = try learn(short, rules: [rule])
      #expect(learned.parts.contains("inflating") == isPart, "\(end)")
    }
  }

  // MARK: The same frames

  /// The frames of the replay are those that it has with all drawing in one piece.
  private static func expectSameFrames(_ learned: LearnedScenario, _ name: String) throws {
    let scenario = try LearnedReplay(learned).scenario
    #expect(scenario.frameParts.map(\.name) == learned.parts, "\(name)")
    let strategy = try #require(scenario.strategies.first { $0.name == "as-recorded" })
    let plan = RunPlan(scenario, under: strategy)
    for (frame, drawn) in zip(learned.screen.frames, learned.items.drawing) {
      #expect(plan.renderCost(vsync: frame.requested).nanoseconds == drawn, "\(name)")
    }
    var whole = scenario
    whole.frameParts = []
    let rows = (0...scenario.display.refresh.vsyncs(through: .zero + scenario.duration))
      .map(plan.renderCost)
    whole.display.render = .recorded(try #require(RecordedDurations(rows)))
    func frames(_ scenario: Scenario) -> [FrameRecord] {
      VirtualEngine(detail: .frames).run(RunPlan(scenario, under: strategy)).frames.records
    }
    let (split, joined) = (frames(scenario), frames(whole))
    #expect(split.count == joined.count, "\(name)")
    for (split, joined) in zip(split, joined) {
      #expect(split.begin == joined.begin && split.workEnd == joined.workEnd, "\(name)")
      #expect(split.ready == joined.ready && split.presentVsync == joined.presentVsync, "\(name)")
      #expect(split.dropped == joined.dropped && split.spans == joined.spans, "\(name)")
      #expect(split.cause == joined.cause && joined.parts.isEmpty, "\(name)")
    }
  }

  @Test func `the replay of small recordings has the frames of drawing in one piece`() throws {
    for text in [Self.list, Self.page, PageTrace.text] {
      let learned = try learn(text)
      #expect(!learned.parts.isEmpty)
      try Self.expectSameFrames(learned, String(text.prefix(200)))
    }
    for recording in [Recording.hashing, .pipelined] {
      let learned = try #require(LearnedScenario(recording, name: "app", source: "app"))
      try Self.expectSameFrames(learned, "made")
    }
  }

  @Test func `the replay of each seed has the frames of drawing in one piece`() throws {
    let seeds = Project.folder.appending(path: "Tests/Fuzz/Seeds")
    var count = 0
    for folder in ["chrome", "flutter", "perfetto", "systrace", "framebudget"] {
      let path = seeds.appending(path: "recording-\(folder)").path
      for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
        guard let recording = try? RecordingFile.read(path: "\(path)/\(name)"),
          let learned = LearnedScenario(recording, name: "seed", source: name),
          !learned.screen.frames.isEmpty
        else { continue }
        try Self.expectSameFrames(learned, name)
        count += 1
      }
    }
    #expect(count >= 5)
  }

  /// Slow: reads and replays large recordings.
  @Test(
    .enabled(if: RealRecordingTests.folder != nil, RealRecordingTests.missing),
    arguments: [
      ("android_list_jank.systrace.html.zip", ["obtainView"]),
      ("android_nowinandroid_compose.perfetto-trace", nil),
      ("chromium-attached.json.gz", nil), ("flutter_ios_2024.pftrace", []),
      ("chrome_lr_60hz.json.gz", []),
    ])
  func `the replay of a real recording has the frames of drawing in one piece`(
    _ file: String, _ parts: [String]?
  ) throws {
    let path = "\(try #require(RealRecordingTests.folder))/\(file)"
    let learned = try #require(
      LearnedScenario(try RecordingFile.read(path: path), name: "app", source: file))
    try Self.expectSameFrames(learned, file)
    if let parts { #expect(learned.parts == parts) }
    guard file.contains("list_jank") else { return }
    // Each of its dropped frames contains it.
    #expect(learned.droppedFrames == 7)
    #expect(learned.partTotals.map(\.dropped) == [7])
  }
}
