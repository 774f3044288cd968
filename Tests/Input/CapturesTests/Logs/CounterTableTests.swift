import FrameBudget
import Foundation
import FrameBudgetCaptures
import TestSupport
import Testing

/// The table of imported logs in the results, from generated logs with known drops.
struct CounterTableTests {
  /// A log, the facts from which it was generated, and the figures of `import --hz`.
  struct Example {
    let name: String
    let truth: String
    let text: String
    let hz: Int64?
  }

  /// For presents this number of milliseconds apart: the number of vsyncs at 60 Hz, and of those without a new image.
  static func truth(_ interval: Double, _ count: Int) -> String {
    let shown = (1...count).map { (Double($0) * interval * 0.06).rounded(.up) }
    let last = Int(shown[count - 1] - shown[0])
    let dropped = last - (Set(shown).count - 1)
    return
      "\(dropped) of \(last) dropped (\(Decimal.text(100 * Double(dropped) / Double(last), places: 1)) %)"
  }

  static func app(_ interval: Double) -> String {
    "os,cpu\nx,y\nfps,frametime,elapsed\n"
      + (1...600).map { "\(1000 / interval),\(interval),\(Int(Double($0) * interval * 1e6))\n" }
      .joined()
  }

  /// A minute of 60 Hz in which the app hangs for 2.6 s, which are 156 vsyncs.
  static var hang: String {
    let intervals = (1...600).map { $0 == 300 ? 2600.0 : 1000.0 / 60 }
    return DisplayClockTests.log(intervals)
  }

  static var sampled: String {
    "os,cpu\nx,y\nfps,frametime,elapsed\n"
      + (1...30).map { "60.0,16.6667,\($0)000000000\n" }.joined()
  }

  static var zeros: String {
    var text = DisplayClockTests.header
    for row in 0...300 {
      let interval = row % 3 == 2 ? "0" : "16.6667"
      text += "a.exe,1,0x0,0,0,\(Double(row) / 90),11.1111,\(interval)\n"
    }
    return text
  }

  static let examples = [
    Example(
      name: "a frame every 24.9 ms, 60 Hz (MangoHud)", truth: truth(24.9, 600), text: app(24.9),
      hz: 60),
    Example(
      name: "a frame every 25.1 ms, 60 Hz (MangoHud)", truth: truth(25.1, 600), text: app(25.1),
      hz: 60),
    Example(
      name: "one hang of 2.6 s, 60 Hz (PresentMon 1)", truth: "155 of 755 dropped (20.5 %), 1 hang",
      text: hang, hz: 60),
    Example(
      name: "variable refresh rate, images 7 to 14 ms apart (PresentMon 1)",
      truth: "no vsync to miss",
      text: DisplayClockTests.log(DisplayClockTests.variable(600, from: 7, to: 14)), hz: 144),
    Example(
      name: "one frame of each second logged (MangoHud)", truth: "not in the log", text: sampled,
      hz: 60),
    Example(
      name: "partial updates (Chrome, `PipelineReporter`)",
      truth: "7 of 15 dropped (46.7 %), 1 partial",
      text: ChromeTraceTests.trace("aanndddabpafmnddda"), hz: nil),
    Example(
      name: "images shown for 0 ms (PresentMon 1)", truth: "0 of 200 dropped, 100 superseded",
      text: zeros, hz: 60),
  ]

  static func line(_ example: Example) throws -> String {
    let stream = try #require(try log(example.text, hz: example.hz).streams.first)
    func value(_ name: String, places: Int = 0) -> String {
      stream.values[name]?.number.map { Decimal.text($0, places: places) } ?? ""
    }
    let cells = [
      example.name, example.truth, value("expected_frames"), value("dropped_frames"),
      value("dropped_frames_pct", places: 1), value("hang_count"), value("average_fps", places: 1),
      stream.supersededFrames.map(String.init) ?? "", stream.partialFrames.map(String.init) ?? "",
    ]
    return "| \(cells.joined(separator: " | ")) |\n"
  }

  @Test func `the results show what import reads of logs whose truth is known`() throws {
    let table =
      "| log | truth | expected | dropped | % | hangs | fps | superseded | partial |\n"
      + "|---|---|---|---|---|---|---|---|---|\n" + (try Self.examples.map(Self.line).joined())
    let text = try Project.text("results/imported.md")
    #expect(text.hasSuffix("\n\n" + table), "the page should have:\n\(table)")
  }

  @Test func `a log that cannot give a count says why`() throws {
    for (place, words) in [(3, "variable refresh rate"), (4, "samples"), (6, "0 ms")] {
      let stream = try #require(
        try log(Self.examples[place].text, hz: Self.examples[place].hz).streams.first)
      #expect(stream.warnings.contains { $0.contains(words) }, "\(stream.warnings)")
    }
  }
}
