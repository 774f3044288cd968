import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import Testing

/// Formats that people have, with answers worked out by hand.
struct PeoplesLogTests {
  /// Intervals of 16.702, 16.689, 33.410 and 16.619 ms: together five vsyncs of 16.667 ms, one of them without an image.
  @Test func `Fraps's frame times are counted by their running sum`() throws {
    let text = """
      Frame, Time (ms)
          1,     0.000
          2,    16.702
          3,    33.391
          4,    66.801
          5,    83.420
      """
    let imported = try log(text, hz: 60)
    let stream = imported.streams[0]
    #expect(imported.format == .fraps && stream.process == "Fraps" && stream.rows == 5)
    #expect(stream.count("expected_frames") == 5 && stream.count("dropped_frames") == 1)
    #expect(stream.values["frame_ms_max"] == .real(33.41))
    #expect(abs((stream.values["frame_ms_p50"]?.number ?? 0) - (16.689 + 16.702) / 2) < 1e-9)
    #expect(abs((stream.values["average_fps"]?.number ?? 0) - 4 / 0.08342) < 0.001)
    #expect(stream.displayChanges == nil && stream.supersededFrames == nil)
  }

  /// 16.6 + 33.3 + 16.6 ms are 3.99 vsyncs. The header at the end has another column, the last row facts.
  @Test func `Unreal's rows end before its facts, and a header that is repeated there`() throws {
    let text = """
      EVENTS,FrameTime,GameThreadTime
      ,16.6,8.1
      a;b,33.3,30.1,7
      ,16.6,8.1,7
      EVENTS,FrameTime,GameThreadTime,RHI/Draws
      [HasHeaderRowAtEnd],1,[Platform],Windows
      """
    let imported = try log(text, hz: 60)
    let stream = imported.streams[0]
    #expect(imported.format == .unreal && stream.rows == 3)
    #expect(stream.count("expected_frames") == 4 && stream.count("dropped_frames") == 1)
    #expect(stream.values["frame_ms_max"] == .real(33.3))
    #expect(stream.count("over_budget_frames") == 1)
    #expect(stream.values["build_ms_avg"] == nil)
  }

  /// The tool sets the values of all columns in each row; real captures have more than a thousand.
  @Test func `Unreal's profiler may have thousands of columns, and says the processor at the end`()
    throws
  {
    let more = (0..<2000).map { "Stat/\($0)" }.joined(separator: ",")
    let zeros = Array(repeating: "0", count: 2000).joined(separator: ",")
    let text = """
      EVENTS,\(more),FrameTime
      ,\(zeros),16.6
      ,\(zeros),33.3
      EVENTS,\(more),FrameTime
      [HasHeaderRowAtEnd],1,[platform],Windows,[cpu],Maker&#44; Model 7,[commandline],-a,[cpu],b
      """
    let stream = try log(text, hz: 60).streams[0]
    #expect(stream.rows == 2 && stream.machine == "Maker, Model 7")
    #expect(stream.count("expected_frames") == 3 && stream.count("dropped_frames") == 1)
    let plain = try log("EVENTS,FrameTime\n,16.6\n[platform],Windows,[commandline],[cpu],b\n")
    #expect(plain.streams[0].machine.isEmpty)
  }

  @Test func `MangoHud's machine is its processor and graphics card`() throws {
    let frames = "fps,frametime,cpu_load\n60,16.667,1\n60,16.667,1\n"
    let facts = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\n"
    func machine(_ values: String) throws -> String {
      let streams = try log(facts + values + "\n" + frames, hz: 60).streams
      #expect(streams.map(\.rows) == [2])
      return streams[0].machine
    }
    #expect(try machine("Debian,P 1,G 2,16,6.1,Mesa,powersave") == "P 1, G 2")
    #expect(try machine("Debian,P 1,,16,6.1,Mesa,powersave") == "P 1")
    // A value with a comma, which the tool does not quote.
    #expect(try machine("Debian,P 1, of 4,G 2,16,6.1,Mesa,powersave").isEmpty)
    #expect(try log(frames, hz: 60).streams[0].machine.isEmpty)
  }

  /// The display's period, and images in periods: when posted, and when shown.
  static func latency(_ images: [(posted: Double, shown: Double)]) -> String {
    let period = 16_000_000.0
    func instant(_ periods: Double) -> Int64 { 1_000_000_000 + Int64(periods * period) }
    return "16000000\n0\t0\t0\n"
      + images.map { "\(instant($0.posted))\t\(instant($0.shown))\t\(instant($0.posted))\n" }
      .joined()
      + "1900000000\t9223372036854775807\t9223372036854775807\n"
  }

