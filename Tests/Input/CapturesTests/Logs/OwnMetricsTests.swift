import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import FrameBudgetReports
import FrameBudgetScenarios
import FrameBudgetSimulation
import TestSupport
import Testing

/// Frames and traces that a run wrote and `import` reads: every metric of both has the same value.
struct OwnMetricsTests {
  /// The data of `import` about a run's own frames.
  static let known = [
    "expected_frames", "presented_frames", "dropped_frames", "dropped_frames_pct", "drops_wakeup",
    "drops_lock", "drops_logic", "drops_drain", "drops_post", "drops_reads", "drops_render",
    "over_budget_frames", "frozen_frames", "hitch_count", "hitch_total_ms", "hitch_max_ms",
    "hitch_ratio_ms_per_s", "hang_count", "hang_total_ms", "longest_gap_vsyncs", "frame_ms_p50",
    "frame_ms_p90", "frame_ms_p95", "frame_ms_p99", "frame_ms_p999", "frame_ms_max",
    "worst_second_dropped_pct", "average_fps", "low_1pct_fps", "drops_compositor", "drops_stuffed",
    "present_ms_p50", "present_ms_p99", "present_ms_max", "deadline_missed_frames",
    "stuffed_frames", "late_begins", "frame_overrun_ms_p50", "frame_overrun_ms_p90",
    "frame_overrun_ms_p95", "frame_overrun_ms_p99", "frame_cpu_ms_p50", "frame_cpu_ms_p90",
    "frame_cpu_ms_p95", "frame_cpu_ms_p99", "jankstats_frames", "slow_frames_pct",
    "frozen_frames_pct", "hangs_micro", "hangs_full", "hangs_severe", "build_ms_avg",
    "build_ms_p90", "build_ms_p99", "build_ms_max", "build_over_budget_frames", "raster_ms_avg",
    "raster_ms_p90", "raster_ms_p99", "raster_ms_max", "raster_over_budget_frames",
    "low_0_1pct_fps", "animation_error_ms_avg", "animation_error_ms_p99",
    "animation_error_ms_max",
  ]

  static func expectSame(_ row: ReportRow, _ name: String) throws {
    guard !row.log.frames.records.isEmpty else { return }
    try expectSame(row, FramesCSV.text([row]), "\(name), frames")
    if row.log.trace != nil { try expectSame(row, trace(of: row), "\(name), trace") }
  }

  static func trace(of row: ReportRow) -> String {
    var file = TraceFile()
    var text = TraceFile.head
    file.write(row) { text += $0 }
    return text + TraceFile.tail
  }

  private static func expectSame(_ row: ReportRow, _ text: String, _ name: String) throws {
    let imported = try ImportedLog(ByteSource(Array(text.utf8), name: "file"), refresh: nil)
    let stream = try #require(imported.streams.first)
    #expect(imported.streams.count == 1)
    #expect(stream.duration == row.log.duration, "\(name): duration")
    for metric in MetricCatalog.all where metric.unit != .none {
      let run = metric.value(row.metrics)
      if let found = stream.values[metric.name] {
        #expect(found.description == run?.description, "\(name): \(metric.name)")
      } else {
        #expect(run == nil || !known.contains(metric.name), "\(name): \(metric.name)")
      }
    }
  }

  /// Slow: writes and imports the frames of every shipped scenario twice, and a trace once.
  @Test(arguments: ShippedScenarios.all.map(\.name))
  func `a shipped scenario's frames give its metrics, under each strategy`(
    _ name: String
  ) throws {
    let shipped = try #require(ShippedScenarios.scenario(name))
    var scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    for strategy in scenario.strategies {
      let log = VirtualEngine(detail: .frames).run(RunPlan(scenario, under: strategy))
      try Self.expectSame(ReportRow(log, cores: 2), "\(name) \(strategy.label)")
    }
    scenario.duration = .nanoseconds(3_333_333_331)
    scenario.display.refresh = RefreshRate(60000, over: 1001)
    for strategy in scenario.strategies {
      let log = VirtualEngine(detail: .trace).run(RunPlan(scenario, under: strategy))
      try Self.expectSame(ReportRow(log, cores: 2), "\(name) \(strategy.label) at 59.94 Hz")
    }
  }

  /// Slow: writes and imports the frames and the trace of each run.
  @Test(arguments: Tries.importedRuns.parts)
  func `a random run's frames give its metrics`(seeds: Range<UInt64>) throws {
    for seed in seeds {
      var stream = RandomStream(seed: seed, name: "own frames")
      let log = try Self.run(&stream)
      try Self.expectSame(ReportRow(log, cores: 2), "seed \(seed)")
    }
  }

  /// A run whose length is not a multiple of a vsync; one of three ends inside a hang. One of four is long enough for
  /// the worst second to slide, and for a hang that ends.
  private static func run(_ stream: inout RandomStream) throws -> RunLog {
    let longest: UInt64 = stream.next() % 4 == 0 ? 3_000_000_000 : 500_000_000
    let duration = TimeSpan.nanoseconds(Int64(stream.next() % longest) + 1)
    let rates = [
      RefreshRate(60), RefreshRate(60000, over: 1001), RefreshRate(24000, over: 1001),
      RefreshRate(120), RefreshRate(90), RefreshRate(2_333_333, over: 1_000_000),
    ]
    let file = Step(
      name: "file", service: 0,
      load: .cpu(.exponential(mean: .microseconds(Int64(stream.next() % 12_000)))))
    var workloads = [
      Workload(
        name: "files",
        arrival: .batch(
          Int(stream.next() % 12) + 1, every: .milliseconds(Int64(stream.next() % 400) + 20),
          start: .zero), steps: [file])
    ]
    if stream.next() % 2 == 0 {
      let hang = Step(
        name: "hang", service: 0,
        load: .cpu(.constant(.milliseconds(Int64(stream.next() % 1200) + 200))))
      let start = duration - .nanoseconds(Int64(stream.next() % 400_000_000))
      workloads.append(
        Workload(name: "hang", arrival: .once(1, start: max(.zero, start)), steps: [hang]))
    }
    var scenario = Scenario(
      name: "own",
      display: Display(
        refresh: rates[Int(stream.next() % UInt64(rates.count))],
        render: .uniform(
          from: .zero, to: .microseconds(Int64(stream.next() % 24_000)))),
      duration: duration, services: [Service(name: "service")], workloads: workloads)
    if stream.next() % 2 == 0 { scenario.display.pipeline = pipeline(&stream) }
    let names = ["main-thread", "time-sliced", "schedulable", "threads-and-locks"]
    let name = names[Int(stream.next() % UInt64(names.count))]
    let plan = RunPlan(scenario, under: try StrategyCatalog.strategy(name, for: scenario))
    return VirtualEngine(detail: .trace).run(plan)
  }

  private static func pipeline(_ stream: inout RandomStream) -> Pipeline {
    let deadline = Int(stream.next() % 4) + 1
    let most = stream.next() % 2 * (stream.next() % 30_000)
    return Pipeline(
      deadline: deadline, buffers: deadline + Int(stream.next() % 3),
      compositor: .uniform(from: .zero, to: .microseconds(Int64(most))))
  }
}
