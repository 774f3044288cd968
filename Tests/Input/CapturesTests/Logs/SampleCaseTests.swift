import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import Testing

/// Samples of formats that people have, with answers worked out by hand; the folder's README says where they come from.
@Suite(.enabled(if: SharedData.folder != nil, SharedData.missing)) struct SampleCaseTests {
  private func read(_ file: String, hz: Int64? = nil) throws -> ImportedLog {
    try SharedData.read("cases/unsupported/\(file)", hz: hz)
  }

  private func values(_ log: ImportedLog, _ metric: String) -> [Double?] {
    log.streams.map { $0.values[metric]?.number.map { ($0 * 1e4).rounded() / 1e4 } }
  }

  /// Intervals of 16.702, 16.689, 33.410 and 16.619 ms are five vsyncs.
  @Test func `Fraps`() throws {
    let log = try read("fraps.csv", hz: 60)
    #expect(log.format == .fraps && log.streams.map(\.rows) == [5])
    #expect(log.streams[0].count("expected_frames") == 5)
    #expect(log.streams[0].count("dropped_frames") == 1)
    #expect(values(log, "frame_ms_max") == [33.41] && values(log, "frame_ms_p50") == [16.6955])
  }

  /// 16.6 and 33.3 ms are three vsyncs.
  @Test func `Unreal`() throws {
    let log = try read("ue.csv", hz: 60)
    #expect(log.format == .unreal && log.streams.map(\.rows) == [2])
    #expect(log.streams[0].count("expected_frames") == 3)
    #expect(log.streams[0].count("dropped_frames") == 1)
    #expect(values(log, "frame_ms_max") == [33.3] && values(log, "frame_ms_p50") == [24.95])
  }

  /// Each is shown a period after its post, the third two later.
  @Test func `SurfaceFlinger`() throws {
    let log = try read("sf-latency.txt")
    let stream = log.streams[0]
    #expect(log.format == .surfaceFlinger && stream.rows == 3 && stream.displayChanges == 3)
    #expect(abs((stream.refreshHz ?? 0) - 60) < 0.001)
    #expect(stream.count("dropped_frames") == 2 && stream.count("expected_frames") == 5)
    #expect(stream.supersededFrames == nil)
  }

  /// The middle of each iteration's three frames; by type 7, p99 is 0.98 of the way from it to the longest.
  @Test func `Macrobenchmark`() throws {
    let log = try read("macrobench.json")
    #expect(log.format == .benchmarkData && log.streams.map(\.rows) == [3, 3])
    #expect(log.streams.map(\.machine) == ["example", "example"])
    #expect(values(log, "frame_cpu_ms_p50") == [9.9, 6.2])
    #expect(values(log, "frame_cpu_ms_p99") == [20.19, 11.884])
    #expect(values(log, "frame_overrun_ms_p50") == [-1, -5.1])
  }

  /// (6.874 + 5.019 + 21) / 3 and (51.955 + 8.468 + 3.129) / 3.
  @Test func `Flutter's summary`() throws {
    let log = try read("flutter_summary.json")
    #expect(log.format == .flutterSummary && log.streams.map(\.rows) == [3])
    #expect(values(log, "build_ms_avg") == [10.9643] && values(log, "raster_ms_avg") == [21.184])
    #expect(values(log, "build_ms_max") == [21] && values(log, "raster_ms_max") == [51.955])
    #expect(values(log, "dropped_frames") == [nil])
  }

  @Test func `Instruments' hitches`() throws {
    let log = try read("hitches.xml")
    #expect(log.format == .xctrace && log.streams.map(\.rows) == [1])
    #expect(log.streams[0].count("hitch_count") == 1)
    #expect(values(log, "hitch_total_ms") == [25] && values(log, "hitch_max_ms") == [25])
    #expect(log.streams[0].duration == .milliseconds(25))
  }

  @Test(arguments: [("gecko.json", "Firefox"), ("lighthouse.json", "Lighthouse")])
  func `files without frames name what they are`(_ file: String, _ tool: String) throws {
    let error = #expect(throws: InputError.self) { try read(file) }
    let message = try #require(error?.description)
    #expect(message.contains(tool) && !message.contains("\n"), "\(message)")
  }
}
