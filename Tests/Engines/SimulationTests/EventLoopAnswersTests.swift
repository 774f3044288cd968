import FrameBudget
import FrameBudgetSimulation
import Testing

/// Results of a main loop of events, calculated by hand: 60 Hz, no costs except the work itself.
@Suite struct EventLoopAnswersTests {
  private static let refresh = RefreshRate(60)
  private static let newest = MainLoop.events(MainLoop.Events(frameTime: .newest))
  private static let posted = MainLoop.events(MainLoop.Events(frameTime: .posted))
  private static let compositor = DurationDistribution.constant(.ms(12))

  private static func run(
    draw: Double, _ pipeline: Pipeline = Pipeline(), vsyncs: Int, item: Double = 0,
    at arrivals: [Instant] = [], frames: FrameDemand = .always, _ loop: MainLoop = newest
  ) -> RunMetrics {
    let metrics = PipelineAnswersTests.run(
      draw: draw, pipeline, vsyncs: vsyncs, item: item, at: arrivals, frames: frames, loop: loop)
    #expect(metrics.log.status == .complete, "\(metrics.log.violations)")
    #expect(metrics.frames.drops.reduce(0, +) == metrics.frames.dropped)
    return metrics
  }

  // MARK: A block of 30 ms at vsync 10

  @Test(
    arguments: [
      (1, newest, [12]), (2, newest, [13]), (1, posted, [12]), (2, posted, [14]),
    ])
  func `a frame goes before a block of the same instant`(
    deadline: Int, loop: MainLoop, dropped: [Int]
  ) {
    let metrics = Self.run(
      draw: 10, Pipeline(deadline: deadline), vsyncs: 30, item: 30, at: [Self.refresh.vsync(10)],
      loop)
    #expect(PipelineAnswersTests.dropped(metrics) == dropped)
    #expect(metrics["drops_logic"] == 1, "what ran while the frame waited, not drawing")
  }

  @Test func `the waiting frame belongs to the newest vsync, or to the one that posted it`() {
    for (loop, vsync) in [(Self.newest, 12), (Self.posted, 11)] {
      let log = Self.run(draw: 10, vsyncs: 30, item: 30, at: [Self.refresh.vsync(10)], loop).log
      #expect(log.frames.records[11].begin == .zero + .nanoseconds(206_666_666))
      #expect(log.frames.records[11].beginVsync == vsync)
    }
  }

  @Test func `behind a second stage the same block drops one vsync`() {
    let metrics = Self.run(
      draw: 10, Pipeline(deadline: 2, compositor: Self.compositor), vsyncs: 30, item: 30,
      at: [Self.refresh.vsync(10)])
    #expect(PipelineAnswersTests.dropped(metrics) == [13])
  }

  @Test func `waiting to begin is charged to what ran`() throws {
    let log = Self.run(
      draw: 10, Pipeline(), vsyncs: 30, item: 30, at: [Self.refresh.vsync(10)], Self.posted
    ).log
    let frame = log.frames.records[11]
    #expect(frame.spans[.render] == .ms(10))
    // From vsync 11 to 206.67 ms, of which the block ran all the time.
    #expect(frame.spans[.logic] == .nanoseconds(206_666_666 - 183_333_333))
    #expect(frame.spans[.wakeup] == .zero)
  }

  // MARK: Steady loads

  @Test(arguments: [(1, 1, 300), (1, 2, 100), (2, 2, 99)])
  func `drawing for more than a period`(deadline: Int, buffers: Int, dropped: Int) {
    let metrics = Self.run(
      draw: 20, Pipeline(deadline: deadline, buffers: buffers), vsyncs: 600)
    #expect(metrics.frames.dropped == dropped)
  }

  private static let tenths = (1...5).map { refresh.vsync(10 * $0) + .milliseconds(5) }

  @Test func `an item between two frames lets the next one wait, and drops none`() {
    #expect(Self.run(draw: 4, vsyncs: 60, item: 13, at: Self.tenths).frames.dropped == 0)
  }

