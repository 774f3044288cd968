import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import TestSupport
import Testing

struct FormatTests {
  @Test(arguments: LogFormat.allCases)
  func `the error on an unknown log lists every format`(_ format: LogFormat) throws {
    let word = try #require(format.rawValue.split(separator: " ").first { $0 != "gfxinfo" })
    #expect(LogFormat.known.contains(word))
  }

  @Test func `sampled MangoHud logs say so and claim no drops`() throws {
    var text = "os,cpu,gpu\nDebian,\"a, b\",c\nfps,frametime,elapsed\n"
    for second in 1...30 { text += "60.0,16.6667,\(second)000000000\n" }
    let stream = try #require(try log(text, hz: 60).streams.first)
    #expect(stream.warnings.count == 1)
    #expect(stream.warnings[0].contains("cover 0.5 s of 29 s"))
    #expect(stream.values["dropped_frames"] == nil)
    #expect(stream.values["frame_ms_p50"] == .real(16.6667))
  }

  @Test func `MangoHud frame times in microseconds are recognised by the frame rate`() throws {
    let header = "v1\n0.6.8\n---SYSTEM INFO---\nos,cpu\na,b\n---FRAME METRICS---\n"
    let text = header + "fps,frametime,elapsed\n60,16667,16667000\n30,33333,50000000\n"
    let imported = try log(text, hz: 60)
    let stream = try #require(imported.streams.first)
    #expect(imported.format == .mangoHud)
    #expect(stream.values["frame_ms_max"] == .real(33.333))
    #expect(stream.count("expected_frames") == 3)
    #expect(stream.count("dropped_frames") == 1)
    #expect(stream.supersededFrames == nil)
  }

  @Test func `framestats of Android 12 give the overrun of each frame's deadline`() throws {
    let text = """
      ---PROFILEDATA---
      Flags,IntendedVsync,Vsync,FrameDeadline,FrameInterval,FrameCompleted,
      0,1000000000,1000000000,1016000000,16666666,1010000000,
      0,1016666666,1016666666,1032000000,16666666,1036500000,
      0,1050000000,1050000000,9223372036854775807,16666666,1055000000,
      0,1066666666,1066666666,1082000000,16666666,1082000000,
      ---PROFILEDATA---
      """
    let log = try ImportedLog(ByteSource(Array(text.utf8), name: "stats.txt"), refresh: nil)
    let values = try #require(log.streams.first?.values)
    // -6, 4.5 and 0; one frame has no deadline.
    #expect(values["frame_overrun_ms_p50"] == .real(0))
    #expect(values["frame_overrun_ms_p90"]?.description == "3.6")
    #expect(values["build_ms_avg"] == nil && values["long_tasks"] == nil)
    #expect(values["slow_frames_pct"] == .real(25) && values["jankstats_frames"] == .count(0))
  }

  @Test func `framestats are compared exactly, without flagged and repeated rows`() throws {
    let block = """
      ---PROFILEDATA---
      Flags,IntendedVsync,Vsync,FrameCompleted,FrameInterval,
      0,1000000000,1000000000,1016666666,16666667,
      0,1016666667,1016666667,1033333335,16666667,
      1,1033333334,1033333334,9033333334,16666667,
      0,5000000000,5000000000,5050000001,16666667,
      ---PROFILEDATA---

      """
    let text = "Applications Graphics Acceleration Info:\nUptime: 1\nWindow: a.b/Main\n" + block
    let imported = try log(text + "View hierarchy:\n" + block)
    let stream = try #require(imported.streams.first)
    #expect(imported.format == .frameStats)
    #expect(imported.streams.map(\.process) == ["a.b/Main"])
    #expect(stream.displayChanges == 3)
    #expect(stream.count("dropped_frames") == 0 + 1 + 2)
    #expect(stream.count("expected_frames") == 1 + 2 + 3)
    #expect(stream.warnings.count == 1)
  }

  @Test func `each CapFrameX run becomes a row`() throws {
    let text = """
      {"Hash": "x", "Info": {"ProcessName": "game.exe", "Comment": null}, "Runs": [
        {"CaptureData": {"TimeInSeconds": [0, 0.0167, 0.05], "MsBetweenPresents": [16.7, 16.7, 33.3],
          "MsBetweenDisplayChange": [16.7, "NaN", 33.3], "Dropped": [false, true, false]},
         "SensorData2": {"x": [1, [2, {}]]}},
        {"CaptureData": {"MsBetweenPresents": [8.3], "QPCTime": [1e3]}}]}
      """
    let imported = try log(text, hz: 60)
    #expect(imported.format == .capFrameX)
    #expect(imported.streams.map(\.swapChain) == ["run 1", "run 2"])
    #expect(imported.streams.allSatisfy { $0.process == "game.exe" })
    #expect(imported.streams[0].supersededFrames == 1)
    #expect(imported.streams[0].displayChanges == 2)
    // The first image has none before it: one interval of two vsyncs.
    #expect(imported.streams[0].count("dropped_frames") == 1)
    #expect(imported.streams[0].count("expected_frames") == 2)
    #expect(imported.streams[1].values["frame_ms_max"] == .real(8.3))
  }

