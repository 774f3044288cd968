import FrameBudget
import Importing
import Parsing
import Reports
import Simulation
import Testing

struct OwnTraceTests {
  @Test(arguments: ["main-thread", "time-sliced", "schedulable"])
  func `our own trace gives the metrics of its run`(_ strategy: String) throws {
    let row = ReportRow(try OwnFramesTests.log(strategy, detail: .trace), cores: 2)
    var file = TraceFile()
    var text = TraceFile.head
    file.write(row) { text += $0 }
    text += TraceFile.tail
    let imported = try ImportedLog(
      ByteSource(Array(text.utf8), name: "trace.json"), refresh: row.log.frames.refresh)
    let stream = try #require(imported.streams.first)
    #expect(imported.format == .chromeTrace)
    #expect(imported.streams.count == 1)
    #expect(stream.process == "own, \"quoted\" · \(strategy) · virtual")
    for name in [
      "expected_frames", "presented_frames", "dropped_frames", "dropped_frames_pct", "hitch_count",
      "hitch_total_ms", "hitch_max_ms", "longest_gap_vsyncs", "worst_second_dropped_pct",
    ] {
      let expected = try #require(row.metrics[name])
      let found = try #require(stream.values[name]?.number, "\(name)")
      #expect(abs(found - expected) < 1e-6 * max(1, abs(expected)), "\(name)")
    }
  }
}
