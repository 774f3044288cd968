import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import TestSupport
import Testing

/// FrameTimeline's own numbers, compared with a short script that shares no code with the importer.
struct FrameTimelineFigureTests {
  static let seeds = ["phone.pftrace", "packed.pftrace"].map {
    Project.folder.appending(path: "Tests/Fuzz/Seeds/recording-perfetto/\($0)").path
  }
  static let recordings = [
    "android_api32_startup_warm.perfetto-trace", "android_nowinandroid_compose.perfetto-trace",
  ]
  static let hasPython = IndependentTotalsTests.python != nil

  @Test func `every jank type of a surface frame counts, and overruns are signed`() throws {
    let log = try ImportedLog(ByteSource(path: Self.seeds[0]), refresh: nil)
    let stream = try #require(log.streams.first)
    // Two frames have Buffer Stuffing, one of them with a missed deadline.
    #expect(
      Self.line(stream)
        == "none=1 app_deadline_missed=1 buffer_stuffing=2 dropped_frame=1 "
        + "-11.50000 -11.50000 -11.50000 -11.50000")
  }

  @Test(
    .enabled(if: hasPython, "no python3: FrameTimeline's numbers are not held against the script"),
    arguments: seeds)
  func `jank types and overruns match those of the script`(_ path: String) throws {
    try Self.compare(path)
  }

  @Test(
    .enabled(if: hasPython, "no python3: FrameTimeline's numbers are not held against the script"),
    .enabled(if: SharedData.folder != nil, SharedData.missing), arguments: recordings)
  func `jank types and overruns of real recordings match those of the script`(_ file: String) throws
  {
    try Self.compare("\(try #require(SharedData.folder))/traces/\(file)")
  }

  private static func compare(_ path: String) throws {
    let script = Project.folder.appending(path: "Tests/Input/CapturesTests/Logs/frametimeline.py")
      .path
    let data = try SharedData.output(
      of: try #require(IndependentTotalsTests.python), [script, path])
    let expected = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    let streams = try ImportedLog(ByteSource(path: path), refresh: nil).streams
    #expect(streams.map(line) == expected)
    #expect(!expected.isEmpty)
  }

  private static func line(_ stream: ImportedFrames) -> String {
    let counts = JankType.allCases.compactMap { type in
      let metric = RecordedMetric.jank(type)
      return stream.count(metric.name).flatMap { count in
        count > 0 ? "\(metric.name.dropFirst("jank_".count))=\(count)" : nil
      }
    }
    let overruns = RecordedMetric.overruns.compactMap { stream.values[$0.metric.name]?.number }
    return (counts + overruns.map { String(format: "%.5f", $0) }).joined(separator: " ")
  }
}