  @Test func `items of 30 ms before a second stage drop one vsync each`() {
    let metrics = Self.run(
      draw: 4, Pipeline(deadline: 2, compositor: Self.compositor), vsyncs: 60, item: 30,
      at: Self.tenths)
    #expect(metrics.frames.dropped == 5 && metrics["deadline_missed_frames"] == 0)
    #expect(metrics["drops_logic"] == 5)
  }

  private static let fifteenths = (0..<40).map { refresh.vsync(15 * $0) + .milliseconds(12) }

  @Test(
    arguments: [
      (1, 1, newest, 40), (1, 2, newest, 40), (2, 2, newest, 40), (3, 3, newest, 40),
      (1, 1, posted, 40), (1, 2, posted, 1), (2, 2, posted, 0),
    ])
  func `a late frame is followed by one that catches up where frames keep their vsync`(
    deadline: Int, buffers: Int, loop: MainLoop, dropped: Int
  ) {
    let metrics = Self.run(
      draw: 5, Pipeline(deadline: deadline, buffers: buffers), vsyncs: 600, item: 28,
      at: Self.fifteenths, loop)
    #expect(metrics.frames.dropped == dropped)
  }

  // MARK: On demand

  private static func asked(_ milliseconds: Double...) -> FrameDemand {
    .onDemand(at: milliseconds.map { .ms($0) })
  }

  @Test(arguments: [(1, [7, 8]), (2, [8, 9])])
  func `a request that an item keeps waiting`(deadline: Int, dropped: [Int]) {
    let metrics = Self.run(
      draw: 4, Pipeline(deadline: deadline), vsyncs: 30, item: 40, at: [.zero + .ms(98)],
      frames: Self.asked(99))
    #expect(PipelineAnswersTests.dropped(metrics) == dropped)
    #expect(metrics.log.frames.records[0].begin == .zero + .ms(138))
    #expect(metrics.log.frames.records[0].beginVsync == 8)
    #expect(metrics["deadline_missed_frames"] == 0)
  }

  @Test(arguments: [(1, [7]), (2, [])])
  func `a request for a frame that draws for more than a period`(deadline: Int, dropped: [Int]) {
    let metrics = Self.run(
      draw: 20, Pipeline(deadline: deadline), vsyncs: 30, frames: Self.asked(99))
    #expect(PipelineAnswersTests.dropped(metrics) == dropped)
    #expect(metrics.frames.presented == 1)
  }

  @Test func `a request each second wants as many frames, and nothing between`() {
    let requests = (1..<10).map { TimeSpan.milliseconds(Int64($0) * 1000) }
    let metrics = Self.run(draw: 4, vsyncs: 600, frames: .onDemand(at: requests))
    #expect(metrics.frames.expected == 9 && metrics.frames.dropped == 0)
    #expect(metrics["main_cpu_ms"] == 36)
    #expect(metrics["average_fps"] == nil && metrics["low_1pct_fps"] == nil)
    #expect(metrics["vsync_age_ms_p50"] == nil)
  }

  @Test func `a workload that draws requests a frame when its items arrive`() {
    var scenario = Scenario.files(
      .at([.milliseconds(99)]), render: .milliseconds(4), duration: .seconds(1))
    scenario.display.mainLoop = Self.newest
    scenario.display.frames = .onDemand(at: [])
    for draws in [false, true] {
      scenario.workloads[0].draws = draws
      let log = scenario.run(.onMain(scenario), detail: .frames)
      // The item's result, at 101.6 ms, asks for the next one.
      #expect(log.frames.records.map(\.beginVsync) == (draws ? [6, 7] : [7]))
    }
  }

  @Test func `a workload whose results are not shown requests no frame, on any lane`() {
    var scenario = Scenario.files(
      .at([.milliseconds(99)]), render: .milliseconds(4), duration: .seconds(1))
    scenario.display.mainLoop = Self.newest
    scenario.display.frames = .onDemand(at: [.milliseconds(500)])
    scenario.workloads[0].shows = false
    for arrangement in [Arrangement.onMain(scenario), scenario.inBackground()] {
      let log = scenario.run(arrangement, detail: .frames)
      #expect(log.frames.records.map(\.beginVsync) == [30])
      #expect(log.items[0].completions.count == 1)
    }
  }

