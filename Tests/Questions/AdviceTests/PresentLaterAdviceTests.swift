import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetAdvice

@Suite struct `Advice to show frames later` {
  /// Every sixth frame draws for 20 ms, which no part of drawing is.
  private static func heavy(_ loop: MainLoop = .events(MainLoop.Events())) -> DrawingApp {
    DrawingApp(DrawingApp.heavy(.milliseconds(20), each: 6), [], loop)
  }

  private static let words = "show every frame a period later, from one more buffer"

  @Test func `is by as few periods as help, and a change of its own kind`() throws {
    let advice = Adviser(Self.heavy().request).advice()
    #expect(advice.today.outcome.dropped == 6)
    let first = try #require(advice.proposals.first)
    #expect(first.trial.words == [Self.words] && advice.proposals.count == 1)
    #expect(first.trial.change == Change(policies: 1, periodsLater: 1))
    #expect(first.trial.outcome.dropped == 0 && first.trial.outcome.incomplete == nil)
    #expect(!advice.keepsFrames)
    // The second stage holds three frames, and the main thread none.
    var slower = Self.heavy()
    slower.scenario.display.render = .none
    slower.scenario.display.pipeline = Pipeline(
      compositor: DrawingApp.heavy(.milliseconds(40), each: 6), usesGPU: true)
    let second = try #require(Adviser(slower.request).advice().proposals.first)
    #expect(second.trial.change == Change(policies: 1, periodsLater: 2))
  }

  /// In a loop of frames without a second stage, the next frame begins too late anyway. No screen has more than four periods.
  @Test func `is not given where it cannot help`() {
    #expect(Adviser(Self.heavy(.frame).request).advice().verdict == .nothingHelps)
    var late = Self.heavy()
    late.scenario.display.render = DrawingApp.heavy(.milliseconds(70), each: 6)
    late.scenario.display.pipeline = Pipeline(deadline: 4)
    let advice = Adviser(late.request).advice()
    #expect(advice.verdict == .nothingHelps && advice.today.outcome.dropped > 0)
  }

  /// A tap of 1 ms is answered two vsyncs after it without, and three with another buffer.
  @Test(arguments: [(40, false), (60, true)])
  func `is not given where answers would be late`(_ limit: Int64, _ isGiven: Bool) {
    var app = Self.heavy()
    app.scenario.workloads = [
      Workload(
        name: "tap",
        arrival: .once(1, start: RefreshRate(60).vsync(20).sinceZero + .milliseconds(1)),
        steps: [Step(name: "step", service: 0, load: .cpu(.constant(.milliseconds(1))))],
        result: .constant(.milliseconds(1)), respondWithin: .milliseconds(limit))
    ]
    let advice = Adviser(app.request).advice()
    #expect(advice.today.outcome.late == 0)
    #expect(advice.proposals.contains { $0.trial.change.periodsLater > 0 } == isGiven)
  }

  @Test func `is not given to those who want frames as early`() {
    var request = Self.heavy().request
    request.aims = [Aim("dropped_frames", maximum: 0), Aim("present_ms_max", maximum: 17)]
    let advice = Adviser(request).advice()
    #expect(advice.verdict == .nothingHelps)
    #expect(advice.drawingAlone?.outcome.dropped == 6)
  }

  @Test func `comes behind parts that are spread, with what foresight would buy instead`() throws {
    var app = DrawingApp.list(ahead: nil)
    app.scenario.display.mainLoop = .events(MainLoop.Events())
    let advice = Adviser(app.request).advice()
    #expect(
      advice.proposals.map(\.trial.words) == [
        ["spread bind-rows over frames, at most 7.2 ms in each"], [Self.words],
      ])
    #expect(advice.foresight?.trial.words == ["prefetch bind-rows a frame early"])
    let complete = Adviser(app.requestOfComplete).advice()
    #expect(complete.proposals.map(\.trial.words) == [[Self.words]])
    #expect(complete.foresight?.trial.words == ["prefetch bind-rows a frame early"])
    #expect(complete.keeping == nil)
  }

  @Test func `comes behind what shows all frames as early`() throws {
    var app = DrawingApp.list(ahead: 3)
    app.scenario.display.mainLoop = .events(MainLoop.Events())
    let advice = Adviser(app.request).advice()
    #expect(advice.keepsFrames && !advice.proposals.isEmpty)
    #expect(advice.proposals.allSatisfy { $0.trial.keepsFrames })
  }

  /// As if one were found with few lanes and the other with many.
  @Test func `comes behind what shows frames as early with more lanes`() {
    var app = DrawingApp.list(ahead: nil)
    app.scenario.display.mainLoop = .events(MainLoop.Events())
    let (later, spread) = (Adviser(Self.heavy().request).advice(), Adviser(app.request).advice())
    #expect(later.proposals.first?.trial.periodsLater == 1 && !later.keepsFrames)
    #expect(spread.proposals.first?.trial.periodsLater == 0 && !spread.keepsFrames)
    for advice in [Adviser.better(later, spread), Adviser.better(spread, later)] {
      #expect(advice.proposals.first?.trial.words == spread.proposals.first?.trial.words)
    }
    #expect(Adviser.better(later, later).proposals.first?.trial.words == [Self.words])
  }

  /// What reaches no aim is not worth later answers.
  @Test func `is never what comes nearest`() {
    var app = Self.heavy()
    app.scenario.display.render =
      RecordedDurations(
        [20, 4, 4, 4, 4, 4, 90, 4, 4, 4, 4, 4].map { .milliseconds($0) }
      ).map { .recorded($0) } ?? .none
    let advice = Adviser(app.request).advice()
    #expect(advice.verdict == .nothingHelps && advice.nearest == nil)
  }

  /// Slow: searches, and tries every number of periods.
  @Test(arguments: Tries.spreadParts.parts)
  func `is never missing where it helps`(seeds: Range<UInt64>) {
    var helped = 0
    for seed in seeds {
      var app = DrawingApp.withFewRemedies(seed: seed)
      if seed % 4 > 1 { app.scenario.display.mainLoop = .events(MainLoop.Events()) }
      let advice = Adviser(app.requestOfComplete).advice()
      if advice.proposals.contains(where: { $0.trial.change.periodsLater > 0 }) {
        helped += 1
        #expect(
          advice.proposals.allSatisfy { $0.trial.outcome.meets && $0.trial.outcome.isValid },
          "seed \(seed)")
      }
      guard advice.verdict == .nothingHelps else { continue }
      let runner = ArrangementRunner(
        scenario: app.scenario, costs: .standard, aims: advice.aims.list)
      let helps = (1..<Pipeline.deadlines.upperBound).first { periods in
        var arrangement = Arrangement.onMain(app.scenario)
        arrangement.presentsLater = periods
        guard (try? arrangement.validate(for: app.scenario)) != nil else { return false }
        return runner.outcome(arrangement).meets
      }
      #expect(helps == nil, "seed \(seed)")
    }
    #expect(helped > 0)
  }
}
