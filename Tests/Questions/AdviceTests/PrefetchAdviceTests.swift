import FrameBudget
import TestSupport
import Testing

@testable import FrameBudgetAdvice

/// An app that only draws: 36 frames at 60 Hz, of up to three parts.
struct DrawingApp {
  var scenario: Scenario

  init(_ render: DurationDistribution, _ parts: [FramePart], _ loop: MainLoop = .frame) {
    scenario = Scenario(
      name: "list", display: Display(refresh: RefreshRate(60), render: render, mainLoop: loop),
      duration: .milliseconds(600), warmup: .zero, services: [Service(name: "app")])
    scenario.frameParts = parts
  }

  /// Every sixth frame binds a row of 12 ms and inflates a view of 5 ms, beside 4 ms in every frame: 21 ms. On one core, another
  /// thread has only the time that main leaves.
  static func list(ahead: Int?, cores: Int = 1) -> DrawingApp {
    let parts = [("bind-rows", 12), ("inflate", 5)].map { name, cost in
      FramePart(name: name, cpu: heavy(.milliseconds(Int64(cost)), each: 6), ahead: ahead)
    }
    var app = DrawingApp(.constant(.milliseconds(4)), parts)
    app.scenario.machine = Machine(cores: cores)
    return app
  }

  /// A chart of 60 ms in pieces of 12 ms, three frames before the end, of which each frame leaves time for one.
  static func ending(ahead: Int?) -> DrawingApp {
    let chart = FramePart(
      name: "chart", cpu: heavy(.milliseconds(60), each: 34), ahead: ahead,
      unit: .constant(.milliseconds(12)))
    return DrawingApp(.constant(.milliseconds(4)), [chart])
  }

  static func heavy(_ span: TimeSpan, each frames: Int) -> DurationDistribution {
    let costs = [TimeSpan](repeating: .zero, count: frames - 1) + [span]
    return RecordedDurations(costs).map { .recorded($0) } ?? .none
  }

  init(seed: UInt64) {
    var numbers = RandomNumbers(seed: seed)
    func some(_ most: Int) -> TimeSpan { .microseconds(Int64(500 + numbers.next(below: most))) }
    let parts = (0..<(1 + numbers.next(below: 3))).map { place in
      FramePart(
        name: "part-\(place)",
        cpu: numbers.next(below: 3) == 0
          ? .uniform(from: .zero, to: some(6000))
          : Self.heavy(some(14_000), each: 2 + numbers.next(below: 7)),
        ahead: numbers.next(below: 3) == 0 ? nil : 1 + numbers.next(below: 3))
    }
    self.init(
      .constant(some(11_000)), parts,
      numbers.next(below: 3) == 0 ? .events(MainLoop.Events(frameTime: .posted)) : .frame)
    scenario.seed = seed
    if numbers.next(below: 3) == 0 {
      scenario.display.pipeline = Pipeline(deadline: 2, buffers: 2)
    }
    drawUnits(&numbers)
    drawRequests(&numbers)
    guard numbers.next(below: 3) == 0 else { return }
    scenario.workloads = [
      Workload(
        name: "work", arrival: .once(1 + numbers.next(below: 20), start: .milliseconds(100)),
        steps: [Step(name: "step", service: 0, load: .cpu(.constant(some(3000))))])
    ]
  }

  /// The same on one core, every second one without foresight, so that less helps that shows frames complete and in time.
  static func withFewRemedies(seed: UInt64) -> DrawingApp {
    var app = DrawingApp(seed: seed)
    app.scenario.machine = Machine(cores: 1)
    if seed % 2 == 1 {
      for part in app.scenario.frameParts.indices { app.scenario.frameParts[part].ahead = nil }
    }
    return app
  }

  private mutating func drawUnits(_ numbers: inout RandomNumbers) {
    for part in scenario.frameParts.indices where numbers.next(below: 3) == 0 {
      scenario.frameParts[part].unit = .constant(
        .microseconds(Int64(300 + numbers.next(below: 4000))))
    }
  }

  private mutating func drawRequests(_ numbers: inout RandomNumbers) {
    guard scenario.display.mainLoop != .frame, numbers.next(below: 2) == 0 else { return }
    let vsyncs = (0..<36).filter { _ in numbers.next(below: 3) > 0 }
    scenario.display.frames = .onDemand(at: vsyncs.map { RefreshRate(60).vsync($0).sinceZero })
  }

  /// Without advice that shows incomplete frames.
  var requestOfComplete: AdviceRequest {
    var request = request
    request.aims = [
      Aim("dropped_frames", maximum: 0), Aim("incomplete_frames", maximum: 0),
    ]
    return request
  }