  @Test(
    arguments: [
      // Each is shown a period after its post, the third two later.
      ([(0, 1), (1, 2), (2, 5)], 2, 5),
      // Two are usual, as with a deeper pipeline; then none is late.
      ([(0, 2), (1, 3), (2, 4), (3, 5)], 0, 4),
      // A pause of 40 periods, in which nothing was posted.
      ([(0, 1), (1, 2), (42, 43), (43, 45)], 1, 5),
      // Posted while the one before it waited: the vsyncs without an image count once.
      ([(0, 1), (1, 4), (2, 5), (3, 6)], 2, 6),
    ] as [([(posted: Double, shown: Double)], Int, Int)])
  func `images of SurfaceFlinger are late by when they were posted`(
    _ images: [(posted: Double, shown: Double)], _ dropped: Int, _ expected: Int
  ) throws {
    let imported = try log(Self.latency(images))
    let stream = imported.streams[0]
    #expect(imported.format == .surfaceFlinger && stream.refreshHz == 62.5)
    #expect(stream.count("dropped_frames") == dropped)
    #expect(stream.count("expected_frames") == expected)
    #expect(stream.displayChanges == images.count && stream.warnings == [])
    // It has no work of the app.
    #expect(stream.values["frame_ms_p50"] == nil && stream.values["hang_count"] == nil)
    #expect(stream.supersededFrames == nil)
    let asked = try log(Self.latency(images), hz: 60).streams[0].warnings
    #expect(asked.contains { $0.hasSuffix("refresh rate of 62.5 Hz; --hz is ignored") }, "\(asked)")
  }

