import FrameBudget
import Testing

/// Metrics of platforms, calculated by hand. Vsyncs are 10 ms apart unless stated otherwise.
struct PlatformMetricsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: RunMetrics
    let values: [String: Double?]

    init(_ name: String, _ run: RunMetrics, _ values: [String: Double?]) {
      (testDescription, self.run, self.values) = (name, run, values)
    }
  }

  /// Frames of these lengths of work, one after the other, without a second stage.
  private static func frames(_ lengths: [Double], end: Double) -> RunMetrics {
    var run = TestRun(duration: .ms(end))
    _ = run.frames(lengths)
    return RunMetrics(run.finish())
  }

  /// Frames that are due two vsyncs after their own, with two buffers and a second stage.
  private enum Event {
    case begin(Int)
    case end(Double)
    case ready(Double)
  }

  private static func staged(
    _ events: [Event], rate: RefreshRate = RefreshRate(100), end: Double
  ) -> RunMetrics {
    var run = TestRun(rate: rate, duration: .ms(end))
    let pipeline = Pipeline(deadline: 2, buffers: 2, compositor: .constant(.ms(1)))
    run.frames = FrameLedger(
      refresh: rate, pipeline: pipeline, duration: .ms(end), detail: .summary, hasRealClock: false)
    for event in events {
      switch event {
      case .begin(let vsync): run.frames.begin(vsync: vsync, wokeAt: rate.vsync(vsync))
      case .end(let time): run.frames.end(at: .ms(time))
      case .ready(let time): run.frames.ready(at: .ms(time))
      }
    }
    return RunMetrics(run.finish())
  }

  /// Inputs of a run that ends at `end`: when the user acted, when the handlers began and ended, and when the picture behind
  /// them was shown, in milliseconds; nil for one without a result. Those with the same picture are adjacent.
  private static func inputs(
    _ inputs: [(at: Double, begin: Double?, end: Double?, shown: Double?)], end: Double
  ) -> RunMetrics {
    var workload = Workload.at(inputs.map(\.at))
    workload.isInput = true
    var run = TestRun([workload], duration: .ms(end))
    run.arriveAll()
    for (item, input) in inputs.enumerated() {
      if let begin = input.begin { run.items.handlersBegan(0, item, at: .ms(begin)) }
      if let end = input.end { run.items.handlersEnded(0, item, at: .ms(end)) }
      // Later stays on the main thread are not the handlers'.
      run.items.handlersBegan(0, item, at: .ms(end))
      if let end = input.end { run.items.handlersEnded(0, item, at: .ms(end + 1)) }
      let isLast = item + 1 == inputs.count || inputs[item + 1].shown != input.shown
      if isLast, let shown = input.shown { run.items.frameShown(at: .ms(shown)) }
    }
    return RunMetrics(run.finish())
  }

  private static func parts(
    _ count: Int, _ inp: Double, _ delay: Double, _ processing: Double, _ presentation: Double,
    isOpen: Bool = false
  ) -> [String: Double?] {
    [
      "interactions": Double(count), "inp_ms": inp, "inp_input_delay_ms": delay,
      "inp_processing_ms": processing, "inp_presentation_ms": presentation,
      "inp_ms_is_bound": isOpen ? 1 : 0,
    ]
  }

  static let interactions = [
    Case(
      "27 ms to the picture, in steps of 8 ms",
      inputs([(3, 10, 22, 30)], end: 100), parts(1, 24, 7, 12, 5)),
    Case(
      "two inputs whose effects the same picture shows",
      inputs([(0, 5, 15, 40), (8, 15, 35, 40)], end: 100), parts(2, 40, 5, 30, 5)),
    Case(
      "the later of two that take as long, which waited for the handlers of the other",
      inputs([(0, 4, 8, 20), (0, 8, 12, 20)], end: 100), parts(2, 24, 4, 8, 12)),
    Case(
      "50 inputs, of which the longest is left out",
      inputs(
        [(0, 2, 52, 90), (100, 105, 135, 150)]
          + (2..<50).map { number in
            let at = 100 * Double(number)
            return (at, at, at + 4, at + 10)
          }, end: 5000), parts(50, 48, 5, 30, 13)),
    Case(
      "49 inputs, of which none is left out",
      inputs(
        [(0, 2, 52, 90)]
          + (1..<49).map { number in
            let at = 100 * Double(number)
            return (at, at, at + 4, at + 10)
          }, end: 5000), parts(49, 88, 2, 50, 36)),
    Case(
      "handlers that the end of the run cuts off",
      inputs([(10, 20, nil, nil)], end: 100), parts(1, 88, 10, 78, 0, isOpen: true)),
    Case(
      "an input that was not handled by the end",
      inputs([(60, nil, nil, nil)], end: 100), parts(1, 40, 40, 0, 0, isOpen: true)),
    Case(
      "a picture that comes behind the end of the run",
      inputs([(0, 4, 8, 10), (80, 84, 94, 110)], end: 100), parts(2, 24, 4, 10, 10, isOpen: true)),
  ]

  private static let withoutStage: [String: Double?] = [
    "raster_ms_avg": nil, "raster_ms_p90": nil, "raster_ms_p99": nil, "raster_ms_max": nil,
    "raster_over_budget_frames": nil,
  ]

  static let cases = [
    Case(
      "four frames of which two are late, one by a nanosecond",
      frames([5, 25, 10, 10.000001], end: 75),
      // -5, 15, 0, 0.000001 past the deadline; shown at vsyncs 1, 4, 5, 7.
      withoutStage.merging([
        "frame_overrun_ms_p50": 0.0000005, "frame_overrun_ms_p90": 10.5000003,
        "frame_overrun_ms_p95": 12.75000015, "frame_overrun_ms_p99": 14.55000003,
        "frame_cpu_ms_p50": 10.0000005, "frame_cpu_ms_p90": 20.5000003,
        "frame_cpu_ms_p95": 22.75000015, "frame_cpu_ms_p99": 24.55000003,
        "jankstats_frames": 1, "slow_frames_pct": 50, "frozen_frames_pct": 0,
        "hangs_micro": 0, "hangs_full": 0, "hangs_severe": 0,
        "long_tasks": 0, "total_blocking_ms": 0,
        "build_ms_avg": 12.50000025, "build_ms_p90": 20.5000003, "build_ms_p99": 24.55000003,
        "build_ms_max": 25, "build_over_budget_frames": 1,
        "low_0_1pct_fps": 1 / 0.03, "low_1pct_fps": 1 / 0.03,
        // Three of seven vsyncs have nothing new: 30 of 75 ms, and four images.
        "hitch_ratio_ms_per_s": 400, "average_fps": 4 / 0.075,
        // Images 10, 30, 10, 20 ms apart show moments 10, 10, 30, 10 ms apart.
        "animation_error_ms_avg": 12.5, "animation_error_ms_p99": 20,
        "animation_error_ms_max": 20,
      ]) { $1 }),
    Case(
      "one frame in half its time", frames([5], end: 10),
      [
        "frame_overrun_ms_p50": -5, "frame_overrun_ms_p90": -5, "frame_overrun_ms_p95": -5,
        "frame_overrun_ms_p99": -5, "frame_cpu_ms_p50": 5, "frame_cpu_ms_p90": 5,
        "frame_cpu_ms_p95": 5, "frame_cpu_ms_p99": 5, "jankstats_frames": 0, "slow_frames_pct": 0,
        "frozen_frames_pct": 0, "hangs_micro": 0, "hangs_full": 0, "hangs_severe": 0,
        "long_tasks": 0, "total_blocking_ms": 0, "build_ms_avg": 5, "build_ms_p90": 5,
        "build_ms_p99": 5, "build_ms_max": 5, "build_over_budget_frames": 0,
        "low_0_1pct_fps": 100, "low_1pct_fps": 100, "hitch_ratio_ms_per_s": 0, "average_fps": 100,
        "animation_error_ms_avg": 0, "animation_error_ms_p99": 0,
        "animation_error_ms_max": 0,
      ]),
    Case(
      "hangs at each threshold and a nanosecond beyond it",
      frames([250, 250.000001, 500, 500.000001, 2000, 2000.000001], end: 5530),
      [
        "hang_count": 5, "hangs_micro": 2, "hangs_full": 2, "hangs_severe": 1,
        "jankstats_frames": 6, "slow_frames_pct": 100, "frozen_frames_pct": 100.0 / 3,
        "long_tasks": 6, "total_blocking_ms": 5200.000003,
        "frame_overrun_ms_p50": 490.0000005, "frame_overrun_ms_p90": 1990.0000005,
        "frame_overrun_ms_p95": 1990.00000075, "frame_overrun_ms_p99": 1990.00000095,
        "frame_cpu_ms_p50": 500.0000005, "frame_cpu_ms_p90": 2000.0000005,
        "frame_cpu_ms_p95": 2000.00000075, "frame_cpu_ms_p99": 2000.00000095,
        "build_ms_avg": 5500.000003 / 6, "build_ms_p90": 2000.0000005,
        "build_ms_p99": 2000.00000095, "build_ms_max": 2000.000001, "build_over_budget_frames": 6,
        "low_0_1pct_fps": 1 / 2.01, "low_1pct_fps": 1 / 2.01,
        // Six images at 553 vsyncs.
        "hitch_ratio_ms_per_s": 5470 / 5.53, "average_fps": 6 / 5.53,
        // Images 250, 260, 500, 510, 2000, 2010 ms apart; moments 10, 250, 260, 500, 510, 2000.
        "animation_error_ms_avg": 2000.0 / 6, "animation_error_ms_p99": 1427.5,
        "animation_error_ms_max": 1490,
      ]),
    Case(
      "a long task, a shorter one and a frozen frame", frames([60, 40, 760], end: 860),
      [
        "frame_overrun_ms_p50": 50, "frame_overrun_ms_p90": 610, "frame_overrun_ms_p95": 680,
        "frame_overrun_ms_p99": 736, "frame_cpu_ms_p50": 60, "frame_cpu_ms_p90": 620,
        "frame_cpu_ms_p95": 690, "frame_cpu_ms_p99": 746, "jankstats_frames": 3,
        "slow_frames_pct": 100, "frozen_frames_pct": 100.0 / 3, "hangs_micro": 0, "hangs_full": 1,
        "hangs_severe": 0, "long_tasks": 2, "total_blocking_ms": 720,
        "build_ms_avg": 860.0 / 3, "build_ms_p90": 620, "build_ms_p99": 746, "build_ms_max": 760,
        "build_over_budget_frames": 3, "low_0_1pct_fps": 1 / 0.76, "low_1pct_fps": 1 / 0.76,
        // Three images at 86 vsyncs.
        "hitch_ratio_ms_per_s": 830 / 0.86, "average_fps": 3 / 0.86,
        "animation_error_ms_avg": 790.0 / 3, "animation_error_ms_p99": 706.6,
        "animation_error_ms_max": 720,
      ]),
    Case(
      "a second stage that keeps the third frame waiting",
      staged(
        [
          .begin(0), .end(8), .begin(1), .ready(15), .end(28), .begin(3), .end(34), .ready(45),
          .begin(5), .ready(60), .end(70), .ready(71),
        ], end: 75),
      [
        // -5, 15, 10, 1 past vsyncs 2, 3, 5, 7.
        "frame_overrun_ms_p50": 5.5, "frame_overrun_ms_p90": 13.5, "frame_overrun_ms_p95": 14.25,
        "frame_overrun_ms_p99": 14.85, "deadline_missed_frames": 3,
        "frame_cpu_ms_p50": 25.5, "frame_cpu_ms_p90": 33.5, "frame_cpu_ms_p95": 34.25,
        "frame_cpu_ms_p99": 34.85,
        "jankstats_frames": 0, "slow_frames_pct": 50, "frozen_frames_pct": 0,
        "build_ms_avg": 12.5, "build_ms_p90": 19.4, "build_ms_p99": 19.94, "build_ms_max": 20,
        "build_over_budget_frames": 2,
        "raster_ms_avg": 10, "raster_ms_p90": 16.4, "raster_ms_p99": 16.94, "raster_ms_max": 17,
        "raster_over_budget_frames": 1,
        "low_0_1pct_fps": 1 / 0.03, "animation_error_ms_avg": 10, "animation_error_ms_p99": 19.8,
        "animation_error_ms_max": 20,
      ]),
    Case(
      "a second frame that the end of the run cuts off in the second stage",
      staged([.begin(0), .end(10), .begin(1), .end(20), .ready(27)], end: 35),
      [
        // 27 past 20, and not ready by 35, past 30.
        "frame_overrun_ms_p50": 6, "frame_overrun_ms_p90": 6.8, "frame_overrun_ms_p95": 6.9,
        "frame_overrun_ms_p99": 6.98, "frame_cpu_ms_p50": 26, "frame_cpu_ms_p90": 26.8,
        "frame_cpu_ms_p95": 26.9, "frame_cpu_ms_p99": 26.98, "build_ms_avg": 10,
        "build_ms_p90": 10, "build_ms_p99": 10, "build_ms_max": 10, "build_over_budget_frames": 0,
        "raster_ms_avg": 12.5, "raster_ms_p90": 16.1, "raster_ms_p99": 16.91, "raster_ms_max": 17,
        "raster_over_budget_frames": 1, "animation_error_ms_avg": 10,
        "animation_error_ms_p99": 10, "animation_error_ms_max": 10,
      ]),
    Case(
      "a frame that nothing shows by the end",
      staged([.begin(0), .end(5), .ready(9)], end: 10),
      [
        "frame_overrun_ms_p50": -11, "frame_overrun_ms_p99": -11, "frame_cpu_ms_p99": 9,
        "build_ms_max": 5, "raster_ms_avg": 4, "raster_ms_p90": 4, "raster_ms_p99": 4,
        "raster_ms_max": 4, "raster_over_budget_frames": 0, "low_0_1pct_fps": nil,
        "animation_error_ms_avg": nil, "animation_error_ms_p99": nil,
        "animation_error_ms_max": nil,
      ]),
    Case(
      "each stage a nanosecond beyond its budget, vsyncs 50 ms apart",
      staged(
        [.begin(0), .end(16.000001), .ready(32.000002)], rate: RefreshRate(20), end: 50),
      [
        "frame_overrun_ms_p50": -67.999998, "frame_cpu_ms_p50": 32.000002,
        "slow_frames_pct": 0, "build_ms_avg": 16.000001, "build_over_budget_frames": 1,
        "raster_ms_avg": 16.000001, "raster_ms_p90": 16.000001, "raster_ms_p99": 16.000001,
        "raster_ms_max": 16.000001, "raster_over_budget_frames": 1,
      ]),
  ]

  @Test(arguments: cases + interactions) func `metrics match calculations by hand`(_ example: Case)
    throws
  {
    for (name, value) in example.values {
      let metric = try #require(MetricCatalog.metric(name), "\(name)")
      guard let value else {
        #expect(example.run[metric] == nil, "\(name)")
        continue
      }
      let found = try #require(example.run[metric], "\(name)")
      #expect(abs(found - value) < 1e-9 * max(1, abs(value)), "\(name): \(found), not \(value)")
    }
  }

  @Test func `each metric of a platform matches four calculations by hand`() {
    let names = PlatformMetric.all.map(\.metric.name) + [Metric.bound(of: Metric.inp.name)]
    for name in names {
      let answers = (Self.cases + Self.interactions).count { $0.values[name] != nil }
      #expect(answers >= 4, "\(name): \(answers)")
    }
  }

  @Test func `the 0.1 % low needs a tenth of the time that the 1 % low needs`() {
    // 999 intervals of 10 ms and one of 20: more than 0.1 % of 10 010 ms, less than 1 %.
    let run = Self.frames(Array(repeating: 5, count: 999) + [15], end: 10_010)
    #expect(run["low_0_1pct_fps"] == 50 && run["low_1pct_fps"] == 100)
  }

  @Test func `a late begin counts for a deadline, not for what the frame took`() {
    var run = TestRun(duration: .ms(10), realClock: true)
    _ = run.frames([12], late: 4)
    let metrics = RunMetrics(run.finish(at: .ms(15)))
    #expect(metrics["frame_overrun_ms_p50"] == 2 && metrics["frame_ms_max"] == 12)
    #expect(metrics["frame_cpu_ms_p50"] == 8 && metrics["build_ms_max"] == 8)
  }

  @Test func `in an event loop, long turns of the queue are long tasks too`() {
    var run = TestRun(duration: .ms(200))
    run.frames = FrameLedger(
      Display(refresh: run.rate, mainLoop: .events(MainLoop.Events())), duration: .ms(200),
      detail: .summary, hasRealClock: false)
    run.frames.eventEnded(from: .zero, to: .ms(50))
    run.frames.eventEnded(from: .ms(50), to: .ms(121))
    let metrics = RunMetrics(run.finish())
    #expect(metrics["long_tasks"] == 1 && metrics["total_blocking_ms"] == 21)
  }

  @Test func `a frame exactly on its deadline is on time, and good`() {
    let bands = Bands.deadline
    #expect([-3, 0, 0.000001].map { bands.band(of: $0) } == [.good, .good, .poor])
    #expect("\(bands)" == "good up to 0, else poor")
    #expect("\(Bands.hitches)" == "good below 5, fair below 10, else poor")
  }
}