  var request: AdviceRequest {
    AdviceRequest(scenario, today: Strategy(name: "main-thread", arrangement: .onMain(scenario)))
  }

  /// For each part, one of the numbers of frames that `choices` gives for it, so that the aims are reached; 0 is in its frame.
  func reaching(_ aims: Aims, _ choices: (FramePart) -> [Int]) -> [Int]? {
    var known = scenario
    for part in known.frameParts.indices {
      known.frameParts[part].ahead = choices(known.frameParts[part]).max().flatMap {
        $0 > 0 ? $0 : nil
      }
    }
    let runner = ArrangementRunner(scenario: known, costs: .standard, aims: aims.list)
    let all = scenario.frameParts.map(choices).reduce([[]]) { (sets: [[Int]], choices) in
      sets.flatMap { set in choices.map { set + [$0] } }
    }
    return all.first { frames in
      var arrangement = Arrangement.onMain(known)
      arrangement.frameParts = frames.map {
        $0 == 0 ? .inFrame : .prefetched(frames: $0, estimate: .learned)
      }
      return runner.outcome(arrangement).meets
    }
  }
}

@Suite struct `Advice for parts of drawing` {
  @Test func `prefetches one whose input is known early, by as few frames as help`() throws {
    let advice = Adviser(DrawingApp.list(ahead: 3).request).advice()
    #expect(advice.today.outcome.dropped == 6)
    let first = try #require(advice.proposals.first)
    // 12 ms fit into what the frame before leaves, 12.67 ms; 4 ms and 5 ms remain.
    #expect(first.trial.words == ["prefetch bind-rows a frame early"])
    #expect(first.trial.change == Change(policies: 1))
    #expect(first.trial.outcome.dropped == 0 && first.effects.count == 1)
    #expect(advice.foresight == nil && advice.drawingAlone == nil)
  }

  @Test func `names what foresight would buy, and the part that drawing alone is late for`() throws
  {
    let advice = Adviser(DrawingApp.ending(ahead: nil).request).advice()
    #expect(advice.verdict == .nothingHelps)
    let alone = try #require(advice.drawingAlone)
    // 64 ms end in the fourth period; nothing else is drawn before the end.
    #expect(alone.outcome.dropped == 3)
    #expect(alone.heaviest?.part == "chart" && alone.heaviest?.without.dropped == 0)
    let foresight = try #require(advice.foresight)
    // Four pieces run early, and the last in its frame, of 16 ms.
    #expect(foresight.parts.map(\.name) == ["chart"] && foresight.parts.map(\.frames) == [4])
    #expect(foresight.trial.words == ["prefetch chart up to 4 frames early"])
    #expect(foresight.trial.outcome.dropped == 0)
  }

  /// Every 18th frame runs 200 ms more, more than eight frames have.
  @Test func `names what foresight would buy where it does not reach the aims`() throws {
    var app = DrawingApp.list(ahead: nil)
    app.scenario.frameParts.append(
      FramePart(name: "decode", cpu: DrawingApp.heavy(.milliseconds(200), each: 18)))
    let advice = Adviser(app.requestOfComplete).advice()
    #expect(advice.verdict == .nothingHelps)
    let foresight = try #require(advice.foresight)
    #expect(foresight.parts.map(\.name).contains("decode"))
    #expect(!foresight.trial.outcome.meets && foresight.trial.outcome.dropped > 0)
    #expect(foresight.trial.outcome.dropped < advice.today.outcome.dropped)
  }

  /// Six frames are heavy today, in each of the 20 runs. Without the rows, none is; a frame finds them with probability 0.8, so of
  /// six frames at most three miss in 98 of 100 runs.
  @Test func `names what a cache would buy as a condition, and never as a proposal`() throws {
    let advice = Adviser(DrawingApp.list(ahead: nil).requestOfComplete).advice()
    let keeping = try #require(advice.keeping)
    #expect(keeping.part == "bind-rows" && keeping.percent == 80)
    #expect(keeping.dropped.today == 6)
    // The third largest number of misses in 20 runs, from the hits themselves.
    let request = DrawingApp.list(ahead: nil).request
    let misses = (0..<20).map { number in
      let seed = Steadiness.variant(number, of: request.scenario, seed: request.seed).seed
      return (0..<6).count { heavy in
        var stream = RandomStream(
          seed: seed, name: "ui/frame/bind-rows/cache", index: 6 * heavy + 5)
        return stream.unit() >= 0.8
      }
    }
    #expect(keeping.dropped.kept == misses.sorted()[17] && keeping.dropped.kept < 6)
    #expect(advice.proposals.isEmpty)
  }

