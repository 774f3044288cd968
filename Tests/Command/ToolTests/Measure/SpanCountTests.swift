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
    #expect(SpanCounter.rounded(count) == rounded)
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
