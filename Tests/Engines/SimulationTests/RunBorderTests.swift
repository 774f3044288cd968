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

  /// At 100 Hz with two periods, the last frame begins at 990 ms and would be shown at 1010 ms. Half of the frames take 2 ms, the
  /// others nothing.
  @Test(arguments: loops) func `a frame without work that no vsync shows has begun`(loop: MainLoop)
    throws
  {
    var scenario = try Self.halves()
    scenario.display.render = try Self.half
    scenario.display.mainLoop = loop
    let metrics = RunMetrics(scenario.run(.onMain(scenario)))
    #expect(metrics["frame_cpu_ms_p50"] == 1 && metrics["build_ms_avg"] == 1)
  }

  @Test func `a second stage without work that no vsync shows has begun`() throws {
    var scenario = try Self.halves()
    scenario.display.pipeline = Pipeline(deadline: 2, buffers: 2, compositor: try Self.half)
    let metrics = RunMetrics(scenario.run(.onMain(scenario)))
    #expect(metrics["frame_cpu_ms_p50"] == 1 && metrics["raster_ms_avg"] == 1)
  }

  private static var half: DurationDistribution {
    get throws {
      let costs = (0..<100).map { $0 < 50 ? TimeSpan.milliseconds(2) : .zero }
      return .recorded(try #require(RecordedDurations(costs)))
    }
  }

  private static func halves() throws -> Scenario {
    var scenario = Scenario(
      name: "halves", display: Display(refresh: RefreshRate(100)), duration: .seconds(1),
      warmup: .zero)
    scenario.display.pipeline = Pipeline(deadline: 2, buffers: 2)
    return scenario
  }

  /// Two threads of other processes, each with the core for up to 30 ms, keep the main thread from it for longer than a period.
  @Test func `a thread that has no core until the last vsync begins no frame`() throws {
    var scenario = Scenario.files(
      .batch(1, every: .milliseconds(10), start: .zero), render: .milliseconds(2),
      duration: .zero)
    scenario.display.refresh = RefreshRate(60_000, over: 1001)
    scenario.workloads[0].steps[0].load = .cpu(.constant(.milliseconds(1)))
    (scenario.machine.slice, scenario.machine.busy) = (.milliseconds(30), 2)
    var cut = 0
    for milliseconds in stride(from: Int64(200), to: 300, by: 3) {
      scenario.duration = .milliseconds(milliseconds)
      let log = scenario.run(.onMain(scenario), detail: .frames)
      #expect(log.status == .complete, "\(log.violations)")
      let frame = try #require(log.frames.records.last)
      guard frame.begin >= log.frames.lastVsync else { continue }
      cut += 1
      #expect(frame.begin == .zero + scenario.duration && frame.workEnd == frame.begin)
      #expect(RunMetrics(log)["build_ms_max"] ?? 0 > 0)
    }
    #expect(cut > 2)
  }

  /// An item keeps the main thread from the vsync of 990 ms past the last one, of 1000 ms, to 1003 ms; the run ends at 1005 ms.
  @Test func `a frame that waits at the end has not begun, even if the thread is free before`()
    throws
  {
    var scenario = Scenario.files(
      .at([.microseconds(985_500)]), render: .milliseconds(1), duration: .milliseconds(1005))
    scenario.display.refresh = RefreshRate(100)
    scenario.display.mainLoop = .events(MainLoop.Events())
    scenario.workloads[0].steps[0].load = .cpu(.constant(.microseconds(17_500)))
    let log = scenario.run(.onMain(scenario), detail: .frames)
    let frame = try #require(log.frames.records.last)
    #expect(frame.begin == .zero + .milliseconds(1003))
    #expect(frame.workEnd == .zero + .milliseconds(1005))
    let metrics = RunMetrics(log)
    #expect(metrics["build_ms_max"] == 1 && metrics["frame_cpu_ms_p99"] == 1)
  }
}