  @Test func `Chrome traces report drops without a refresh rate`() throws {
    let frame = #""pid": 7, "args": {"layerTreeId": 1, "frameSeqId": "#
    let text = """
      {"traceEvents": [
        {"name": "process_name", "ph": "M", "pid": 7, "args": {"name": "Renderer"}},
        {"name": "DrawFrame", "ts": 60000.5, \(frame) 3}},
        {"name": "BeginFrame", "ts": 10000, \(frame) 1}},
        {"name": "DrawFrame", "ts": 20000, \(frame) 1}},
        {"name": "DroppedFrame", "ts": 30000, \(frame) 2}},
        {"name": "DroppedFrame", "ts": 31000, "pid": 7, "args":
          {"layerTreeId": 1, "frameSeqId": 9, "hasPartialUpdate": true}}
      ], "metadata": {"a": [true, null, -1.5e3]}}
      """
    let imported = try log(text)
    let stream = try #require(imported.streams.first)
    #expect(imported.format == .chromeTrace)
    #expect(stream.process == "Renderer")
    // Neither of the frames that are reported as dropped was drawn as well.
    #expect(stream.displayChanges == 2)
    #expect(stream.count("dropped_frames") == 2)
    #expect(stream.count("expected_frames") == 4)
    #expect(stream.values["frame_ms_max"] == .real(10))
  }

  @Test func `the period is derived from target times`() throws {
    var text = "timestamp,target\n"
    for vsync in [0, 1, 2, 5, 6] {
      text += "\(Double(vsync) / 120),\(Double(vsync + 1) / 120)\n"
    }
    let stream = try #require(try log(text).streams.first)
    #expect(abs((stream.refreshHz ?? 0) - 120) < 0.01)
    #expect(stream.count("expected_frames") == 6)
    #expect(stream.count("dropped_frames") == 2)
    #expect(stream.count("longest_gap_vsyncs") == 2)
  }

  @Test(arguments: [("timestamp", "0.05"), ("timestamp_ms", "50"), ("timestamp_ns", "50000000")])
  func `the unit of a timestamp is derived from its name`(_ column: String, _ value: String) throws
  {
    let stream = try #require(try log("a,\(column)\n1,0\n1,\(value)\n", hz: 60).streams.first)
    #expect(stream.values["frame_ms_max"] == .real(50))
    #expect(stream.count("dropped_frames") == 2)
  }

  @Test func `impossible values are left out and named`() throws {
    let text = """
      Application,ProcessID,SwapChainAddress,FrameTime,DisplayedTime
      a.exe,1,0x0,16.7,16.7
      a.exe,1,0x0,-1.84e15,16.7
      a.exe,1,0x0,NA,1844674407370955.1
      """
    let stream = try #require(try log(text, hz: 60).streams.first)
    #expect(stream.displayChanges == 3)
    #expect(stream.count("expected_frames") == 2)
    #expect(stream.values["frame_ms_max"] == .real(16.7))
    #expect(stream.warnings.first?.contains("2 impossible values") == true)
    #expect(stream.warnings.first?.contains("line 3: '-1.84e15'") == true)
    #expect(stream.warnings.last?.contains("1 rows hold no frame time") == true)
  }

  @Test func `each process and each swap chain is a row`() throws {
    let text = """
      Application,ProcessID,SwapChainAddress,MsBetweenPresents
      a.exe,1,0xA,10
      b.exe,2,0xB,20
      a.exe,1,0xC,30
      a.exe,1,0xA,10
      """
    let streams = try log(text).streams
    #expect(streams.map(\.process) == ["a.exe 1", "b.exe 2", "a.exe 1"])
    #expect(streams.map(\.swapChain) == ["0xA", "0xB", "0xC"])
    #expect(streams.map(\.rows) == [2, 1, 1])
  }

  @Test(arguments: ["phone.pftrace", "packed.pftrace"])
  func `a phone's frames have the jank types of its FrameTimeline`(_ file: String) throws {
    let path = Project.folder.appending(path: "Tests/Fuzz/Seeds/recording-perfetto/\(file)").path
    let imported = try ImportedLog(try ByteSource(path: path), refresh: nil)
    #expect(imported.format == .frameTimeline)
    let stream = try #require(imported.streams.first)
    #expect(imported.streams.map(\.process) == ["com.example.app"])
    #expect(stream.rows == 4 && stream.displayChanges == 3)
    #expect(stream.count("expected_frames") == 4)
    #expect(stream.count("dropped_frames") == 1)
    // By the vsyncs, as `learn` counts; FrameTimeline's own verdicts are in the columns of its jank types.
    #expect(stream.count("deadline_missed_frames") == 1)
    #expect(stream.count("stuffed_frames") == 1)
    // The UI thread's work; with the second stage the frame took 22.5 ms.
    #expect(stream.values["frame_ms_max"]?.number == 6.9)
  }
  @Test func `a page in Chrome has the same numbers in JSON and in Perfetto's format`() throws {
    let logs = try ["recording-chrome/page.json", "recording-perfetto/page.pftrace"].map { seed in
      let path = Project.folder.appending(path: "Tests/Fuzz/Seeds/\(seed)").path
      return try ImportedLog(try ByteSource(path: path), refresh: nil)
    }
    #expect(logs.map(\.format) == [.chromeTrace, .chromeTrace])
    let streams = try logs.map { try #require($0.streams.first) }
    #expect(streams.map(\.process) == ["Renderer", "Renderer"])
    #expect(streams.map(\.swapChain) == ["layers 1", "layers 1"])
    #expect(streams[0].values == streams[1].values && streams[0].rows == streams[1].rows)
    #expect(streams[1].count("dropped_frames") == 1)
    #expect(streams[1].count("long_animation_frames") == 1)
    #expect(streams[1].values["inp_ms"]?.number == 32)
  }
}
