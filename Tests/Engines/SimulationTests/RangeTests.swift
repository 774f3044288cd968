import FrameBudget
import FrameBudgetSimulation
import struct TestSupport.Tries
import Testing

/// The error bar of a prediction.
struct `The range of a prediction` {
  private static func range(_ plan: RunPlan) throws -> PredictionRange {
    let engine = VirtualEngine()
    let metrics = RunMetrics(engine.run(plan))
    return try #require(engine.range(around: metrics, of: plan))
  }

  private static func plan(render: TimeSpan, arrival: Arrival = .once(0, start: .zero)) -> RunPlan {
    let step = Step(name: "step", service: 0, load: .cpu(.constant(.milliseconds(3))))
    let scenario = Scenario(
      name: "frames",
      display: Display(refresh: RefreshRate(60), render: .constant(render)),
      duration: .seconds(2), services: [Service(name: "service")],
      workloads: [
        Workload(
          name: "tap", arrival: arrival, steps: [step], respondWithin: .milliseconds(100))
      ])
    return RunPlan(
      scenario, under: Strategy(name: "main-thread", arrangement: .onMain(scenario)))
  }

  @Test func `is empty if small changes have no effect`() throws {
    let range = try Self.range(Self.plan(render: .milliseconds(5)))
    #expect(range[.droppedPercent] == 0...0)
    #expect(range[.response(.p99)] == nil)
    let frame = try #require(range[.frameTime(.p99)])
    let margin = 5.25 / 50
    #expect(abs(frame.lowerBound - 4.75 + margin) < 1e-6)
    #expect(abs(frame.upperBound - 5.25 - margin) < 1e-6)
    #expect(!Metric.frameTime(.p99).isWorthShowing(frame))
    #expect(range[.throughput] == nil)
  }

  @Test func `is wide where costs are just below the period`() throws {
    let range = try Self.range(Self.plan(render: .milliseconds(16)))
    let dropped = try #require(range[.droppedPercent])
    #expect(dropped.lowerBound == 0 && dropped.upperBound > 45)
    #expect(Metric.droppedPercent.isWorthShowing(dropped))
  }

  @Test func `holds where arrivals lie between two vsyncs`() throws {
    // Just before a vsync; elsewhere an answer takes up to a period longer.
    let range = try Self.range(
      Self.plan(
        render: .milliseconds(5),
        arrival: .batch(1, every: .milliseconds(500), start: .microseconds(99_900))))
    let response = try #require(range[.response(.p99)])
    #expect(response.upperBound - response.lowerBound > 5)
  }

  @Test
  func `has the margins of its kind, which threads and cores decide, and none if it is learned`()
    throws
  {
    let alone = Self.plan(render: .milliseconds(5))
    let strategy = try StrategyCatalog.strategy("schedulable", for: alone.scenario)
    let moved = RunPlan(alone.scenario, under: strategy)
    func kind(_ plan: RunPlan, cores: Int, busy: Int = 0) -> PredictionKind {
      var machine = Machine(cores: cores)
      machine.busy = busy
      return PredictionKind(plan, on: machine)
    }
    #expect(kind(alone, cores: 1) == .threadsFit && kind(moved, cores: 2) == .threadsFit)
    #expect(kind(moved, cores: 1) == .moreThreads)
    #expect(kind(alone, cores: 2, busy: 2) == .moreThreads)
    let range = try Self.range(alone)
    let points = try #require(range.margin(of: .droppedPercent))
    #expect(points > 0 && points < 3)
    #expect(range.margin(of: .response(.p99)) == nil)
    var scenario = alone.scenario
    scenario.learned = Learned(source: "a.json", coverage: 1, replay: .good)
    let learned = try Self.range(RunPlan(scenario, under: alone.strategy))
    #expect(learned.calibration?.kind == .learned)
    #expect(PredictionRange.metrics.allSatisfy { learned.margin(of: $0) == nil })
    #expect(learned[.droppedPercent] == range[.droppedPercent])
  }

  @Test func `keeps a bound only with both ends, of whole frames`() throws {
    let range = try Self.range(Self.plan(render: .milliseconds(16)))
    func isKept(_ aim: Aim, _ frames: Int? = 120) -> Bool? {
      aim.isKept(in: range.shown, frames: frames)
    }
    let (low, high) = (0.0, try #require(range.shown(.droppedPercent)).upperBound)
    #expect(high > 45)
    let name = Metric.droppedPercent.name
    #expect(isKept(Aim(name, maximum: high)) == true)
    #expect(isKept(Aim(name, maximum: high - 0.1)) == false)
    #expect(isKept(Aim(name, minimum: low)) == true && isKept(Aim(name, minimum: 1)) == false)
    let most = (high * 1.2).rounded(.down)
    #expect(isKept(Aim("dropped_frames", maximum: most)) == true)
    #expect(isKept(Aim("dropped_frames", maximum: most - 1)) == false)
    #expect(isKept(Aim("dropped_frames", maximum: most), nil) == nil)
    #expect(isKept(Aim("responses_late", maximum: 0)) == nil)
    // Less than a frame is none: of 40 frames, 0.8 % is a third of one.
    let narrow: (Metric) -> ClosedRange<Double>? = { _ in 0...0.8 }
    #expect(Aim("dropped_frames", maximum: 0).isKept(in: narrow, frames: 40) == true)
    #expect(Aim("dropped_frames", maximum: 0).isKept(in: narrow, frames: 600) == false)
    #expect(Aim("dropped_frames", maximum: 0).isKept(in: { _ in nil }, frames: 600) == nil)
  }

  @Test func `stops when it is cancelled`() {
    let plan = Self.plan(render: .milliseconds(5))
    let metrics = RunMetrics(VirtualEngine().run(plan))
    #expect(VirtualEngine().range(around: metrics, of: plan) { false } == nil)
  }

  @Test(arguments: Tries.predictionRanges.parts)
  func `contains the nominal result, and is reproducible`(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      let random = RandomScenario(seed: seed)
      let plan = RunPlan(
        random.scenario, under: Strategy(name: "random", arrangement: random.arrangement))
      let metrics = RunMetrics(VirtualEngine().run(plan))
      let range = try Self.range(plan)
      #expect(range == (try Self.range(plan)), "seed \(seed)")
      for metric in PredictionRange.metrics {
        guard let planned = metrics[metric] else { continue }
        #expect(range[metric]?.contains(planned) == true, "\(metric.name), seed \(seed)")
      }
    }
  }

