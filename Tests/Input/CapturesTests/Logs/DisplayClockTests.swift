import FrameBudget
import FrameBudgetCaptures
import Testing

/// The evidence in a log's times on the screen, and the notes if it is not enough.
struct DisplayClockTests {
  static let header =
    "Application,ProcessID,SwapChainAddress,AllowsTearing,Dropped,TimeInSeconds,MsBetweenPresents,"
    + "MsBetweenDisplayChange\n"

  /// A PresentMon log of images with the given distances in milliseconds.
  static func log(_ intervals: [Double], tears: Bool = false) -> String {
    var at = 0.0
    return header
      + ([0] + intervals).map { interval in
        at += interval
        return "a.exe,1,0x0,\(tears ? 1 : 0),0,\(at / 1000),\(interval),\(interval)\n"
      }.joined()
  }

  static func variable(_ count: Int, from: Double, to: Double) -> [Double] {
    var stream = RandomStream(seed: 3, name: "variable")
    return (0..<count).map { _ in from + stream.unit() * (to - from) }
  }

  @Test func `a variable refresh rate has no vsyncs that could be dropped`() throws {
    let text = Self.log(Self.variable(600, from: 7, to: 14))
    let stream = try #require(try CapturesTests.log(text, hz: 144).streams.first)
    for name in [
      "dropped_frames", "hitch_count", "hitch_ratio_ms_per_s", "worst_second_dropped_pct",
    ] {
      #expect(stream.values[name] == nil, "\(name)")
    }
    #expect(stream.values["average_fps"] != nil)
    #expect(stream.values["low_1pct_fps"] != nil)
    #expect(stream.warnings.contains { $0.contains("variable refresh rate") })
    #expect(!stream.needsRate)
  }

  @Test func `tearing images have no vsyncs, unless they are shown at vsyncs`() throws {
    let torn = try #require(
      try CapturesTests.log(Self.log(Array(repeating: 11.1, count: 600), tears: true), hz: 60)
        .streams.first)
    #expect(torn.values["dropped_frames"] == nil)
    #expect(torn.warnings.contains { $0.contains("AllowsTearing") })
    let synced = try #require(
      try CapturesTests.log(Self.log(Array(repeating: 16.67, count: 600), tears: true), hz: 60)
        .streams.first)
    #expect(synced.count("dropped_frames") == 0)
  }

  @Test func `images that come faster than the display's rate are reported`() throws {
    let fast = try CapturesTests.log(Self.log(Array(repeating: 1000 / 144, count: 600)), hz: 60)
    #expect(fast.streams[0].warnings.contains { $0.contains("more than a display of 60 Hz") })
    let slow = try CapturesTests.log(Self.log(Array(repeating: 1000 / 60.02, count: 600)), hz: 60)
    #expect(slow.streams[0].warnings.isEmpty)
  }

  @Test func `a refresh rate that fits far better is suggested`() throws {
    let intervals = (0..<600).map { $0 % 3 == 0 ? 1000.0 / 24 : 1000.0 / 48 }
    let stream = try CapturesTests.log(Self.log(intervals), hz: 60).streams[0]
    #expect(stream.warnings.contains { $0.contains("fit 48 Hz far better than 60 Hz") })
  }

  @Test func `a log without display times says why nothing is counted`() throws {
    let text = "Application,ProcessID,SwapChainAddress,MsBetweenPresents\na.exe,1,0xA,10\n"
    let stream = try CapturesTests.log(text, hz: 60).streams[0]
    #expect(stream.values["dropped_frames"] == nil)
    #expect(stream.warnings.contains { $0.contains("no times of images on the screen") })
  }

  @Test func `the refresh rate in the log takes precedence over --hz`() throws {
    let rows = (0...60).map { "\(Double($0) / 120),\(Double($0 + 1) / 120)\n" }.joined()
    let stream = try CapturesTests.log("timestamp,target\n" + rows, hz: 60).streams[0]
    #expect(stream.count("dropped_frames") == 0)
    #expect(stream.warnings.contains { $0.contains("--hz is ignored") })
  }

  /// Each target is the time of the next image, at any resulting rate.
  @Test func `target times of a changing rate count, and metrics in periods are empty`() throws {
    var at = 0.0
    var text = "timestamp,target\n"
    for frame in 0..<200 {
      let period = frame < 100 ? 1 / 120.0 : 1 / 80.0
      text += "\(at),\(at + period)\n"
      at += frame % 50 == 49 ? 3 * period : period
    }
    let stream = try CapturesTests.log(text).streams[0]
    #expect(stream.count("dropped_frames") == 6)
    #expect(stream.values["hitch_total_ms"] == nil)
    #expect(stream.warnings.contains { $0.contains("the refresh rate changes") })
  }
}
