import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

/// Drawing in parts.
@Suite struct `Parts of drawing` {
  /// A run with drawing as one piece, and the same with its parts, whose costs add up to it in each frame.
  private struct Split {
    let whole: RandomRun
    let split: RandomRun

    init(_ run: RandomRun) {
      var stream = RandomStream(seed: run.seed, name: "frame parts")
      let plan = run.plan
      // Negative vsyncs are those of the warm-up; they count from the end of a recording.
      let costs = (0..<400).map { plan.renderCost(vsync: $0) }
      var left = costs
      let parts = (0..<stream.number(1...3)).map { place in
        let taken = left.map { left in
          stream.chance(30) ? TimeSpan.zero : left.multiplied(by: stream.unit())
        }
        left = zip(left, taken).map { $0 - $1 }
        return FramePart(name: "part-\(place)", cpu: Self.recorded(taken))
      }
      whole = run.drawing(Self.recorded(costs))
      split = run.drawing(Self.recorded(left), parts)
    }

    private static func recorded(_ spans: [TimeSpan]) -> DurationDistribution {
      RecordedDurations(spans).map { .recorded($0) } ?? .none
    }
  }

  @Test(arguments: Tries.randomRuns.parts)
  func `give the same frames as their sum, to the nanosecond`(seeds: Range<UInt64>) {
    for seed in seeds {
      let run = RandomRun(seed: seed, forks: seed.isMultiple(of: 2), sharing: seed % 3 == 0)
      let split = Split(run)
      let (one, other) = (split.whole.log(), split.split.log())
      #expect(RandomScenarioTests.text(one) == RandomScenarioTests.text(other), "seed \(seed)")
      #expect(
        one.frames.records.map(\.spans) == other.frames.records.map(\.spans), "seed \(seed)")
      #expect(one.frames.records.map(\.mainCause) == other.frames.records.map(\.mainCause))
    }
  }

  @Test func `are in the record of each frame that has drawn`() {
    var (drawn, cut) = (0, 0)
    for seed in UInt64(0)..<200 {
      let run = Split(RandomRun(seed: seed)).split
      let plan = run.plan
      for record in run.log().frames.records where !record.parts.isEmpty {
        let parts = plan.partTimes(vsync: record.beginVsync)
        if record.workEnd < run.stop {
          #expect(record.parts == parts, "seed \(seed)")
        } else {
          let ran = record.parts.reduce(.zero) { $0 + $1.span }
          #expect(ran <= record.workEnd - record.begin, "seed \(seed)")
          #expect(record.parts == Self.cut(parts, behind: ran), "seed \(seed)")
        }
        drawn += 1
        if record.parts != parts { cut += 1 }
      }
    }
    #expect(drawn > 1000 && cut > 0)
  }

  /// What has run of the parts, in their order, behind `span` of drawing.
  private static func cut(_ parts: [FramePartTime], behind span: TimeSpan) -> [FramePartTime] {
    var begin = TimeSpan.zero
    return parts.compactMap { part in
      let ran = min(begin + part.span, span) - begin
      begin += part.span
      return ran > .zero ? FramePartTime(name: part.name, span: ran) : nil
    }
  }

  /// In a loop of events, each frame of 20 ms waits for the one before it: its time contains the drawing of that one.
  @Test(arguments: [MainLoop.frame, .events(MainLoop.Events())], 0..<40)
  func `of a frame that the end of the run cuts off, only what ran of it is recorded`(
    loop: MainLoop, milliseconds: Int64
  ) throws {
    var scenario = Scenario(
      name: "late",
      display: Display(
        refresh: RefreshRate(60), render: .constant(.milliseconds(6)), mainLoop: loop),
      duration: .milliseconds(200 + milliseconds), warmup: .zero)
    scenario.frameParts = [("first", 10), ("second", 2), ("third", 2)].map {
      FramePart(name: $0, cpu: .constant(.milliseconds($1)))
    }
    let log = scenario.run(.onMain(scenario), detail: .trace)
    let frames = log.frames.records
    let last = try #require(frames.last)
    let parts = RunPlan(scenario, under: Strategy(name: "main", arrangement: .onMain(scenario)))
      .partTimes(vsync: 0)
    #expect(last.parts == Self.cut(parts, behind: last.workEnd - last.begin))
    #expect(frames.dropLast().allSatisfy { $0.parts == parts } && frames.count > 5)
  }

  /// On any machine, and however the run ends: what is not in the record of a frame has run before it.
  @Test(arguments: Tries.randomRuns.parts)
  func `that run early break no rule, and their frames run the rest`(seeds: Range<UInt64>) {
    var early = 0
    for seed in seeds {
      let run = Split(RandomRun(seed: seed, forks: seed.isMultiple(of: 2))).split.prefetching()
      let plan = run.plan
      let log = run.log()
      #expect(log.violations.isEmpty, "seed \(seed): \(log.violations)")
      for record in log.frames.records where record.spans[.render] > .zero {
        let parts = plan.partTimes(vsync: record.beginVsync)
        // The end of the run cuts off the last one.
        if record.workEnd >= run.stop { continue }
        #expect(Self.isRest(record.parts, of: parts, run.scenario.frameParts), "seed \(seed)")
        if record.parts != parts { early += 1 }
      }
    }
    #expect(early > seeds.count)
  }

  /// A hit costs nothing, and nothing else changes: the frames are those of a scenario that has no such work in them.
  @Test(arguments: Tries.randomRuns.parts)
  func `in a cache are as if the frames that find them did not need them`(seeds: Range<UInt64>) {
    var (hits, needs) = (0, 0)
    for seed in seeds {
      let split = Split(RandomRun(seed: seed, forks: seed.isMultiple(of: 2))).split
      let cached = split.caching()
      let (plan, cachedPlan) = (split.plan, cached.plan)
      var parts = split.scenario.frameParts
      for index in parts.indices {
        let share = Self.share(cachedPlan.arrangement.rule(ofFramePart: index))
        // Negative vsyncs are those of the warm-up, and count from the end.
        let spans = (0..<400).map { vsync in
          let number = vsync < 300 ? vsync : vsync - 400
          var stream = RandomStream(
            seed: cachedPlan.seed, name: "ui/frame/\(parts[index].name)/cache", index: number)
          let cost = plan.partTimes(vsync: vsync)[index].span
          let isHit = stream.unit() < share
          if cost > .zero { (hits, needs) = (hits + (isHit ? 1 : 0), needs + 1) }
          return isHit ? TimeSpan.zero : cost
        }
        parts[index].cpu = RecordedDurations(spans).map { .recorded($0) } ?? .none
      }
      let bare = split.drawing(split.scenario.display.render, parts)
      let (one, other) = (cached.log(), bare.log())
      #expect(RandomScenarioTests.text(one) == RandomScenarioTests.text(other), "seed \(seed)")
      #expect(one.frames.records.map(\.parts) == other.frames.records.map(\.parts))
    }
    #expect(hits > seeds.count && hits < needs)
  }

  /// On any machine, and however the run ends: a frame runs what it and those before it need, but at most the budget.
  @Test(arguments: Tries.randomRuns.parts)
  func `that are spread run whatever is left, but at most their budget`(seeds: Range<UInt64>) {
    var incomplete = 0
    for seed in seeds {
      let run = Split(RandomRun(seed: seed, forks: seed.isMultiple(of: 2))).split.spreading()
      let plan = run.plan
      let log = run.log()
      #expect(log.violations.isEmpty, "seed \(seed): \(log.violations)")
      var left = plan.frameParts.map { _ in TimeSpan.zero }
      // The end of the run cuts off the last one.
      for record in log.frames.records
      where record.spans[.render] > .zero && record.workEnd < run.stop {
        let own = plan.partTimes(vsync: record.beginVsync)
        for part in left.indices {
          let budget = plan.arrangement.rule(ofFramePart: part).budget
          // On demand, a frame may be there only for what is left.
          let needs = [left[part] + own[part].span] + (record.isOnDemand ? [left[part]] : [])
          let span = record.parts.first { $0.name == own[part].name }?.span ?? .zero
          let needed = needs.first { min($0, budget ?? $0) == span }
          #expect(needed != nil, "seed \(seed), vsync \(record.beginVsync)")
          left[part] = (needed ?? span) - span
        }
        let all = left.reduce(TimeSpan.zero) { $0 + $1 }
        if !record.isOnDemand { #expect(record.partsWaiting == all, "seed \(seed)") }
        if record.partsWaiting > .zero { incomplete += 1 }
      }
    }
    #expect(incomplete > seeds.count)
  }

  /// On any machine and carrier, and however the run ends: a frame runs only the other parts, and waits for these.
  @Test(arguments: Tries.randomRuns.parts)
  func `that lanes prepare break no rule, and cost frames only waits`(seeds: Range<UInt64>) {
    var (prepared, waited) = (0, 0)
    for seed in seeds {
      let run = Split(RandomRun(seed: seed, forks: seed.isMultiple(of: 2), sharing: seed % 3 == 0))
        .split.preparing()
      let plan = run.plan
      let log = run.log(detail: .trace)
      #expect(log.violations.isEmpty, "seed \(seed): \(log.violations)")
      for record in log.frames.records
      where record.spans[.render] > .zero && record.workEnd < run.stop {
        let all = plan.partTimes(vsync: record.beginVsync)
        let own = all.indices.filter { plan.arrangement.rule(ofFramePart: $0).lane == nil }
        #expect(record.parts == own.map { all[$0] }, "seed \(seed)")
        if own.count < all.count { prepared += 1 }
      }
      let main = log.trace?.threads[.main].spans ?? []
      let waits = main.filter { if case .partWait = $0.activity { true } else { false } }
      for record in log.frames.records {
        let own = waits.filter { (record.begin..<record.workEnd).contains($0.begin) }
        let span = own.reduce(TimeSpan.zero) { $0 + ($1.end - $1.begin) }
        #expect(span <= record.spans[.lockWait], "seed \(seed)")
      }
      waited += waits.count
    }
    #expect(prepared > seeds.count && waited > 0)
  }

  private static func share(_ rule: FramePartRule) -> Double {
    if case .cached(let hits) = rule { hits } else { 0 }
  }

  /// Whether `rest` has, in the same order, what is left of `parts` behind whole units of each; of one without a unit, all or none.
  private static func isRest(
    _ rest: [FramePartTime], of parts: [FramePartTime], _ scenario: [FramePart]
  ) -> Bool {
    let names = rest.map(\.name)
    guard names == parts.map(\.name).filter(names.contains) else { return false }
    return zip(parts, scenario).allSatisfy { whole, part in
      guard let left = rest.first(where: { $0.name == whole.name }) else { return true }
      let ready = (whole.span - left.span).nanoseconds
      guard case .constant(let unit) = part.unit else { return ready == 0 }
      return ready >= 0 && ready % unit.nanoseconds == 0
    }
  }

  @Test func `do not shift the costs of one another`() {
    let cpu = DurationDistribution.exponential(mean: .milliseconds(2))
    func costs(_ names: [String]) -> [TimeSpan] {
      var scenario = Scenario(
        name: "app", display: Display(refresh: RefreshRate(60)), duration: .seconds(1))
      scenario.frameParts = names.map { FramePart(name: $0, cpu: cpu) }
      let strategy = Strategy(name: "main-thread", arrangement: .onMain(scenario))
      let plan = RunPlan(scenario, under: strategy)
      return (0..<50).compactMap { vsync in
        plan.partTimes(vsync: vsync).first { $0.name == "bind-rows" }?.span
      }
    }
    #expect(costs(["bind-rows"]) == costs(["measure", "bind-rows"]))
    #expect(Set(costs(["bind-rows"])).count == 50)
  }
}
