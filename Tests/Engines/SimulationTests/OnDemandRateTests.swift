import FrameBudget
import FrameBudgetSimulation
import Testing

/// Frames on demand: rates refer to the time in which frames were wanted.
@Suite struct OnDemandRateTests {
  /// A second of scrolling at 60 Hz, delayed by an item of 30 ms, and then nothing.
  private static func scrolled(seconds: Int) -> RunMetrics {
    let refresh = RefreshRate(60)
    return PipelineAnswersTests.run(
      draw: 4, Pipeline(), vsyncs: 60 * seconds, item: 30, at: [refresh.vsync(30)],
      frames: .onDemand(at: (1...60).map { refresh.vsync($0).sinceZero }),
      loop: .events(MainLoop.Events()))
  }

  @Test(arguments: [3, 10, 100])
  func `a second of scrolling is as good in a run of any length`(seconds: Int) throws {
    let (short, long) = (Self.scrolled(seconds: 2), Self.scrolled(seconds: seconds))
    let hitches = try #require(short["hitch_ratio_ms_per_s"])
    #expect(short["dropped_frames"] == 1 && abs(hitches - 1000.0 / 60) < 0.3)
    for name in ["hitch_ratio_ms_per_s", "dropped_frames_pct", "worst_second_dropped_pct"] {
      #expect(long[name] == short[name], "\(name)")
    }
    for name in ["average_fps", "low_1pct_fps"] { #expect(long[name] == nil, "\(name)") }
  }
}
