import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import Testing

/// The number of vsyncs of a recording: rounded over all of it, not interval by interval.
struct RoundingTests {
  /// Logs in each format with times, of images with the given distances in milliseconds.
  enum Writer: String, CaseIterable {
    case presentMon, presentMonForward, mangoHud, capFrameX, timestamps

    func text(_ intervals: [Double]) -> String {
      var at = 0.0
      let times = intervals.map { interval in
        at += interval
        return (at: at, interval: interval)
      }
      switch self {
      case .presentMon:
        return
          "Application,ProcessID,SwapChainAddress,Dropped,TimeInSeconds,MsBetweenPresents,"
          + "MsBetweenDisplayChange\na.exe,1,0x0,0,0,16.7,0\n"
          + times.map { "a.exe,1,0x0,0,\($0.at / 1000),\($0.interval),\($0.interval)\n" }.joined()
      case .presentMonForward:
        return
          "Application,ProcessID,SwapChainAddress,CPUStartTime,FrameTime,DisplayedTime\n"
          + times.map { "a.exe,1,0x0,\($0.at),\($0.interval),\($0.interval)\n" }.joined()
      case .mangoHud:
        return
          "os,cpu\nx,y\nfps,frametime,elapsed\n"
          + times.map { "\(1000 / $0.interval),\($0.interval),\(Int($0.at * 1e6))\n" }.joined()
      case .capFrameX:
        let spans = ([16.7] + intervals).map { "\($0)" }.joined(separator: ",")
        let shown = ([0] + intervals).map { "\($0)" }.joined(separator: ",")
        return
          "{\"Runs\": [{\"CaptureData\": {\"MsBetweenPresents\": [\(spans)], "
          + "\"MsBetweenDisplayChange\": [\(shown)]}}]}"
      case .timestamps:
        return "timestamp_ms\n0\n" + times.map { "\($0.at)\n" }.joined()
      }
    }
  }

  @Test(arguments: Writer.allCases, [24.9, 25.1])
  func `intervals around 1.5 vsyncs drop a third of the frames`(
    _ writer: Writer, _ interval: Double
  ) throws {
    let text = writer.text(Array(repeating: interval, count: 600))
    let stream = try #require(try log(text, hz: 60).streams.first)
    let expected = interval * 600 * 0.06
    #expect(abs(Double(stream.count("expected_frames") ?? 0) - expected) <= 1)
    #expect(abs(Double(stream.count("dropped_frames") ?? 0) - (expected - 600)) <= 1)
    let percent = try #require(stream.values["dropped_frames_pct"]?.number)
    #expect(abs(percent - 100 * (1 - 600 / expected)) < 0.2)
  }

  /// At 60 Hz a period is 16.666... ms: a log with three decimals has it as 16.667.
  @Test(arguments: [Writer.presentMon, .presentMonForward, .mangoHud, .capFrameX])
  func `a frame is over its budget only by more than the log's rounding`(_ writer: Writer) throws {
    for (interval, over) in [(16.667, 0), (16.669, 900), (16.6667, 0), (16.6669, 900), (16.0, 0)] {
      let text = writer.text(Array(repeating: interval, count: 900))
      let stream = try #require(try log(text, hz: 60).streams.first)
      #expect(stream.count("over_budget_frames") == over, "\(interval)")
    }
  }

  /// Instants with three decimals are up to a thousandth further apart than the images were.
  @Test(arguments: [(60_000, 1001), (60, 1), (90, 1), (144, 1)])
  func `intervals between rounded instants are not over the budget`(hz: Int64, over: Int64) throws {
    let refresh = RefreshRate(hz, over: over)
    for digits: Int64 in [1, 1000, 100_000, 1_000_000] {
      let instants = (0..<600).map {
        (refresh.vsync($0).nanoseconds + digits / 2) / digits * digits
      }
      let text = "timestamp_ns\n" + instants.map { "\($0)\n" }.joined()
      let read = try ImportedLog(ByteSource(Array(text.utf8), name: "log"), refresh: refresh)
      let stream = try #require(read.streams.first)
      let over = try #require(stream.count("over_budget_frames"))
      #expect(over == 0 || digits == 1 && over < 600, "rounded to \(digits) ns")
    }
  }

  /// Images that jitter around their vsyncs drop nothing, in a recording of any length.
  @Test(arguments: Writer.allCases)
  func `jitter drops no frame`(_ writer: Writer) throws {
    var stream = RandomStream(seed: 7, name: "jitter")
    var late = 0.0
    let intervals = (1...3000).map { vsync in
      let next = stream.unit() * 3 - 1.5
      defer { late = next }
      return (vsync % 100 == 0 ? 3 : 1) * 1000.0 / 60 + next - late
    }
    let imported = try #require(try log(writer.text(intervals), hz: 60).streams.first)
    #expect(imported.count("dropped_frames") == 60)
    #expect(imported.count("hitch_count") == 30)
    #expect(imported.count("longest_gap_vsyncs") == 2)
  }

  /// The rate of a display differs slightly from its nominal rate: an hour at 59.94 Hz drops nothing at 60 Hz.
  @Test(arguments: Writer.allCases, [59.94, 60.06])
  func `a display slightly off its nominal rate drops nothing`(
    _ writer: Writer, _ rate: Double
  ) throws {
    let intervals = (1...20_000).map { $0 % 5000 == 0 ? 156_000 / rate : 1000 / rate }
    let imported = try #require(try log(writer.text(intervals), hz: 60).streams.first)
    #expect(imported.count("dropped_frames") == 4 * 155)
    #expect(imported.count("longest_gap_vsyncs") == 155)
  }
}
