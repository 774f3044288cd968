import FrameBudget
import FrameBudgetSimulation
import Testing

/// Results of a pipeline of several frames, calculated by hand: 60 Hz, a `frame` loop, no costs except the work itself.
@Suite struct PipelineAnswersTests {
  private static let refresh = RefreshRate(60)

  /// A run on the main thread, with two cores and the arrivals of one item of `item` each.
  static func run(
    draw: Double, _ pipeline: Pipeline, vsyncs: Int, item: Double = 0, at arrivals: [Instant] = [],
    cores: Int = 2, frames: FrameDemand = .always, loop: MainLoop = .frame
  ) -> RunMetrics {
    let step = Step(name: "item", service: 0, load: .cpu(.constant(.ms(item))))
    let scenario = Scenario(
      name: "pipeline",
      display: Display(
        refresh: refresh, render: .constant(.ms(draw)), pipeline: pipeline, frames: frames,
        mainLoop: loop),
      duration: refresh.vsync(vsyncs).sinceZero, machine: Machine(cores: cores),
      services: [Service(name: "app")],
      workloads: [
        Workload(name: "item", arrival: .at(arrivals.map(\.sinceZero)), steps: [step])
      ])
    return RunMetrics(scenario.run(.onMain(scenario), detail: .frames))
  }

  static func dropped(_ metrics: RunMetrics) -> [Int] {
    metrics.log.frames.records.flatMap(\.droppedVsyncs)
  }

  private static let compositor = DurationDistribution.constant(.ms(12))

  @Test(
    arguments: [
      (Pipeline(), [11, 12]), (Pipeline(deadline: 2), [12, 14]),
      (Pipeline(deadline: 2, compositor: compositor), [12, 13]),
    ])
  func `a block of 30 ms at a vsync`(pipeline: Pipeline, dropped: [Int]) {
    let metrics = Self.run(
      draw: 10, pipeline, vsyncs: 30, item: 30, at: [Self.refresh.vsync(10)])
    #expect(metrics.log.status == .complete, "\(metrics.log.violations)")
    #expect(Self.dropped(metrics) == dropped)
    #expect(metrics["drops_logic"] == Double(dropped.count))
  }

  /// Drawing, compositor, deadline, buffers, vsyncs, dropped.
  static let steady: [(Double, Double, Int, Int, Int, Int)] = [
    (10, 12, 1, 1, 60, 30), (10, 12, 2, 2, 60, 0), (10, 12, 1, 2, 60, 1), (4, 13, 1, 1, 60, 30),
    (4, 12, 1, 1, 60, 0), (4, 13, 1, 2, 60, 1), (10, 18, 1, 1, 600, 300), (10, 18, 2, 2, 600, 75),
    (10, 18, 2, 3, 600, 44), (10, 18, 3, 3, 600, 43), (10, 18, 3, 4, 600, 43),
    (10, 18, 4, 4, 600, 42), (20, 0, 1, 1, 600, 300), (20, 0, 2, 2, 600, 299),
  ]

  @Test func `a GPU takes no core from the main thread`() {
    let onThread = Pipeline(deadline: 2, compositor: .constant(.ms(8)))
    var onGPU = onThread
    onGPU.usesGPU = true
    // 18 ms of work a period on one core, or 10 ms beside a device.
    #expect(Self.run(draw: 10, onThread, vsyncs: 60, cores: 1)["dropped_frames"] ?? 0 > 0)
    let metrics = Self.run(draw: 10, onGPU, vsyncs: 60, cores: 1)
    #expect(metrics["dropped_frames"] == 0 && metrics.log.status == .complete)
    #expect(metrics["background_cpu_ms"] == 0)
    let shown = metrics.log.frames.records.filter { $0.presentVsync <= 60 }
    #expect(shown.count > 50 && shown.allSatisfy { $0.ready - $0.begin == .ms(18) })
  }

  @Test(arguments: steady) func `a GPU drops as many as a second stage with a core of its own`(
    draw: Double, gpu: Double, deadline: Int, buffers: Int, vsyncs: Int, dropped: Int
  ) {
    let pipeline = Pipeline(
      deadline: deadline, buffers: buffers, compositor: .constant(.ms(gpu)), usesGPU: gpu > 0)
    let metrics = Self.run(draw: draw, pipeline, vsyncs: vsyncs, cores: 1)
    #expect(metrics["dropped_frames"] == Double(dropped))
  }

