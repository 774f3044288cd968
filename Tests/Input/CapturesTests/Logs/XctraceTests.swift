import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import TestSupport
import Testing

struct XctraceTests {
  private static func seed() throws -> String {
    String(decoding: try Seeds.bytes("logs/instruments.xml"), as: UTF8.self)
  }

  private func stream(_ log: ImportedLog, _ process: String) throws -> ImportedFrames {
    try #require(log.streams.first { $0.process == process }, "\(log.streams.map(\.process))")
  }

  private func value(_ stream: ImportedFrames, _ metric: String) -> Double? {
    stream.values[metric]?.number.map { ($0 * 1000).rounded() / 1000 }
  }

  /// Hitches of 16.667 and 33.333 ms; potential hangs of 80, 300, 600 and 2500 ms, of which three exceed 250 ms and one each is
  /// a microhang, a hang and a severe hang. They span from 1 s to 4 + 2.5 s.
  @Test func `hitches and hangs count by process, with cells that are references`() throws {
    let log = try log(Self.seed())
    #expect(log.format == .xctrace)
    let app = try stream(log, "Test & App (12)")
    #expect(app.rows == 6 && app.count("hitch_count") == 2)
    #expect(value(app, "hitch_total_ms") == 50 && value(app, "hitch_max_ms") == 33.333)
    #expect(app.count("potential_hangs") == 4 && value(app, "potential_hang_ms") == 3480)
    #expect(app.count("hang_count") == 3 && value(app, "hang_total_ms") == 3400)
    let classes = ["hangs_micro", "hangs_full", "hangs_severe"].map { app.count($0) }
    #expect(classes == [1, 1, 1] && app.duration == .milliseconds(5500))
    let other = try stream(log, "Other (13)")
    #expect(other.count("hitch_count") == 1 && value(other, "hitch_total_ms") == 16.667)
  }

