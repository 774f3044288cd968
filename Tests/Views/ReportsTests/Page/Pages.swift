import FrameBudget
import FrameBudgetParsing

@testable import FrameBudgetReports

/// Pages of made-up results, and readers of their content.
enum Pages {
  static let frameHeader =
    (RunKey.allCases.map(\.name) + FrameColumn.first.map(\.name)).joined(separator: ",") + "\n"

  /// Four frames at 60 Hz; the third takes 40 ms, 30 of them business logic, and drops two.
  static let frames =
    frameHeader
    + [(0, 1, 0), (1, 2, 0), (2, 5, 2), (5, 6, 0)].enumerated().map { index, frame in
      let (begin, shown, late) = frame
      let due = RefreshRate(60).vsync(begin).nanoseconds
      let end = due + (late > 0 ? 40_000_000 : 8_000_000)
      return
        "1,scenario,schedulable,,,real,2,1,1,60,100,18,\(index),\(begin),\(shown),\(due),\(end),"
        + "\(late),\(late > 0 ? "logic" : ""),\(index),\(3 - index),"
        + (late > 0 ? "0,30,0,0,0,10,0,0\n" : "0,0,0,0,0,8,0,0\n")
    }.joined()

  static func recorded() throws -> [RecordedRun] {
    try FramesFile(ByteSource(Array(frames.utf8), name: "frames.csv")).runs
  }

  static func rich() throws -> ReportPage {
    let values: [String: [Double]] = [
      "expected_frames": [10, 10, 10], "dropped_frames": [2, 3, 1],
      "dropped_frames_pct": [20, 30, 10], "drops_logic": [2, 3, 1],
      "frame_ms_p99": [41, 40, 42], "response_ms_p50": [20, 20, 20],
      "response_ms_p99": [90, 91, 92], "response_ms_max": [100, 100, 100],
    ]
    let real = results(values)
    let virtual = results(values.mapValues { [$0[1]] }, engine: "virtual")
    return ReportPage(
      title: "A <title> & \"more\"",
      results: ResultSet(rows: real.rows + virtual.rows, metrics: real.metrics),
      workloads: workloads(), runs: [runFile], frames: try recorded(),
      traces: [
        try TracedRuns(ByteSource(Array(HandMadeTrace.text().utf8), name: "trace"))
      ])
  }

  /// Files without responses, and taps, in two repetitions.
  static func workloads() -> ResultSet {
    let values = [
      ("add-file", ["items_done": [100, 200], "item_latency_ms_p99": [5.5, 6.5]]),
      (
        "tap <1>",
        [
          "items_done": [9, 9], "response_ms_p50": [20, 20], "response_ms_p99": [90, 92],
          "response_ms_max": [100, 100], "responses_late": [4, 5],
        ]
      ),
    ]
    let rows = values.flatMap { name, values in
      results(values).rows.map { row in
        var row = row
        row.workload = name
        return row
      }
    }
    return ResultSet(rows: rows, metrics: ["items_done", "responses_late"])
  }

  static var runFile: RunFile {
    var circumstances = Circumstances()
    circumstances.command = ["framebudget", "run", "it's <here>", "--repeat", "3"]
    circumstances.started = "2026-01-02T03:04:05Z"
    circumstances.version = "0.1.0"
    circumstances.swift = "6.3"
    circumstances.machine = [("kernel", "6.1"), ("online_cores", "2")]
    circumstances.pressure = .init(
      stealPercent: 0.5, othersPercent: 40, loadBefore: 1.25, loadAfter: 2)
    func run(_ strategy: String, _ threads: [ThreadLog]) -> RunRecord {
      RunRecord(
        scenario: "scenario", strategy: strategy, seed: "18446744073709551615", threads: threads)
    }
    let main = ThreadLog(name: "main", nice: 0, cpu: .zero)
    let files = ThreadLog(name: "files", nice: 10, cpu: .zero)
    return RunFile(
      schema: MetricCatalog.schema, circumstances: circumstances,
      warnings: ["other processes used 40 % & more"],
      runs: [run("main-thread", [main])]
        + (1...3).map { _ in run("schedulable", [main, files, files]) })
  }
}