  @Test func `a frame that has not begun by the end has no length`() {
    // From 5 ms to the end, behind a frame of 4 ms and 3 ms.
    let metrics = Self.run(
      draw: 4, Pipeline(compositor: .constant(.ms(3))), vsyncs: 30, item: 900, at: [.zero + .ms(5)],
      loop: .events(MainLoop.Events()))
    #expect(metrics["build_ms_avg"] == 4 && metrics["raster_ms_avg"] == 3)
    #expect(metrics["frame_cpu_ms_p50"] == 7 && metrics["late_begins"] == 1)
  }

  @Test(arguments: steady) func `a steady load drops as many as can be worked out`(
    draw: Double, compositor: Double, deadline: Int, buffers: Int, vsyncs: Int, dropped: Int
  ) {
    let pipeline = Pipeline(
      deadline: deadline, buffers: buffers, compositor: .constant(.ms(compositor)))
    let metrics = Self.run(draw: draw, pipeline, vsyncs: vsyncs)
    #expect(metrics.log.status == .complete, "\(metrics.log.violations)")
    #expect(metrics.frames.dropped == dropped)
    #expect(metrics.frames.expected == vsyncs - deadline + 1)
    #expect(metrics.frames.drops.reduce(0, +) == dropped)
  }

  @Test func `a deadline of two periods shows each frame after two`() {
    let metrics = Self.run(draw: 10, Pipeline(deadline: 2, compositor: Self.compositor), vsyncs: 60)
    #expect(abs((metrics["present_ms_p50"] ?? 0) - 33.333) < 0.001)
    #expect(metrics["deadline_missed_frames"] == 0 && metrics["stuffed_frames"] == 0)
  }

  @Test func `with one period and two buffers all frames miss their deadline and one is dropped`() {
    let metrics = Self.run(
      draw: 10, Pipeline(deadline: 1, buffers: 2, compositor: Self.compositor), vsyncs: 60)
    #expect(metrics["deadline_missed_frames"] == 60 && metrics.frames.dropped == 1)
  }

  /// 5 ms after each tenth vsync.
  private static let tenths = (1...5).map { refresh.vsync(10 * $0) + .milliseconds(5) }

  @Test(arguments: [(11.0, 0), (13, 5)])
  func `an item waits for the next frame, and either fits into it or not`(
    item: Double, dropped: Int
  ) {
    let metrics = Self.run(draw: 4, Pipeline(), vsyncs: 60, item: item, at: Self.tenths)
    #expect(metrics.frames.dropped == dropped)
  }

  @Test func `items of 30 ms before a second stage drop two vsyncs each`() {
    let metrics = Self.run(
      draw: 4, Pipeline(deadline: 2, compositor: Self.compositor), vsyncs: 60, item: 30,
      at: Self.tenths)
    #expect(metrics.frames.dropped == 10 && metrics["deadline_missed_frames"] == 5)
    #expect(metrics["drops_logic"] == 10)
  }

  @Test func `the second stage competes for a core`() {
    let pipeline = Pipeline(deadline: 2, compositor: Self.compositor)
    let alone = Self.run(draw: 10, pipeline, vsyncs: 60, cores: 1)
    #expect(alone.log.status == .complete, "\(alone.log.violations)")
    #expect(alone.frames.dropped > 0, "22 ms of work in each period of one core")
    #expect(alone.log.totals.threads.map(\.name) == ["main", "compositor"])
  }

  @Test func `a response is shown with its frame, behind the second stage`() throws {
    var scenario = Scenario.files(
      .at([.milliseconds(100)]), render: .milliseconds(4), duration: .seconds(1), cores: 2)
    scenario.workloads[0].respondWithin = .milliseconds(100)
    scenario.display.pipeline = Pipeline(deadline: 3, compositor: Self.compositor)
    let metrics = RunMetrics(scenario.run(.onMain(scenario)))
    #expect(metrics["response_ms_max"] == 50, "from vsync 6 to vsync 9")
  }
}

extension TimeSpan {
  static func ms(_ value: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64((value * 1e6).rounded()))
  }
}