  /// Every proposal, and what comes nearest, is without a cache that today's arrangement does not have.
  @Test func `no change claims that a cache hits`() {
    for seed in UInt64(0)..<40 {
      let advice = Adviser(DrawingApp(seed: seed).request).advice()
      let trials = advice.proposals.map(\.trial) + [advice.nearest].compactMap(\.self)
      for trial in trials {
        #expect(!trial.arrangement.frameParts.contains { $0.isCache }, "seed \(seed)")
      }
      if advice.keepsFrames { #expect(advice.keeping == nil) }
      if let keeping = advice.keeping {
        #expect(keeping.dropped.kept < keeping.dropped.today, "seed \(seed)")
      }
    }
  }

  @Test func `says nothing of a cache that buys nothing, or that is there`() throws {
    let app = DrawingApp(
      .constant(.milliseconds(20)), [FramePart(name: "measure", cpu: .constant(.milliseconds(1)))])
    #expect(Adviser(app.request).advice().keeping == nil)
    var request = DrawingApp.list(ahead: nil).request
    var today = request.today.arrangement
    today.frameParts = [.cached(hits: 0.5), .cached(hits: 0.5)]
    request.today = Strategy(name: "caching", arrangement: today)
    #expect(Adviser(request).advice().keeping == nil)
  }

  /// The part that is kept stays in its cache, whatever else changes.
  @Test func `prefetches no part that is in a cache`() throws {
    let scenario = DrawingApp.list(ahead: 3).scenario
    var today = Arrangement.onMain(scenario)
    today.frameParts = [.cached(hits: 0.5), .inFrame]
    let policy = Policy.prefetch(parts: ["bind-rows", "inflate"], frames: 1)
    let changed = try #require(policy.applied(to: today, of: scenario))
    #expect(
      changed.frameParts == [.cached(hits: 0.5), .prefetched(frames: 1, estimate: .learned)])
  }

  @Test func `finds no part behind drawing that is always too long`() throws {
    let app = DrawingApp(
      .constant(.milliseconds(20)), [FramePart(name: "measure", cpu: .constant(.milliseconds(1)))])
    let advice = Adviser(app.request).advice()
    #expect(advice.verdict == .nothingHelps && advice.foresight == nil)
    #expect(try #require(advice.drawingAlone).heaviest == nil)
  }

  /// As a list that scrolls in every second vsync: rows of 12 ms in every sixth vsync of those.
  @Test func `works where frames are drawn on demand`() throws {
    var app = DrawingApp.list(ahead: 3)
    app.scenario.display.mainLoop = .events(MainLoop.Events())
    app.scenario.display.frames = .onDemand(
      at: (0..<18).map { RefreshRate(60).vsync(2 * $0 + 1).sinceZero })
    let advice = Adviser(app.request).advice()
    #expect(advice.today.outcome.dropped == 6)
    let first = try #require(advice.proposals.first)
    #expect(first.trial.words == ["prefetch bind-rows a frame early"])
    #expect(first.trial.outcome.dropped == 0)
  }

  @Test func `tries the heaviest of many parts one by one, and all together`() {
    let parts = (1...6).map { number in
      FramePart(name: "\(number)", cpu: .constant(.microseconds(Int64(100 * number))), ahead: 1)
    }
    let app = DrawingApp(.constant(.milliseconds(4)), parts)
    let all = ["6", "5", "4", "3", "2", "1"]
    #expect(
      Policy.prefetches(in: app.scenario)
        == (all.prefix(4).map { [$0] } + [all]).map { .prefetch(parts: $0, frames: 1) })
  }

  /// Slow: tries every number of frames for every part.
  @Test(arguments: Tries.prefetchedParts.parts)
  func `never says that nothing helps where prefetching does`(seeds: Range<UInt64>) {
    var helped = 0
    for seed in seeds {
      let app = DrawingApp(seed: seed)
      let advice = Adviser(app.request).advice()
      if advice.proposals.contains(where: { !$0.trial.arrangement.frameParts.isEmpty }) {
        helped += 1
      }
      guard advice.verdict == .nothingHelps else { continue }
      let helps = app.reaching(advice.aims) { Array(0...($0.ahead ?? 0)) }
      #expect(helps == nil, "seed \(seed)")
      guard advice.foresight?.trial.outcome.meets != true else { continue }
      let foreseen = app.reaching(advice.aims) { part in
        Array(0...(part.ahead ?? 4)) + (part.ahead == nil ? [Adviser.foresight] : [])
      }
      #expect(foreseen == nil, "seed \(seed)")
    }
    #expect(helped > 0)
  }
}