  @Test func `an export without a row says which one to make`() throws {
    let schema = "<schema name=\"hitches\"><col><mnemonic>start</mnemonic></col></schema>"
    let empty = Array(
      "<?xml version=\"1.0\"?><trace-query-result><node>\(schema)</node></trace-query-result>".utf8)
    let errors = [
      #expect(throws: InputError.self) {
        try ImportedLog(ByteSource(empty, name: "x"), refresh: nil)
      },
      #expect(throws: InputError.self) { try RecordingFile.index(empty, name: "x") },
    ]
    for error in errors {
      let said = error?.description ?? ""
      #expect(said.contains("without a row, so nothing of that kind was recorded"), "\(said)")
      #expect(said.contains("--xpath '/trace-toc/run/data/table[@schema=\"hitches\"]'"), "\(said)")
    }
  }

  /// Vsyncs 8.333 ms apart; four pictures from 0 to 50 ms.
  @Test func `a display has its rate and its pictures, and nothing that was not recorded`() throws {
    let log = try log(Self.seed())
    let display = try stream(log, "Display 1")
    #expect(display.rows == 7 && display.refreshHz == 120)
    #expect(display.displayChanges == 4 && value(display, "average_fps") == 60)
    #expect(display.duration == .milliseconds(50))
    for metric in [
      "dropped_frames", "expected_frames", "hitch_count", "hang_count", "frozen_frames",
    ] {
      #expect(display.values[metric] == nil, "\(metric)")
    }
    let app = try stream(log, "Test & App (12)")
    #expect(app.refreshHz == 120 && app.displayChanges == nil && app.supersededFrames == nil)
    for metric in ["dropped_frames", "hitch_ratio_ms_per_s", "average_fps", "frame_ms_p50"] {
      #expect(app.values[metric] == nil, "\(metric)")
    }
    #expect(app.warnings.contains { $0.contains("do not say at which vsyncs a frame was wanted") })
  }

  /// Three surfaces at 0, one at 16.667 and two at 33.333 ms.
  @Test func `surfaces at one time are one picture, and none is superseded`() throws {
    let schema =
      "<schema name=\"displayed-surfaces-interval\"><col><mnemonic>start</mnemonic></col></schema>"
    let rows = [0, 0, 0, 16_666_667, 33_333_333, 33_333_333].map {
      "<row><start-time>\($0)</start-time></row>"
    }
    let text =
      "<?xml version=\"1.0\"?><trace-query-result><node xpath='a'>\(schema)\(rows.joined())</node></trace-query-result>"
    let display = try #require(try log(text, hz: 60).streams.first)
    #expect(display.rows == 6 && display.displayChanges == 3)
    #expect(display.supersededFrames == nil)
    #expect(display.duration == .nanoseconds(33_333_333) && value(display, "average_fps") == 60)
  }

  @Test(arguments: [
    ("name=\"hitches\"", "name=\"hitches-renders\"", "is of a stage of frames, and stages overlap"),
    ("name=\"hitches\"", "name=\"time-sample\"", "has no frames; supported: hitches"),
    ("16666666</duration>", "much</duration>", "the column 'duration' has no duration"),
    ("<process ref=\"3\"/>", "<process ref=\"x\"/>", "has no element with the id"),
    ("</row>", "</node>", "closes no element"),
    ("<trace-query-result>", "<trace-query-result><!DOCTYPE a []>", "document types"),
    ("<node", "<strange/><node", "<strange> is not a part of an export"),
    ("&amp;", "&nbsp;", "does not begin a known entity"),
  ])
  func `a stage's table, and a broken export, are refused in a line`(
    _ part: String, _ other: String, _ reason: String
  ) throws {
    let text = try Self.seed().replacing(part, with: other)
    let message = try #require(failure(Array(text.utf8)))
    #expect(message.contains(reason) && !message.contains("\n"), "\(message)")
  }

  @Test func `a cut-off export is an error`() throws {
    let text = try Self.seed()
    let message = try #require(failure(Array(text.utf8.prefix(text.utf8.count / 2))))
    #expect(message.contains("the text ends within"), "\(message)")
  }

  // MARK: Real exports

  private static let folder = SharedData.folder.map { $0 + "/xctrace" }
  private static let hasExports =
    folder.map { FileManager.default.fileExists(atPath: $0 + "/hitches.xml") } ?? false

  private func real(_ file: String) throws -> ImportedFrames {
    let log = try SharedData.read("xctrace/\(file).xml")
    #expect(log.streams.count == 1)
    return try #require(log.streams.first)
  }

  /// The rows, the sum of their durations and the longest in ns, how many exceed 250 ms, and the rate of their timestamps.
  private func totals(_ file: String) throws -> [Double] {
    let script = Project.folder.appending(path: "Tests/Input/CapturesTests/Logs/xctrace.py")
    let path = "\(try #require(Self.folder))/\(file).xml"
    let data = try SharedData.output(
      of: try #require(IndependentTotalsTests.python), [script.path, path])
    return String(decoding: data, as: UTF8.self).split { $0.isWhitespace }.compactMap { Double($0) }
  }

  @Test(
    .enabled(if: hasExports, SharedData.missing),
    .enabled(
      if: IndependentTotalsTests.python != nil, "no python3: totals are not held against the script"
    ))
  func `hitch time, hang count and refresh rate equal those of a script on the same files`() throws
  {
    let hitches = try real("hitches")
    let hitchTotals = try totals("hitches")
    #expect(
      hitchTotals.count == 5 && hitches.count("hitch_count").map(Double.init) == hitchTotals[0])
    #expect(hitches.values["hitch_total_ms"] == .real(hitchTotals[1] / 1e6))
    #expect(hitches.values["hitch_max_ms"] == .real(hitchTotals[2] / 1e6))
    let hangs = try real("potential-hangs")
    let hangTotals = try totals("potential-hangs")
    #expect(hangs.count("potential_hangs").map(Double.init) == hangTotals[0])
    #expect(hangs.values["potential_hang_ms"] == .real(hangTotals[1] / 1e6))
    #expect(hangs.count("hang_count").map(Double.init) == hangTotals[3])
    for file in ["display-vsyncs-interval", "display-surface-swap"] {
      let display = try real(file)
      let rate = try totals(file)
      #expect(Double(display.rows) == rate[0])
      let ours = try #require(display.refreshHz ?? display.values["average_fps"]?.number)
      #expect(abs(ours - rate[4]) < 0.01, "\(file): \(ours), \(rate[4])")
    }
  }

  /// By a script that adds up the column `duration` of the rows: 11 hitches, 616.666828 ms, the longest 216.666666 ms; 23
  /// potential hangs, 2201.722876 ms, none above 250 ms; 10 vsyncs in 150 ms; 12 pictures.
  @Test(.enabled(if: hasExports, SharedData.missing))
  func `hitch time, hangs and refresh rate of real exports equal those of a script`() throws {
    let hitches = try real("hitches")
    #expect(hitches.process == "TestApp (12345)" && hitches.count("hitch_count") == 11)
    #expect(value(hitches, "hitch_total_ms") == 616.667)
    #expect(value(hitches, "hitch_max_ms") == 216.667)
    let hangs = try real("potential-hangs")
    #expect(hangs.count("potential_hangs") == 23 && hangs.rows == 23)
    #expect(value(hangs, "potential_hang_ms") == 2201.723)
    #expect(hangs.count("hang_count") == 0 && value(hangs, "hang_total_ms") == 0)
    #expect(hangs.values["hitch_count"] == nil)
    let vsyncs = try real("display-vsyncs-interval")
    #expect(vsyncs.rows == 10 && vsyncs.refreshHz == 60)
    for file in ["display-surface-swap", "displayed-surfaces-interval"] {
      let pictures = try real(file)
      #expect(pictures.displayChanges == 12)
      #expect(value(pictures, "average_fps") == 60)
    }
    let error = #expect(throws: InputError.self) {
      try SharedData.read("xctrace/hitches-renders.xml")
    }
    #expect(error?.description.contains("export the table 'hitches'") == true)
  }
}