  /// Slow: makes 33 runs of each of 30 apps under some twenty strategies.
  @Test func `contains what 95 of 100 other small changes lead to, over all default strategies`()
    throws
  {
    var counts = PredictionRange.metrics.map { _ in (inside: 0, all: 0) }
    for seed in 0..<UInt64(max(30, Tries.predictionRanges.count / 10)) {
      let random = RandomScenario(seed: seed)
      let own = Strategy(name: "random", arrangement: random.arrangement)
      let named = try StrategyCatalog.all(for: random.scenario).map {
        try StrategyCatalog.strategy($0.name, for: random.scenario)
      }
      for strategy in [own] + named {
        let range = try Self.range(RunPlan(random.scenario, under: strategy))
        for metrics in Self.otherChanges(of: random.scenario, under: strategy) {
          for (place, metric) in PredictionRange.metrics.enumerated() {
            guard let value = metrics[metric], let range = range[metric] else { continue }
            counts[place].all += 1
            counts[place].inside += range.contains(value) ? 1 : 0
          }
        }
      }
    }
    for (metric, count) in zip(PredictionRange.metrics, counts) {
      #expect(
        count.all > 7000 && count.inside * 100 >= count.all * 95,
        "\(metric.name): \(count.inside) of \(count.all)")
    }
  }

  /// Thirty runs with costs up to 5 % off, and arrivals shifted within a period, all at random.
  private static func otherChanges(
    of scenario: Scenario, under strategy: Strategy
  ) -> [RunMetrics] {
    var stream = RandomStream(seed: scenario.seed, name: "other-changes")
    let period = Double(scenario.display.refresh.period.nanoseconds)
    return (0..<30).map { _ in
      let costing = scenario.costing(0.95 + 0.1 * stream.unit())
      let changed = costing.delayingArrivals { _ in
        TimeSpan(nanoseconds: Int64(stream.unit() * period))
      }
      return RunMetrics(VirtualEngine().run(RunPlan(changed, under: strategy)))
    }
  }

  @Test func `is no wider than what it was made from, plus what lies between for responses`() throws
  {
    let plan = Self.plan(
      render: .milliseconds(5),
      arrival: .batch(1, every: .milliseconds(500), start: .microseconds(99_900)))
    let range = try Self.range(plan)
    let response = try #require(range[.response(.p99)])
    let period = plan.scenario.display.refresh.period.inMilliseconds
    // Answers of 3 ms wait for up to a period, whatever the shift, and take one or two.
    #expect(response.lowerBound >= 0 && response.upperBound <= 2.85 * period)
    let dropped = try #require(range[.droppedPercent])
    #expect(dropped == 0...0)
  }

  /// Costs from 0.95 to 1.05 in steps of 0.005: a change by 20 points there is reported. Of fifty apps one may have a jump between
  /// the two costs that a range runs.
  /// Slow: runs each of some hundred apps thirty times.
  @Test(arguments: Tries.predictionRanges.parts)
  func `is reported if costs between 0.95 and 1.05 move dropped frames by 20 points`(
    _ seeds: Range<UInt64>
  ) throws {
    var unseen: [String] = []
    for seed in seeds {
      let scenario = Self.nearTheEdge(seed: seed)
      let strategy = Strategy(name: "main-thread", arrangement: .onMain(scenario))
      let dropped = (0...20).compactMap { place in
        let costing = scenario.costing(0.95 + 0.005 * Double(place))
        return RunMetrics(VirtualEngine().run(RunPlan(costing, under: strategy)))[.droppedPercent]
      }
      guard let least = dropped.min(), let most = dropped.max(), most - least >= 20 else {
        continue
      }
      let range = try #require(try Self.range(RunPlan(scenario, under: strategy))[.droppedPercent])
      if !Metric.droppedPercent.isWorthShowing(range) {
        unseen.append("seed \(seed): \(range) where costs alone move it from \(least) to \(most)")
      }
    }
    #expect(unseen.count * 50 <= max(50, seeds.count), "\(unseen)")
  }

  /// An app whose frames take nearly all of their time, so that small changes decide.
  private static func nearTheEdge(seed: UInt64) -> Scenario {
    var stream = RandomStream(seed: seed, name: "edge")
    var scenario = RandomScenario(seed: seed, isConstant: stream.chance(70)).scenario
    let period = scenario.display.refresh.period
    let share = 0.5 + 0.55 * stream.unit()
    scenario.display.render = .constant(period.multiplied(by: share))
    scenario.duration = .milliseconds(Int64(stream.number(200...1500)))
    return scenario
  }
}
