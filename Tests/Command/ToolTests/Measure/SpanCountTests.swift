import FrameBudget
import FrameBudgetParsing
import FrameBudgetReports
import Testing

@testable import FrameBudgetCLI

/// Instructions of spans, from the files of callgrind and of FrameRecording to the costs of a scenario.
@Suite struct SpanCountTests {
  private static let profile = """
    fn=main
    0 12
    cfn=framebudget_span_100
    calls=2 0
    0 1000
    cfn=printf
    calls=1 0
    0 77

    fn=framebudget_span_100
    0 9
    cfn=framebudget_span_101
    calls=3 0
    0 300

    fn=other
    cfn=framebudget_span_101
    calls=1 0
    0 100
    """

  private static func counted(_ text: String) throws -> CallgrindProfile {
    try CallgrindProfile(ByteSource(Array(text.utf8), name: "profile"))
  }

  @Test func `words, environment and padding are as long as whole pages`() {
    for length in stride(from: 0, to: 10_000, by: 777) {
      let environment = ["A": String(repeating: "ä", count: length), "FRAMEBUDGET_PADDING": ""]
      let padding = SpanCounter.padding(for: ["/bin/app", "app"], in: environment)
      // Each string has a zero and a pointer, and a variable a sign between its name and value.
      let size = (8 + 9) + (3 + 9) + (1 + 2 * length + 10) + ("FRAMEBUDGET_PADDING".count + 10)
      #expect((size + padding) % 4096 == 0)
      #expect((0..<4096).contains(padding))
    }
  }

  @Test func `calls of a function count from all places, each with what it calls`() throws {
    let profile = try Self.counted(Self.profile)
    #expect(profile.counts[100] == .init(calls: 2, instructions: 1000))
    #expect(profile.counts[101] == .init(calls: 4, instructions: 400))
    #expect(profile.counts.count == 2)
  }

