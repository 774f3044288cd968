import Foundation
import FrameBudget
import Importing
import Parsing
import TestSupport
import Testing

/// What PresentMon and CapFrameX print, by hand and against a short script that shares no code with the importer.
struct GameFigureTests {
  @Test(arguments: [
    ("presentmon_average_fps", 52.631579), ("presentmon_minimum_fps", 10),
    // p99 of 9 times 10 ms and 100 ms: 10 + 0.91 x 90 ms.
    ("presentmon_p1_fps", 10.8813928), ("presentmon_p5_fps", 16.8067227),
    ("presentmon_maximum_fps", 100), ("capframex_average_fps", 52.631579),
    // Rank 10.33 x 0.01 + 0.33 is below the first of ten.
    ("capframex_p1_fps", 10), ("capframex_p0_1_fps", 10),
    ("capframex_low_1pct_average_fps", 10), ("capframex_low_1pct_integral_fps", 10),
    ("presentmon_animation_error_ms", 2),
  ])
  func `a log of ten frames has the figures that follow by hand`(_ name: String, _ value: Double)
    throws
  {
    let times = Array(repeating: "10", count: 9) + ["100"]
    // Errors count without their sign; NA is none.
    let errors = Array(repeating: "NA", count: 7) + ["-3", "1", "2"]
    let rows = zip(times, errors).map { "a.exe,1,0x0,\($0),\($0),\($1)" }
    let text =
      (["Application,ProcessID,SwapChainAddress,FrameTime,DisplayedTime,AnimationError"] + rows)
      .joined(separator: "\n")
    let stream = try #require(try log(text, hz: 100).streams.first)
    #expect(abs((stream.values[name]?.number ?? -1) - value) < 1e-6)
  }

  @Test func `low FPS by frames and by time differ`() throws {
    // A thousand frames of 10 ms and twenty of 51 to 70 ms: 1 % of the frames are ten, 1 % of the time are two.
    let times = Array(repeating: "10", count: 1000) + (1...20).map { "\(50 + $0)" }
    let rows = times.map { "a.exe,1,0x0,\($0)" }
    let text =
      (["Application,ProcessID,SwapChainAddress,MsBetweenPresents"] + rows).joined(separator: "\n")
    let stream = try #require(try log(text).streams.first)
    func value(_ name: String) -> Double { stream.values[name]?.number ?? -1 }
    // 1 % of 11.21 s are 112.1 ms: 70 + 69 ms. Of 0.1 %, 11.2 ms, the longest is enough.
    #expect(abs(value("capframex_low_1pct_integral_fps") - 1000 / 69) < 1e-9)
    #expect(abs(value("capframex_low_0_1pct_integral_fps") - 1000 / 70) < 1e-9)
    // Rank 1020.33 x 0.99 + 0.33 = 1010.46: above 60 ms, so the ten from 61 to 70 ms count.
    #expect(abs(value("capframex_low_1pct_average_fps") - 1000 / 65.5) < 1e-9)
    #expect(abs(value("capframex_low_0_1pct_average_fps") - 1000 / 70) < 1e-9)
  }

  @Test(
    .enabled(
      if: IndependentTotalsTests.python != nil,
      "no python3: games' figures are not held against the script"),
    .enabled(if: SharedData.folder != nil, SharedData.missing),
    arguments: [
      "presentmon1_csgo_60hz.csv", "presentmon_gold_test_case_0.csv",
      "presentmon_gold_test_case_0_v1.csv", "presentmon_gold_test_case_0_v2.csv",
    ])
  func `figures of real logs are those of the script`(_ file: String) throws {
    let script = Project.folder.appending(path: "Tests/ImportingTests/games.py").path
    let data = try SharedData.output(
      of: try #require(IndependentTotalsTests.python),
      [script, "\(try #require(SharedData.folder))/\(file)"])
    let expected = String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    #expect(try SharedData.read(file).streams.map(Self.line) == expected)
  }

  private static func line(_ stream: ImportedFrames) -> String {
    let presentMon = [
      "average_fps", "minimum_fps", "p1_fps", "p5_fps", "maximum_fps", "animation_error_ms",
    ].map { ("presentmon_\($0)", "%.6g") }
    let capFrameX =
      ["average_fps"]
      + ["1", "0_2", "0_1"].flatMap {
        ["p\($0)_fps", "low_\($0)pct_average_fps", "low_\($0)pct_integral_fps"]
      }
    return (presentMon + capFrameX.map { ("capframex_\($0)", "%.2f") }).compactMap { name, format in
      stream.values[name]?.number.map { String(format: format, $0) }
    }.joined(separator: " ")
  }
}