  @Test func `a frame that begins more than a period behind its vsync is counted`() {
    // The block ends at 206.67 ms: the frame of vsync 11 begins 23.3 ms behind it, that of vsync 12 6.7 ms.
    for (loop, late) in [(Self.posted, 1), (Self.newest, 0)] {
      let metrics = Self.run(draw: 10, vsyncs: 30, item: 30, at: [Self.refresh.vsync(10)], loop)
      #expect(metrics["late_begins"] == Double(late))
    }
  }

  // MARK: Items and their end

  /// 24 calls of 2.7 ms in one task, each 15 vsyncs.
  private static func tasks(_ yielding: Yielding?) -> RunMetrics {
    let steps = (0..<24).map {
      Step(name: "call \($0)", service: 0, load: .cpu(.constant(.tenths(ofMilliseconds: 27))))
    }
    var scenario = Scenario.files(
      .batch(1, every: .milliseconds(250), start: .milliseconds(12)), render: .milliseconds(5),
      duration: .seconds(10))
    scenario.display.mainLoop = Self.posted
    scenario.workloads[0].steps = steps
    var arrangement = Arrangement.onMain(scenario)
    arrangement.yielding = yielding
    let metrics = RunMetrics(scenario.run(arrangement))
    #expect(metrics.log.status == .complete, "\(metrics.log.violations)")
    return metrics
  }

  @Test func `a task is one item that runs to its end`() {
    // 64.8 ms keep at least three vsyncs from a frame, 40 times.
    #expect(Self.tasks(nil).frames.dropped >= 100)
  }

  @Test func `a task that yields in turn lets frames run, one that resumes first does not`() {
    let whole = Self.tasks(nil).frames.dropped
    #expect(Self.tasks(Yielding(.step, resumes: .inTurn)).frames.dropped == 0)
    #expect(Self.tasks(Yielding(.after(.milliseconds(5)))).frames.dropped == 0)
    #expect(Self.tasks(Yielding(.step, resumes: .first)).frames.dropped == whole)
  }

  @Test func `items that yield are completed`() {
    let metrics = Self.tasks(Yielding(.step))
    #expect(metrics.items.done == 40 && metrics.items.orderViolations == 0)
  }

  @Test func `every item has a time until its result is seen`() {
    let metrics = Self.run(draw: 4, vsyncs: 60, item: 13, at: Self.tenths)
    #expect(metrics["response_ms_p50"] == nil, "no user waits")
    // Ends at + 18 ms; the frame of the vsync before, which waited, shows it at the second vsync.
    #expect(abs((metrics["content_ms_max"] ?? 0) - (33.333 - 5)) < 0.001)
  }

  // MARK: Timers

  /// A task of 40 ms from vsync 10 (166.67 ms) on; a timer is due 5 ms later, and 3 ms of work are posted 20 ms later.
  @Test(arguments: [(false, [206.667, 209.667, 212.667]), (true, [206.667, 212.667, 209.667])])
  func `a timer that is due during a task runs after what was posted meanwhile`(
    isTimer: Bool, done: [Double]
  ) {
    let begin = Self.refresh.vsync(10).sinceZero
    let works = [(TimeSpan.zero, TimeSpan.ms(40)), (.ms(5), .ms(3)), (.ms(20), .ms(3))]
    var scenario = Scenario(
      name: "timer",
      display: Display(
        refresh: Self.refresh, frames: .onDemand(at: []),
        mainLoop: .events(MainLoop.Events(order: .fifo))),
      duration: .seconds(1), services: [Service(name: "app")],
      workloads: works.enumerated().map { place, work in
        Workload(
          name: "work-\(place)", arrival: .at([begin + work.0]),
          steps: [Step(name: "step", service: 0, load: .cpu(.constant(work.1)))])
      })
    scenario.workloads[1].isTimer = isTimer
    let plan = RunPlan(scenario, under: Strategy(name: "test", arrangement: .onMain(scenario)))
    let log = VirtualEngine(costs: .none).run(plan)
    #expect(log.items.map { (Double($0.completions[0]) / 1000).rounded() / 1000 } == done)
    #expect(log.items[1].arrivals[0] == (begin + .ms(5)).nanoseconds)
  }
}
