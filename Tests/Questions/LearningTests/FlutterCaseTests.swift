import FrameBudget
import FrameBudgetCaptures
import TestSupport
import Testing

@testable import FrameBudgetLearning

/// An app of Flutter at 60 Hz that draws at every fourth vsync: 4 ms to build, and 3 ms to raster, every tenth time 30 ms. The
/// raster thread begins 0.2 ms before the UI thread's slice of the frame ends.
///
/// 4 + 30 ms are more than two periods of 16.667 ms, so every tenth frame misses one vsync: of 20 frames 2 are late, and 2 of 22
/// vsyncs are dropped. Rasters take 0.9 * 3 + 0.1 * 30 = 5.7 ms on average.
struct FlutterCaseTests {
  private static func json(frames: Int) -> String {
    var events = [
      #"{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"1.ui"}}"#,
      #"{"ph":"M","pid":1,"tid":3,"name":"thread_name","args":{"name":"1.raster"}}"#,
    ]
    for frame in 0..<frames {
      let vsync = 1000 + frame * 66_668
      let raster = frame % 10 == 5 ? 30_000 : 3000
      let number = #""args":{"frame_number":"\#(frame + 7)"}"#
      let target = #""StartTime":"\#(vsync)000","TargetTime":"\#(vsync + 16_667)000""#
      events += [
        ("VsyncProcessCallback", 2, vsync + 100, 4050, #""args":{\#(target)}"#),
        ("Animator::BeginFrame", 2, vsync + 120, 4000, number),
        ("GPURasterizer::Draw", 3, vsync + 3920, raster, number),
      ].map { name, thread, begin, length, arguments in
        #"{"ph":"X","pid":1,"tid":\#(thread),"name":"\#(name)","ts":\#(begin),"dur":\#(length),\#(arguments)}"#
      }
    }
    return "[\(events.joined(separator: ",\n"))]"
  }

  private func compared(_ recording: Recording) throws -> (ReplayComparison, String) {
    let learned = try #require(LearnedScenario(recording, name: "app", source: "app.json"))
    let comparison = ReplayComparison(learned, try LearnedReplay(learned).runAsRecorded())
    return (comparison, LearnReport(learned, comparison, moves: []).text)
  }

  private func expect(_ recording: Recording, _ dropped: Double, of expected: Double) throws {
    let (comparison, text) = try compared(recording)
    #expect(comparison.recorded.wanted == expected && comparison.replayed.wanted == expected)
    #expect(comparison.recorded.dropped == dropped && comparison.replayed.dropped == dropped)
    #expect(comparison.replay == (expected < 300 ? .tooShort : .fair))
    #expect(text.contains("| average frame build time, ms | 4 | 4 |"), "\(text)")
    #expect(text.contains("| average frame rasterizer time, ms | 5.7 | 5.7 |"), "\(text)")
    #expect(text.contains("| worst frame rasterizer time, ms | 30 | 30 |"), "\(text)")
  }

  @Test func `a raster that begins before its frame's slice ends belongs to that frame`() throws {
    let bytes = Array(Self.json(frames: 20).utf8)
    try expect(RecordingFile.read(bytes, name: "app.json"), 2, of: 22)
  }

  private static let cases = Project.shared("data/cases")

  @Test(.enabled(if: cases != nil, "no folder shared/data/cases at or above the package: skipped"))
  func `of 440 vsyncs, 40 are dropped`() throws {
    let folder = try #require(Self.cases)
    try expect(
      RecordingFile.read(path: "\(folder)/flutter-raster-starts-early.json"), 40, of: 440)
  }

  /// 33 dropped of 397, all by `DispatchPlatformMessage`; frames have no named slices.
  @Test(.enabled(if: cases != nil, "no folder shared/data/cases at or above the package: skipped"))
  func `a replay that agrees at 397 of 397 vsyncs is fair, and says what it lacks`() throws {
    let folder = try #require(Self.cases)
    let (comparison, text) = try compared(
      RecordingFile.read(path: "\(folder)/flutter-jank-between-frames.json"))
    #expect(comparison.counts.agreeing == 397 && comparison.counts.all == 397)
    #expect(comparison.recorded.dropped == 33 && comparison.counts.kappa == 1)
    #expect(comparison.replay == .fair)
    #expect(text.contains("397 of 397 vsyncs agree (*always shown*: 364). It has no"), "\(text)")
    #expect(text.contains("- only 30 % of the UI thread's time is in named slices"), "\(text)")
  }
}