  /// (6.874 + 5.019 + 21) / 3 and (51.955 + 8.468 + 3.129) / 3; one of each took more than 16 ms.
  @Test func `Flutter's summary has its stages, and no vsyncs`() throws {
    let text = """
      {"average_frame_build_time_millis": 4.26, "missed_frame_build_budget_count": 1, "frame_count": 3,
       "frame_build_times": [6874, 5019, 21000], "frame_rasterizer_times": [51955, 8468, 3129],
       "frame_begin_times": [0, 16667, 33334], "frame_rasterizer_begin_times": [7000, 52000, 61000]}
      """
    for hz in [nil, 60] as [Int64?] {
      let imported = try log(text, hz: hz)
      let stream = imported.streams[0]
      #expect(imported.format == .flutterSummary && stream.rows == 3)
      #expect(abs((stream.values["build_ms_avg"]?.number ?? 0) - 10.964333) < 1e-6)
      #expect(abs((stream.values["raster_ms_avg"]?.number ?? 0) - 21.184) < 1e-6)
      #expect(stream.values["build_ms_max"] == .real(21))
      #expect(stream.values["raster_ms_max"] == .real(51.955))
      #expect(stream.count("build_over_budget_frames") == 1)
      #expect(stream.count("raster_over_budget_frames") == 1)
      #expect(stream.duration == .nanoseconds(33_334_000))
      for name in [
        "dropped_frames", "frame_ms_p50", "hang_count", "over_budget_frames", "average_fps",
        "frame_cpu_ms_p50", "slow_frames_pct",
      ] { #expect(stream.values[name] == nil, "\(name)") }
      #expect(stream.warnings.count == 1 && !stream.needsRate)
    }
  }

  /// By type 7: of three values, p99 is the second and 0.98 of the way to the third.
  @Test func `each iteration of a macrobenchmark is a run`() throws {
    let text = """
      {"context": {"build": {"brand": "acme", "device": "a1", "model": "One", "version": {"sdk": 34}}},
       "benchmarks": [{"name": "scroll", "metrics": {"frameCount": {"runs": [290, 300]}},
         "sampledMetrics": {"frameDurationCpuMs": {"P50": 6.1, "runs": [[6.1, 9.9, 20.4], [5.9, 6.2, 12.0]]},
           "frameOverrunMs": {"runs": [[-5.2, -1.0, 11.3], [-5.3, -5.1, 2.2]]}}},
        {"name": "startup", "metrics": {"timeToInitialDisplayMs": {"runs": [300]}}, "sampledMetrics": {}}]}
      """
    let imported = try log(text)
    #expect(imported.format == .benchmarkData)
    #expect(imported.streams.map(\.process) == ["scroll", "scroll"])
    #expect(imported.streams.map(\.swapChain) == ["run 1", "run 2"])
    #expect(imported.apps(named: nil) == ["scroll", "scroll"])
    #expect(Set(imported.streams.map(\.machine)) == ["acme a1 One"])
    func values(_ name: String) -> [Double] {
      imported.streams.map { (($0.values[name]?.number ?? .nan) * 1e6).rounded() / 1e6 }
    }
    #expect(values("frame_cpu_ms_p50") == [9.9, 6.2])
    #expect(values("frame_cpu_ms_p99") == [20.19, 11.884])
    #expect(values("frame_overrun_ms_p50") == [-1, -5.1])
    #expect(values("frame_overrun_ms_p99") == [11.054, 2.054])
    for name in ["build_ms_avg", "build_over_budget_frames", "dropped_frames", "frame_ms_p50"] {
      #expect(imported.streams[0].values[name] == nil, "\(name)")
    }
  }

  @Test(arguments: [
    (
      #"{"meta":{"interval":1,"product":"Firefox","preprocessedProfileVersion":48},"threads":[]}"#,
      "a profile of Firefox", "record markers"
    ),
    (
      #"{"lighthouseVersion":"12.0.0","audits":{}}"#, "a report of Lighthouse",
      "'framebudget record chrome PAGE -o DIR' records a page"
    ),
  ])
  func `a file of another kind says what to do instead`(
    _ text: String, _ words: String, _ remedy: String
  ) throws {
    let message = try #require(failure(Array(text.utf8)))
    #expect(message.hasPrefix("log: is \(words)"), "\(message)")
    #expect(message.contains(remedy))
  }

  // MARK: Unknown is empty

  /// A caret that blinks twice a second: 29 of 30 vsyncs show nothing new, because nothing is new.
  @Test func `a window that draws only when something changes has dropped nothing that is known`()
    throws
  {
    let blinking = Array(repeating: 500.0, count: 60)
    let stream = try log(DisplayClockTests.log(blinking), hz: 60).streams[0]
    for name in [
      "dropped_frames", "dropped_frames_pct", "hang_count", "hitch_total_ms", "average_fps",
    ] {
      #expect(stream.values[name] == nil, "\(name)")
    }
    #expect(stream.warnings.count == 1, "\(stream.warnings)")
    #expect(stream.warnings.contains { $0.contains("draws only when something changes") })
    // A game that hangs for 2.6 s once has dropped frames.
    #expect(try log(CounterTableTests.hang, hz: 60).streams[0].count("dropped_frames") == 155)
  }

  /// Of four images of 8 ms each, every second one is generated: the app's stay for two vsyncs of 125 Hz, the last for three.
  @Test(arguments: [false, true])
  func `generated images are not the app's`(_ looksBack: Bool) throws {
    let (times, types) = ([8, 8, 8, 8, 8, 16], ["Application", "AMD_AFMF"])
    let header =
      "Application,ProcessID,SwapChainAddress,\(looksBack ? "MsBetweenPresents" : "FrameTime"),"
      + "\(looksBack ? "MsBetweenDisplayChange" : "DisplayedTime"),FrameType\n"
    let rows = times.enumerated().map { row, time in
      let shown = looksBack ? row == 0 ? 99 : times[row - 1] : time
      return "a.exe,1,0x0,\(row % 2 == 0 ? "16" : "NA"),\(shown),\(types[row % 2])\n"
    }
    let stream = try log(header + rows.joined(), hz: 125).streams[0]
    #expect(stream.rows == 6 && stream.displayChanges == 3)
    #expect(stream.values["frame_ms_p50"] == .real(16))
    #expect(stream.count("presented_frames") == (looksBack ? 2 : 3))
    #expect(stream.count("dropped_frames") == (looksBack ? 2 : 4))
    #expect(stream.warnings == [])
  }

  /// 48 Hz read as 60 Hz has varying numbers of vsyncs, which is not what a variable refresh rate looks like.
  @Test func `a wrong rate is not called a variable one`() throws {
    let rates: [Double] = [48, 48, 24, 16]
    let intervals: [Double] = (0..<600).map { 1000 / rates[$0 % 4] }
    let warnings = try log(DisplayClockTests.log(intervals), hz: 60).streams[0].warnings
    #expect(warnings.count == 1, "\(warnings)")
    #expect(warnings.contains { $0.contains("fit 48 Hz far better than 60 Hz") })
  }

  @Test(arguments: [
    "logs/framestats.txt", "logs/chrome.json", "logs/mangohud.csv",
    "recording-perfetto/phone.pftrace",
  ])
  func `a log that knows no superseded presents has none counted`(_ seed: String) throws {
    let path = FoundInputTests.seeds.appending(path: seed).path
    let streams = try ImportedLog(ByteSource(path: path), refresh: RefreshRate(60)).streams
    #expect(streams.allSatisfy { $0.supersededFrames == nil })
  }

  // MARK: Captures

  @Test
  func `captures are named by their process without its number, the smaller windows with one`()
    throws
  {
    let header = "Application,ProcessID,SwapChainAddress,MsBetweenPresents\n"
    let text =
      header + "dwm.exe,4,0xD,9\na.exe,7,0xB,9\n" + String(repeating: "a.exe,7,0xA,9\n", count: 3)
    let imported = try log(text)
    #expect(imported.streams.map(\.process) == ["dwm.exe 4", "a.exe 7", "a.exe 7"])
    #expect(imported.apps(named: nil) == ["dwm.exe", "a.exe #2", "a.exe"])
    #expect(imported.apps(named: "game") == ["game #2", "game #3", "game"])
  }

  @Test func `the machine is that of OCAT's first row, or of CapFrameX's facts`() throws {
    let ocat = try ByteSource(path: FoundInputTests.seeds.appending(path: "logs/ocat.csv").path)
    #expect(try ImportedLog(ocat, refresh: nil).streams[0].machine.contains(", "))
    let text =
      #"{"Info": {"ProcessName": "a.exe", "Processor": "P 1", "GPU": "G 2"}, "Runs": [{"CaptureData": {"MsBetweenPresents": [8]}}]}"#
    #expect(try log(text).streams[0].machine == "P 1, G 2")
  }
}
