import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import FrameBudgetReports
import FrameBudgetSimulation
import Testing

struct OwnFramesTests {
  /// A scenario with hitches, a hang, and a frame that the end cuts off.
  static func log(
    _ strategy: String, detail: FrameLedger.Detail = .frames,
    duration: TimeSpan = .milliseconds(4321)
  ) throws -> RunLog {
    let step = Step(
      name: "step", service: 0, load: .cpu(.exponential(mean: .milliseconds(9))))
    let scenario = Scenario(
      name: "own, \"quoted\"",
      display: Display(
        refresh: RefreshRate(60000, over: 1001),
        render: .uniform(from: .milliseconds(2), to: .milliseconds(12))),
      duration: duration, services: [Service(name: "service")],
      workloads: [
        Workload(
          name: "burst", arrival: .batch(40, every: .seconds(1), start: .zero), steps: [step])
      ])
    let plan = RunPlan(scenario, under: try StrategyCatalog.strategy(strategy, for: scenario))
    return VirtualEngine(detail: detail).run(plan)
  }

  @Test(arguments: ["main-thread", "time-sliced", "schedulable"])
  func `our own frames give the metrics of their run`(_ strategy: String) throws {
    let row = ReportRow(try Self.log(strategy), cores: 2)
    let text = FramesCSV.text([row])
    let imported = try ImportedLog(
      ByteSource(Array(text.utf8), name: "frames.csv"), refresh: nil)
    let stream = try #require(imported.streams.first)
    #expect(imported.format == .frames)
    #expect(imported.streams.count == 1)
    for name in [
      "expected_frames", "presented_frames", "dropped_frames", "dropped_frames_pct",
      "over_budget_frames", "frozen_frames", "hitch_count", "hitch_total_ms", "hitch_max_ms",
      "longest_gap_vsyncs", "frame_ms_p50", "frame_ms_p99", "frame_ms_max",
      "worst_second_dropped_pct",
    ] {
      let expected = try #require(row.metrics[name])
      let found = try #require(stream.values[name]?.number, "\(name)")
      #expect(abs(found - expected) < 1e-6 * max(1, abs(expected)), "\(name)")
    }
  }
}
