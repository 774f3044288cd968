import FrameBudget
import FrameBudgetSimulation
import TestSupport
import Testing

/// A run is half-open: it includes arrivals from its start to before its end, in every main loop.
@Suite struct RunBorderTests {
  private static let loops: [MainLoop] =
    [.frame]
    + MainLoop.Events.Order.allCases.flatMap { order in
      MainLoop.Events.Batch.allCases.flatMap { batch in
        MainLoop.Events.FrameTime.allCases.map { frameTime in
          .events(MainLoop.Events(order: order, batch: batch, frameTime: frameTime))
        }
      }
    }

  @Test func `a run ends when it is not wanted any more, and else is the same`() {
    let scenario = Scenario(
      name: "long", display: Display(refresh: RefreshRate(60)), duration: .seconds(35))
    let plan = RunPlan(
      scenario, under: Strategy(name: "main-thread", arrangement: .onMain(scenario)))
    var asked = 0
    let cut = VirtualEngine().run(plan) {
      asked += 1
      return asked <= 2
    }
    #expect(cut.status == .interrupted && cut.duration == .seconds(20))
    let whole = VirtualEngine().run(plan) { true }
    #expect(whole.status == .complete && whole.duration == .seconds(35))
    #expect(whole.frames.vsyncs == VirtualEngine().run(plan).frames.vsyncs)
  }

  @Test(arguments: Tries.randomScenarios.parts)
  func `each loop has the same items, those that arrive before the end`(seeds: Range<UInt64>) {
    for seed in seeds {
      let (scenario, arrangement) = Self.drawn(seed)
      let expected = scenario.workloads.map {
        ArrivalSchedule.count(
          of: $0, before: .zero + scenario.duration, seed: seed, limit: 1 << 20)
      }
      for loop in Self.loops {
        var scenario = scenario
        scenario.display.mainLoop = loop
        let items = scenario.run(arrangement, costs: seed % 3 == 0 ? .none : .standard).items
        #expect(items.map(\.arrivals.count) == Array(expected), "seed \(seed), \(loop)")
        let ended = items.map { $0.doneCount + $0.pendingCount + $0.cancelledCount }
        #expect(ended == Array(expected), "seed \(seed), \(loop)")
      }
    }
  }

  /// Arrivals at, right before and right behind the end.
  private static func drawn(_ seed: UInt64) -> (Scenario, Arrangement) {
    let random = RandomScenario(seed: seed)
    var scenario = random.scenario
    var stream = RandomStream(seed: seed, name: "borders")
    let every = TimeSpan.milliseconds(Int64(stream.number(1...50)))
    scenario.duration = every * stream.number(1...10)
    scenario.warmup = .zero
    let border = [-1, 0, 0, 1].map { scenario.duration + .nanoseconds($0) }
    for workload in scenario.workloads.indices {
      scenario.workloads[workload].arrival =
        switch stream.number(0...3) {
        case 0: .batch(stream.number(1...3), every: every, start: .zero)
        case 1: .batch(1, every: every, start: every)
        case 2: .once(stream.number(1...3), start: stream.pick(border))
        default: .at([.zero] + border)
        }
    }
    return (scenario, random.arrangement)
  }

  @Test(arguments: loops)
  func `an arrival every 100 ms for 3 s occurs thirty times`(loop: MainLoop) {
    var scenario = Scenario.files(
      .batch(1, every: .milliseconds(100), start: .zero), duration: .seconds(3), cores: 2)
    scenario.display.mainLoop = loop
    let metrics = RunMetrics(scenario.run(.onMain(scenario)))
    #expect(metrics["items_done"] == 30 && metrics["items_pending"] == 0)
    #expect(metrics["makespan_ms"] != nil)
  }
}
