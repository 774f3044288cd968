import FrameBudget
import FrameBudgetParsing
import Testing

@testable import FrameBudgetCaptures

/// The content of each format, in recordings in which everything is known.
struct SeedTests {
  @Test func `a page in Chrome has tasks, posts, measures and frames`() throws {
    let index = try Seeds.index("recording-chrome/page.json")
    #expect(index.threads.map(\.slices) == [5, 1, 1])
    #expect(index.threads.map(\.tasks) == [2, 1, 1])
    let recording = try Seeds.read("recording-chrome/page.json")
    #expect(recording.process == RecordedProcess(number: 7, name: "Renderer"))
    #expect(recording.threads.map(\.name) == ["CrRendererMain", "Compositor"])
    #expect(
      recording.lines(0) == [
        "0 RunTask 500.0 5000.0 4000.0", "1 FunctionCall 600.25 3000.5 2000.125",
        "1 import 4500.0 1000.0", "0 RunTask 19500.0 20000.0 19000.0", "1 import 19500.0 1000.0",
        "1 parse é 20500.0 8000.0 7000.0", "2 import 20500.0 500.0", "1 work 29500.0 5000.0",
        "1 Commit 37500.0 500.0",
      ])
    #expect(recording.threads[0].slices.map(\.continues).filter(\.self).count == 2)
    #expect(recording.postLines(0) == ["3 2550.0"])
    #expect(
      recording.frameLines == [
        "450.0 shown - 17117.0", "17117.0 dropped - -", "33784.0 partial 35500-38000 50451.0",
        "50451.0 notWanted - -",
      ])
    #expect(recording.period == .microseconds(16_667))
    #expect(
      recording.figures.map { "\($0.metric.name) \($0.value)" } == [
        "interactions 1", "inp_ms 32", "inp_input_delay_ms 1.5", "inp_processing_ms 16.25",
        "inp_presentation_ms 14.25", "long_animation_frames 1", "long_animation_frame_ms 51.25",
        "long_animation_frame_blocking_ms 4", "main_long_tasks 0", "chrome_dropped_frames 1",
      ])
    #expect(recording.cores == 4)
    #expect(recording.length == .microseconds(50_451))
    #expect(recording.doubts.count == 2)
    #expect(recording.doubts.contains { $0.contains("2 times slower") })
    #expect(recording.doubts.contains { $0.hasPrefix("1 of the app's own measures") })
  }

  @Test func `another process can be selected by number or by name`() throws {
    for process in ["2", "Browser", "Brow"] {
      let recording = try Seeds.read(
        "recording-chrome/page.json", choosing: RecordingChoice(process: process))
      #expect(recording.process.number == 2)
      #expect(recording.lines(0) == ["0 RunTask 0.0 100.0"])
    }
    let compositor = try Seeds.read(
      "recording-chrome/page.json", choosing: RecordingChoice(thread: "Compositor"))
    #expect(compositor.threads.map(\.name) == ["Compositor", "CrRendererMain"])
  }

  @Test func `a part has the tasks and frames that begin in it, from its own time 0`() throws {
    let recording = try Seeds.read(
      "recording-chrome/page.json",
      choosing: RecordingChoice(from: .milliseconds(17), to: .milliseconds(40)))
    #expect(recording.lines(0).first == "0 RunTask 2500.0 20000.0 19000.0")
    // It was posted before.
    #expect(recording.postLines(0) == ["0 -14450.0"])
    #expect(recording.frameLines == ["117.0 dropped - -", "16784.0 partial 18500-21000 33451.0"])
    #expect(recording.length == .milliseconds(23))
  }

  /// Frame 10 is drawn in 2.9 ms, 11 wanted nothing, and 12 was dropped.
  @Test func `a page without devtools.timeline has the compositor's main frames`() throws {
    let recording = try Seeds.read("recording-chrome/main-frames.json")
    #expect(
      recording.frameLines == [
        "0.0 shown 300-3200 16600.0", "16667.0 notWanted 17000-17200 -",
        "33334.0 dropped 34500-54500 -",
      ])
    #expect(
      recording.figures.map { "\($0.metric.name) \($0.value)" } == ["chrome_dropped_frames 1"])
    #expect(recording.doubts == [])
    let text = String(
      decoding: try Seeds.bytes("recording-chrome/main-frames.json"), as: UTF8.self)
    let without = try RecordingFile.read(
      Array(text.replacing("ProxyMain::", with: "Other::").utf8), name: "page")
    #expect(without.frames.allSatisfy { $0.work == nil })
    #expect(without.doubts.count == 1 && without.doubts[0].contains("lacks the categories"))
  }

  @Test func `an app of Flutter has frames that are built and rastered`() throws {
    let index = try Seeds.index("recording-flutter/timeline.json")
    #expect(index.format == .flutter)
    #expect(index.because == "it is the UI thread of Flutter's engine")
    let recording = try Seeds.read("recording-flutter/timeline.json")
    #expect(
      recording.lines(0) == [
        "0 VsyncProcessCallback 100.0 1700.0", "1 Animator::BeginFrame 110.0 1590.0",
        "2 BUILD 200.0 900.0 800.0",
      ])
    #expect(recording.lines(1) == ["0 GPURasterizer::Draw 1750.0 2000.0"])
    #expect(recording.postLines(0) == [])
    #expect(recording.postLines(1) == ["0 1610.0"])
    #expect(recording.frameLines == ["0.0 - 110-1610 -"])
    #expect(recording.frames.map(\.ready) == [.microseconds(3750)])
    #expect(recording.period == .nanoseconds(16_666_667))
    #expect(recording.doubts == ["1 slices began and never ended: they are left out"])
  }

  /// Raster of frame 2 begins before the UI thread's slice of it ends, and that of frame 1 belongs to no frame. Of frame 3 the
  /// hand-over, the surfaces and the submission are recorded: built in 3 ms, and 51.5 - 20.82 = 30.68 ms on the raster thread.
  @Test func `an app of Flutter has its raster times by the numbers of frames`() throws {
    let recording = try Seeds.read("recording-flutter/numbers.json")
    #expect(recording.frames.map(\.number) == [2, 3, 4])
    #expect(
      recording.frameLines == [
        "400.0 - 510-4510 -", "17066.667 - 17210-20210 -", "33733.334 - 33800-34800 -",
      ])
    #expect(recording.frames.map { $0.ready?.inMicroseconds } == [7300, 51_300, 54_400])
    #expect(
      recording.frames.compactMap(\.stage).lines == ["4300-7300", "20320-51000", "51400-54400"])
    let figures = recording.figures.map { "\($0.metric.title) \($0.value)" }
    #expect(
      figures == [
        "average frame build time 2.666667", "90th percentile frame build time 4",
        "99th percentile frame build time 4", "worst frame build time 4",
        "missed frame build budget count 0", "average frame rasterizer time 12.226667",
        "90th percentile frame rasterizer time 30.68",
        "99th percentile frame rasterizer time 30.68", "worst frame rasterizer time 30.68",
        "missed frame rasterizer budget count 1",
      ])
    // A part of the recording has the figures of its frames.
    let part = try Seeds.read(
      "recording-flutter/numbers.json", choosing: RecordingChoice(from: .milliseconds(30)))
    #expect(part.frames.compactMap(\.stage).lines == ["21400-24400"])
    #expect(part.figures.first?.value == .real(1))
  }

  @Test(arguments: ["trace.txt", "page.html"])
  func `an app on Android has what the kernel saw`(_ file: String) throws {
    let recording = try Seeds.read("recording-systrace/\(file)")
    #expect(recording.format == .systrace)
    #expect(recording.process == RecordedProcess(number: 300, name: "my-app-x"))
    #expect(recording.threads.map(\.name) == ["my-app-x", "RenderThread", "[x]"])
    #expect(
      recording.lines(0) == [
        "0 Choreographer#doFrame 41 2000.0 6000.0 4000.0",
        "1 Record View#draw()|odd 3000.0 4000.0 2000.0",
      ])
    #expect(recording.threads[0].runs?.lines == ["1500-4000", "6000-9000"])
    #expect(recording.threads[0].ready?.lines == ["1000-1500", "4000-6000"])
    #expect(recording.postLines(0) == ["0 1000.0"])
    #expect(recording.lines(1) == ["0 DrawFrames 41 8500.0 4000.0 0.0"])
    #expect(recording.frameLines == ["0.0 - 2000-8000 -"])
    #expect(recording.frames.map(\.ready) == [.microseconds(12_500)])
    #expect(recording.period == .microseconds(16_600))
    #expect(recording.cores == 1)
  }

  @Test(arguments: ["phone.pftrace", "packed.pftrace"])
  func `a phone's frames have outcomes, with several kinds of clocks`(_ file: String) throws {
    let recording = try Seeds.read("recording-perfetto/\(file)")
    #expect(recording.format == .perfetto)
    #expect(recording.process == RecordedProcess(number: 300, name: "com.example.app"))
    #expect(recording.threads.map(\.name) == ["main", "worker"])
    #expect(
      recording.lines(0) == [
        "0 Choreographer#doFrame 1 800.0 3000.0 3000.0", "1 measure 1800.0 1000.0 1000.0",
        "0 Choreographer#doFrame 2 19800.0 2000.0 0.0",
      ])
    #expect(recording.lines(1) == ["0 decode 5800.0 500.0 500.0", "0 encode 6800.0 250.0 0.0"])
    #expect(recording.threads[0].runs?.lines == ["300-4300", "5300-8800"])
    #expect(recording.threads[0].ready?.lines == ["0-300", "4300-5300"])
    #expect(recording.postLines(0) == ["0 0.0"])
    #expect(recording.postLines(1) == ["0 1300.0"])
    #expect(
      recording.frameLines == [
        "700.0 shown 800-3800 16800.0", "17300.0 late 19800-21800 -",
        "33900.0 stuffed 33900-40800 -", "50500.0 dropped 50500-51800 -",
      ])
    #expect(
      recording.frames.map { $0.ready?.inMicroseconds } == [5800.0, 39_800.0, 40_800.0, 51_800.0])
    #expect(recording.frames.map { $0.due?.inMicroseconds } == [17_300.0, nil, nil, nil])
    #expect(recording.cores == 2)
    #expect(recording.doubts.first?.hasPrefix("1 packets use an unknown clock") == true)
  }

  @Test func `a page in Chrome is the same in Perfetto's track events`() throws {
    let path = "recording-perfetto/page.pftrace"
    let index = try Seeds.index(path)
    #expect(index.threads.map(\.name) == ["CrRendererMain", "CrBrowserMain"])
    #expect(index.threads.map(\.slices) == [7, 1] && index.threads.map(\.tasks) == [3, 1])
    #expect(index.chosen == 0 && index.threads.map(\.frames) == [1, 0])
    let recording = try Seeds.read(path)
    #expect(recording.format == .chrome)
    #expect(recording.process == RecordedProcess(number: 7, name: "Renderer"))
    #expect(
      recording.lines(0) == [
        "0 RunTask 50.0 5000.0 3950.0", "1 FunctionCall 150.0 3000.0 2000.0",
        "1 import 4050.0 1000.0", "0 RunTask 19050.0 20000.0 17000.0", "1 import 19050.0 1000.0",
        "1 parse é 20050.0 8000.0 7000.0", "2 import 20050.0 500.0", "1 work 29050.0 5000.0",
        "1 Commit 37050.0 500.0 500.0", "0 RunTask 44050.0 1000.0", "1 TimerFire 44150.0 800.0",
      ])
    // Another process posted one; a timer was due.
    #expect(recording.postLines(0) == ["3 1600.0", "9 24550.0"])
    #expect(
      recording.frameLines == [
        "0.0 shown - 16667.0", "16667.0 dropped - -", "33334.0 partial 35050-37550 50001.0",
        "50001.0 notWanted - -",
      ])
    #expect(recording.period == .microseconds(16_667))
    #expect(
      recording.figures.map { "\($0.metric.name) \($0.value)" } == [
        "interactions 1", "inp_ms 32", "inp_input_delay_ms 1.5", "inp_processing_ms 16.25",
        "inp_presentation_ms 14.25", "long_animation_frames 1", "long_animation_frame_ms 51.25",
        "long_animation_frame_blocking_ms 4", "main_long_tasks 0", "chrome_dropped_frames 1",
      ])
    #expect(
      recording.doubts == [
        "1 packets refer to packets that the recorder lost, and are left out",
        "1 of the app's own measures are left out: they do not begin and end in tasks",
      ])
  }

  @Test func `FrameTimeline without slices has frames and deadlines`() throws {
    let path = "recording-perfetto/frames.pftrace"
    let index = try Seeds.index(path)
    #expect(index.threads.map { [$0.process.number, $0.slices, $0.frames] } == [[300, 0, 6]])
    #expect(index.chosen == 0)
    let recording = try Seeds.read(path)
    #expect(recording.process == RecordedProcess(number: 300, name: "com.example.app"))
    #expect(recording.threads.map(\.number) == [300] && recording.threads[0].slices.isEmpty)
    // The fifth began before the end of the fourth, so the fourth was drawn by then.
    #expect(
      recording.frameLines == [
        "0.0 shown 500-8500 -", "16666.667 shown 17166-25166 -", "33333.334 shown 33833-41833 -",
        "50000.001 late 50500-71500 -", "66666.668 shown 71666-79666 -",
        "83333.335 shown 83833-91833 -",
      ])
    #expect(recording.frames.map { $0.due?.nanoseconds } == (1...6).map { $0 * 16_666_667 })
    #expect(recording.figures.contains { $0.metric.name.contains("deadline") })
  }

  @Test func `an app of Flutter has its frames in Perfetto's track events`() throws {
    let recording = try Seeds.read("recording-perfetto/flutter.pftrace")
    #expect(recording.format == .flutter)
    #expect(
      recording.lines(0).prefix(3) == [
        "0 VsyncProcessCallback 100.0 1700.0", "1 Animator::BeginFrame 110.0 1590.0",
        "2 BUILD 200.0 900.0",
      ])
    #expect(recording.frameLines == ["0.0 - 110-1700 -", "16667.0 - 16777-18367 -"])
    #expect(recording.frames.map { $0.ready?.inMicroseconds } == [3750, 20_417])
    #expect(recording.period == .microseconds(16_667))
  }

  @Test func `a trace of our own has its threads, frames and drops`() throws {
    let index = try Seeds.index("traces/seed.json")
    #expect(index.format == .framebudget && index.format.title == "framebudget trace")
    #expect(index.threads.map(\.name) == ["main", "main", "add-file"])
    for process in ["1", "4"] {
      let recording = try Seeds.read(
        "traces/seed.json", choosing: RecordingChoice(process: process))
      #expect((recording.count(.dropped), recording.count(.shown)) == (1, 5))
      #expect(recording.frames.compactMap(\.work).count == 5)
      #expect(recording.period.map { $0.nanoseconds / 100_000 } == 166)
      let frames = recording.tasks.filter { recording.names[Int($0.name)].hasSuffix("frame") }
      #expect(frames.count == 5)
    }
    let recording = try Seeds.read("traces/seed.json", choosing: RecordingChoice(process: "4"))
    #expect(recording.threads.map(\.posts.count) == [0, 12])
  }
}
