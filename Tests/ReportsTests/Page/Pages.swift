import FrameBudget
import Parsing

@testable import Reports

/// Pages of made-up results, and what stands in them.
enum Pages {
  static let frameHeader =
    (ReportRow.keyNames + [
      "frame", "begin_vsync", "present_vsync", "begin_ns", "work_end_ns", "late_vsyncs", "cause",
      "items", "queue_depth",
    ]).joined(separator: ",") + "\n"

  /// Four frames at 60 Hz; the third takes 40 ms and drops two.
  static let frames =
    frameHeader
    + [(0, 1, 0), (1, 2, 0), (2, 5, 2), (5, 6, 0)].enumerated().map { index, frame in
      let (begin, shown, late) = frame
      let due = RefreshRate(60).vsync(begin).nanoseconds
      let end = due + (late > 0 ? 40_000_000 : 8_000_000)
      return
        "1,scenario,schedulable,,,real,2,1,1,60,100,18,\(index),\(begin),\(shown),\(due),\(end),"
        + "\(late),\(late > 0 ? "logic" : ""),\(index),\(3 - index)\n"
    }.joined()

  static func series() throws -> [FrameSeries] {
    try FrameSeries.read(ByteSource(Array(frames.utf8), name: "frames.csv"))
  }

  static func rich() throws -> ReportPage {
    let values: [String: [Double]] = [
      "dropped_frames": [2, 4, 3], "dropped_frames_pct": [20, 40, 30], "drops_logic": [2, 4, 3],
      "frame_ms_p99": [40, 41, 42], "response_ms_p50": [20, 20, 20],
      "response_ms_p99": [90, 91, 92], "response_ms_max": [100, 100, 100],
    ]
    let real = results(values)
    let virtual = results(values.mapValues { [$0[0]] }, engine: "virtual")
    return ReportPage(
      title: "A <title> & \"more\"",
      results: ResultSet(rows: real.rows + virtual.rows, metrics: real.metrics),
      frames: try series(),
      traces: try TracedRun.read(ByteSource(Array(HandMadeTrace.text().utf8), name: "trace")))
  }
}
