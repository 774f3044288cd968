import FrameBudget
import FrameBudgetCaptures
import Testing

/// Logs that contradict themselves, or have an unusual form.
struct ContradictoryLogTests {
  static let header = DisplayClockTests.header

  @Test func `an image of 0 ms was not shown, and counts neither as frame nor for the rate`() throws
  {
    var text = Self.header
    for row in 0..<300 {
      let interval = row % 3 == 2 ? "0" : "16.6667"
      text += "a.exe,1,0x0,0,0,\(Double(row) / 90),11.1111,\(interval)\n"
    }
    let stream = try log(text, hz: 60).streams[0]
    #expect(stream.displayChanges == 200)
    #expect(stream.supersededFrames == 100)
    #expect(stream.count("presented_frames") == 199)
    #expect(stream.count("dropped_frames") == 0)
    let seconds = stream.duration.inSeconds
    #expect(abs(seconds - 199 / 60.0) < 0.001)
    #expect(abs((stream.values["average_fps"]?.number ?? 0) - 60) < 0.01)
    #expect(
      stream.warnings.contains { $0.contains("100 rows were shown for 0 ms") })
  }

  /// Its first row looks back to long before it began.
  @Test func `the duration of a log excludes time before its recording`() throws {
    let text =
      Self.header + "a.exe,1,0x0,0,0,10.0,5000,5000\n"
      + (1...60).map { "a.exe,1,0x0,0,0,\(10 + Double($0) / 60),16.6667,16.6667\n" }.joined()
    let stream = try log(text, hz: 60).streams[0]
    #expect(abs(stream.duration.inSeconds - 1) < 0.001)
    #expect(stream.count("dropped_frames") == 0)
    #expect(stream.warnings.isEmpty)
  }

  @Test func `frame times that add up to more than the recording are reported`() throws {
    let text =
      Self.header
      + (0..<100).map { "a.exe,1,0x0,0,0,\(Double($0) / 60),16.6667,33.3333\n" }.joined()
    let stream = try log(text, hz: 60).streams[0]
    #expect(stream.warnings.contains { $0.contains("add up to 3.3 s, while the rows span 1.7 s") })
  }

  @Test(arguments: ["TimeInSeconds", "TimeInDateTime", "CPUStartDateTime"])
  func `dates and times are instants`(_ column: String) throws {
    let header = "Application,ProcessID,SwapChainAddress,\(column),MsBetweenPresents\n"
    func row(_ time: String) -> String { "a.exe,1,0x0,\(time),16.7\n" }
    let text =
      header + row("2026-3-31 23:59:59.990000000") + row("2026-4-1 0:00:00.006700000")
      + row("2026-04-01T00:00:00.0234Z")
    let stream = try log(text).streams[0]
    #expect(stream.rows == 3)
    #expect(stream.warnings.count == 1, "only that there are no display times: \(stream.warnings)")
    #expect(
      failure(Array((header + row("2026-4-2 0:00:00") + row("2026-4-1 0:00:00")).utf8))
        == "log:3: the row is more than 1 s older than one above it; rows must be in order")
    #expect(
      failure(Array((header + row("2026-13-1 0:00:00")).utf8))
        == "log:2: '2026-13-1 0:00:00' is neither a number nor a date and time")
  }

  @Test func `an indented dump is read as any other`() throws {
    let block = """
      ---PROFILEDATA---
      Flags,IntendedVsync,Vsync,FrameCompleted,FrameInterval,
      0,1000000000,1000000000,1016666666,16666667,
      0,1016666667,1016666667,1033333335,16666667,
      ---PROFILEDATA---

      """
    let greeting = "Applications Graphics Acceleration Info:\nWindow: a.b/Main\n"
    let plain = try log(greeting + block).streams
    for indent in ["  ", "\t", "\t  "] {
      let indented = (greeting + block).split(separator: "\n").map { indent + $0 + "\n" }.joined()
      let streams = try log(indented).streams
      #expect(streams.map(\.values) == plain.map(\.values))
      #expect(streams.map(\.process) == ["a.b/Main"])
    }
  }

  /// A frame in each vsync, each two vsyncs long: late by one from the first on, but none is missing after it.
  @Test func `overlapping frames drop only the vsyncs without an image`() throws {
    let rows = (0..<60).map { frame in
      let vsync = 1_000_000_000 + frame * 16_666_667
      return "0,\(vsync),\(vsync),\(vsync + 24_900_000),16666667,\n"
    }
    let text =
      "Applications Graphics Acceleration Info:\n---PROFILEDATA---\n"
      + "Flags,IntendedVsync,Vsync,FrameCompleted,FrameInterval,\n" + rows.joined()
    let stream = try log(text).streams[0]
    #expect(stream.count("presented_frames") == 60)
    #expect(stream.count("dropped_frames") == 1)
  }

  @Test(arguments: [
    ("timestamp_ns\n-9000000000000000000\n9000000000000000000\n", 2),
    ("timestamp_ns\n0\n9000000000000000000\n", 3),
    ("timestamp\n0\n1e30\n", 3),
    ("fps,frametime,elapsed\n60,16,0\n60,16,99999999999999999999\n", 3),
  ])
  func `an instant that overflows is an error with its place`(_ text: String, _ line: Int) {
    let message = failure(Array(text.utf8))
    #expect(message?.hasPrefix("log:\(line): ") == true, "\(message ?? "none")")
    #expect(message?.contains("out of range") == true)
  }

  /// No value is more than an hour, but their sum exceeds 64 bits.
  @Test func `times whose sum overflows are an error`() {
    let rows = String(repeating: "0.001,3599999,0\n", count: 700_000)
    let message = failure(Array(("fps,frametime,elapsed\n" + rows).utf8))
    #expect(message?.contains("more than 73 years") == true, "\(message ?? "none")")
  }

  @Test(arguments: [
    (
      ["0", "0.016", "120", "120.016", "300"], "2 gaps of more than a minute, the longest of 180 s"
    ),
    (["0", "0.016", "61", "61.016"], "1 gap of more than a minute, the longest of 61 s"),
    (["0", "0.016", "60", "60.016"], nil),
  ])
  func `a gap of more than a minute is reported`(_ instants: [String], _ warning: String?) throws {
    let stream = try log("timestamp\n" + instants.joined(separator: "\n"), hz: 60).streams[0]
    #expect(
      stream.warnings.first { $0.contains("of more than a minute") } == warning.map { "app: \($0)" }
    )
  }

  /// An app without anything to draw.
  @Test func `an idle gap of more than a minute between frames is reported`() throws {
    let rows = [0, 16_666_667, 200_000_000_000].map { vsync in
      "0,\(vsync),\(vsync),\(vsync + 9_000_000),16666667,\n"
    }
    let text =
      "---PROFILEDATA---\nFlags,IntendedVsync,Vsync,FrameCompleted,FrameInterval,\n"
      + rows.joined()
    let stream = try log(text).streams[0]
    #expect(
      stream.warnings == ["window: 1 gap of more than a minute, the longest of 200 s"],
      "\(stream.warnings)")
    #expect(stream.count("dropped_frames") == 0)
  }
}