  @Test func `a span has the instructions of its functions without those of spans inside`() throws {
    let profile = try Self.counted(Self.profile)
    let functions = SpanFunctions("100 0 import photos\n101 100 decode\nwrong\n")
    #expect(functions.functions.map(\.name) == ["import photos", "decode"])
    #expect(
      functions.own(profile) == [
        "import photos": .init(calls: 2, instructions: 600),
        "decode": .init(calls: 4, instructions: 400),
      ])
    #expect(SpanFunctions("100 0 a\n101 0 a\n").own(profile)?["a"]?.instructions == 1400)
    #expect(SpanFunctions("102 0 none").own(profile) == nil)
  }

  @Test func `work that goes on after a pause is no other call of its span`() throws {
    let profile = try Self.counted(Self.profile)
    let functions = SpanFunctions("100 0 index\n+101 0 index\n")
    #expect(functions.functions.map(\.isRest) == [false, true])
    #expect(functions.own(profile) == ["index": .init(calls: 2, instructions: 1400)])
  }

  @Test func `names with the same letters are one span, and signs alone are not`() throws {
    let profile = try Self.counted(Self.profile)
    for names in [("load image", "load-image"), ("load--image", "load image")] {
      #expect(
        SpanFunctions("100 0 \(names.0)\n101 0 \(names.1)\n").own(profile)
          == ["load image": .init(calls: 6, instructions: 1400)])
    }
    #expect(SpanFunctions("100 0 ->\n101 0 <-\n").own(profile)?.count == 2)
  }

  @Test(arguments: [
    (9999, 9999), (12_344, 12_340), (12_346, 12_350), (99_996, 100_000), (0.4, 0),
    (123_456_789, 123_500_000),
  ]) func `counts are rounded to four digits`(_ count: Double, _ rounded: Double) {
    #expect(ProgramCounts.rounded(count) == rounded)
  }

  // MARK: Work in another number of calls

  /// Counts of two runs, each by name as calls and instructions.
  private static func counted(
    _ runs: [String: (Int, Int)]..., isTimed: Bool = false
  ) -> ProgramCounts {
    ProgramCounts(
      runs: (runs.count == 1 ? runs + runs : runs).map { run in
        run.mapValues { CallgrindProfile.Count(calls: $0.0, instructions: $0.1) }
      }, isTimed: isTimed)
  }

  /// The calibration: 10 items of `index`, 20 frames with 40 rows.
  private static func calibration() throws -> [CountedSpan] {
    let counts = counted(["index": (10, 10_000), "frame": (20, 40_000), "rows": (40, 4000)])
    let scenario = try scenario()
    return try CountedCosts(counts.spans(since: [], in: scenario), since: [], in: scenario).spans
  }

  /// Each factor is that of the work by item or by frame: 1 if the work is the same in however many calls.
  @Test(
    arguments: [
      // In four quarters; twice as often; half as often.
      ("index", (40, 10_000), 20, 1), ("index", (20, 20_000), 20, 2), ("index", (5, 5000), 20, 0.5),
      // Rows belong to frames: as many for each of fewer frames, more for each, in more pieces.
      ("rows", (20, 2000), 10, 1), ("rows", (80, 8000), 20, 2), ("rows", (80, 4000), 20, 1),
      // The main loop decides how many frames there are.
      ("frame", (30, 60_000), 30, 1), ("frame", (20, 44_000), 20, 1.1),
    ] as [(String, (Int, Int), Int, Double)])
  func `work takes as long as all its calls, for each item or frame`(
    _ name: String, _ count: (Int, Int), _ frames: Int, _ factor: Double
  ) throws {
    let (scenario, base) = (try Self.scenario(), try Self.calibration())
    var run = [
      "index": (10, 10_000), "frame": (frames, 2000 * frames), "rows": (2 * frames, 200 * frames),
    ]
    run[name] = count
    let counts = Self.counted(run)
    func costs(_ base: [CountedSpan]) throws -> CountedCosts {
      try CountedCosts(counts.spans(since: base, in: scenario), since: base, in: scenario)
    }
    let once = try costs(base)
    let (old, new) = (
      try #require(base.first { $0.name == name }),
      try #require(once.spans.first { $0.name == name })
    )
    let (before, now) = (try #require(old.milliseconds), try #require(new.milliseconds))
    #expect(abs(now / before - factor) < 1e-9)
    // A result that becomes the calibration says the same as the calibration before it.
    let again = try costs(once.spans)
    #expect(zip(again.spans, once.spans).allSatisfy { $0.units == $1.units })
    let times = zip(again.spans, once.spans).map { ($0.milliseconds ?? 0, $1.milliseconds ?? 1) }
    #expect(times.allSatisfy { abs($0 / $1 - 1) < 1e-9 })
    let work = try #require(scenario.work(called: name).first)
    let changed = once.applied(to: scenario).mean(of: work).inMilliseconds
    #expect(abs(changed / scenario.mean(of: work).inMilliseconds - factor) < 1e-6)
  }

  @Test func `work in another number of calls is named`() throws {
    let (scenario, base) = (try Self.scenario(), try Self.calibration())
    let counts = Self.counted(["index": (40, 10_000), "frame": (10, 20_000), "rows": (20, 2000)])
    #expect(
      SpansText.changedCalls(counts.spans(since: base, in: scenario), since: base)
        == ["index: 10 → 40 calls"])
  }

  /// The same number of instructions a call, but not of calls.
  @Test func `runs that call a span differently often did not do the same work`() throws {
    let scenario = try Self.scenario()
    let runs = [
      ["index": (10, 10_000), "frame": (20, 40_000), "rows": (40, 4000)],
      ["index": (11, 11_000), "frame": (22, 44_000), "rows": (44, 4400)],
    ]
    let spans = Self.counted(runs[0], runs[1]).spans(since: [], in: scenario)
    #expect(spans.filter { !$0.isSteady }.map(\.name) == ["index"])
    // A measurement works for a time, so only its calls can be compared.
    let timed = Self.counted(runs[0], runs[1], isTimed: true).spans(since: [], in: scenario)
    #expect(timed.allSatisfy { $0.spread == 0 })
    let base = try Self.calibration()
    let more = Self.counted(["index": (40, 40_000)], isTimed: true).spans(since: base, in: scenario)
    #expect(more.map(\.instructionsOfUnit) == [1000] && more[0].units == 40)
    #expect(SpansText.changedCalls(more, since: base) == [])
  }

  @Test func `spans that a run or the calibration lacks are named`() throws {
    let (scenario, base) = (try Self.scenario(), try Self.calibration())
    let counts = Self.counted(
      ["Index-2": (10, 10_000), "frame": (20, 40_000), "sync": (1, 100), "once": (1, 100)],
      ["Index-2": (10, 10_000), "frame": (20, 40_000), "sync": (1, 100)])
    #expect(counts.namesOfOneRun == ["once"])
    let lower = Self.counted(["index-2": (10, 10_000), "frame": (20, 40_000), "sync": (1, 100)])
    let costs = try CountedCosts(
      lower.spans(since: base, in: scenario), since: base, in: scenario)
    // Only letters of a name count, so this is the calibration's.
    #expect(costs.spans.map(\.name).sorted() == ["frame", "index", "sync"])
    #expect(costs.gone == ["rows"] && costs.uncalibrated == ["sync"] && costs.others == ["sync"])
  }

  @Test func `a measurement says that it works for a time`() {
    #expect(SpanFunctions("timed\n100 0 index\n").isTimed)
    #expect(SpanFunctions("timed\n100 0 index\n").functions.count == 1)
    #expect(!SpanFunctions("100 0 timed\n").isTimed)
  }

  private static func span(
    _ name: String, _ count: Double, _ time: Double? = nil, spread: Double = 0
  ) -> CountedSpan {
    CountedSpan(name: name, calls: 10, instructions: count, spread: spread, milliseconds: time)
  }

  private static func scenario() throws -> Scenario {
    let text = """
      scenario: counted
      display: {refresh: 60 Hz, render: 4 ms}
      duration: 1 s
      services: {decode-photo: {}, index: {}}
      ui: {frame: [{name: rows, cpu: 2 ms, unit: 1 ms}]}
      workloads:
        - name: add
          arrival: {every: 100 ms}
          steps: [{service: decode-photo, cpu: 1 ms}, {service: decode-photo, cpu: 3 ms}, {service: index, cpu: 1 ms}]
      strategies: [main-thread]
      """
    return try ScenarioSource(name: "counted.yaml", bytes: Array(text.utf8), files: [:]).scenario()
  }

  @Test func `without a calibration the times are those of the scenario, which stays as it is`()
    throws
  {
    let scenario = try Self.scenario()
    let spans = [
      Self.span("decode photo ", 4000), Self.span("frame", 8000), Self.span("rows", 1000),
      Self.span("sync", 500),
    ]
    let costs = try CountedCosts(spans, since: [], in: scenario)
    // The last one has the ratio in the middle.
    #expect(costs.spans.map(\.milliseconds) == [2, 4, 2, 0.25])
    #expect(costs.others == ["sync"])
    #expect(costs.applied(to: scenario) == scenario)
  }

  @Test func `work takes as much longer as its instructions have grown since the calibration`()
    throws
  {
    let scenario = try Self.scenario()
    let base = [
      Self.span("decode photo ", 4000, 2), Self.span("frame", 8000, 4), Self.span("rows", 1000, 2),
    ]
    let spans = [
      Self.span("decode photo ", 5000), Self.span("frame", 4000), Self.span("rows", 1500),
    ]
    let costs = try CountedCosts(spans, since: base, in: scenario)
    #expect(costs.spans.map(\.milliseconds) == [2.5, 2, 3])
    let changed = costs.applied(to: scenario)
    #expect(
      changed.workloads[0].steps.map(\.load.duration.mean)
        == [.microseconds(1250), .microseconds(3750), .milliseconds(1)])
    #expect(changed.display.render.mean == .milliseconds(2))
    #expect(changed.frameParts[0].cpu.mean == .milliseconds(3))
    #expect(changed.frameParts[0].unit?.mean == .microseconds(1500))
  }

  @Test func `spans that a scenario does not name are refused`() throws {
    let scenario = try Self.scenario()
    let error = #expect(throws: InputError.self) {
      try CountedCosts([Self.span("sync", 4000)], since: [], in: scenario)
    }
    #expect(error?.reason.contains("no span has the name") == true)
    #expect(error?.reason.contains("sync") == true)
  }

  @Test func `a span whose counts differ does not gate by the frames either`() throws {
    let scenario = try Self.scenario()
    let base = [Self.span("index", 1000, 1), Self.span("frame", 8000, 4)]
    let spans = [Self.span("index", 1030, spread: 0.03), Self.span("frame", 8000)]
    let costs = try CountedCosts(spans, since: base, in: scenario)
    #expect(costs.applied(to: scenario) == scenario)
    #expect(costs.others.isEmpty)
  }

  @Test(arguments: [-9e14, -0.9, 0, 9e14, .infinity, .nan])
  func `a calibration that no scenario can have is refused`(_ time: Double) throws {
    let scenario = try Self.scenario()
    let error = #expect(throws: InputError.self) {
      try CountedCosts(
        [Self.span("index", 1e6)], since: [Self.span("index", 1, time)], in: scenario)
    }
    #expect(error?.reason.contains("'index' takes") == true)
    #expect(error?.reason.contains("allowed: 0.001 to 1000 times") == true)
  }
}
