import Foundation
import FrameBudget
import FrameBudgetCaptures
import FrameBudgetParsing
import TestSupport
import Testing

/// Figures of PresentMon and CapFrameX, calculated by hand and by a short script that shares no code with the importer.
struct GameFigureTests {
  /// Times between presents and animation errors, in milliseconds, and the figures calculated from them by hand.
  struct Answers: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let times: [Double]
    let errors: [Double]
    let values: [String: Double]
  }

  private static func rates(
    average: Double, minimum: Double, p1: Double, p5: Double, maximum: Double,
    percentiles: [Double], averages: [Double], integrals: [Double]
  ) -> [String: Double] {
    var values = [
      "presentmon_average_fps": average, "presentmon_minimum_fps": minimum, "presentmon_p1_fps": p1,
      "presentmon_p5_fps": p5, "presentmon_maximum_fps": maximum, "capframex_average_fps": average,
    ]
    for (place, share) in ["1", "0_2", "0_1"].enumerated() {
      values["capframex_p\(share)_fps"] = percentiles[place]
      values["capframex_low_\(share)pct_average_fps"] = averages[place]
      values["capframex_low_\(share)pct_integral_fps"] = integrals[place]
    }
    return values
  }

  private static func rates(_ all: Double) -> [String: Double] {
    let same = [all, all, all]
    return rates(
      average: all, minimum: all, p1: all, p5: all, maximum: all, percentiles: same, averages: same,
      integrals: same)
  }

  private static func between(_ low: Double, _ high: Double, _ share: Double) -> Double {
    low + share * (high - low)
  }

  static let answers = [
    Answers(
      testDescription: "nine frames and a long one",
      times: Array(repeating: 10, count: 9) + [100], errors: [-3, 1, 2],
      values: rates(
        average: 1000 / 19, minimum: 10,
        // p99 of 9 times 10 ms and 100 ms: 10 + 0.91 x 90 ms; p95: 10 + 0.55 x 90 ms.
        p1: 1000 / 91.9, p5: 1000 / 59.5, maximum: 100,
        // Rank 10.33 x 0.01 + 0.33 is below the first of ten; the long frame is more than 1 % of the time.
        percentiles: [10, 10, 10], averages: [10, 10, 10], integrals: [10, 10, 10]
      ).merging(["presentmon_animation_error_ms": 2]) { $1 }),
    Answers(
      // 1 % of the frames are ten, 1 % of the time are two.
      testDescription: "a thousand frames and twenty of 51 to 70 ms",
      times: Array(repeating: 10, count: 1000) + (1...20).map { 50 + Double($0) }, errors: [],
      values: rates(
        average: 1000 * 1020 / 11210, minimum: 1000 / 70,
        // Place 1019 x 0.99 = 1008.81: 59.81 ms.
        p1: 1000 / 59.81, p5: 100, maximum: 100,
        // Ranks 1020.33 x share + 0.33: 10.5367, 2.374 and 1.3537, from the lowest rate on.
        percentiles: [
          between(1000 / 61, 1000 / 60, 0.536666666), between(1000 / 69, 1000 / 68, 0.374),
          between(1000 / 70, 1000 / 69, 0.353666666),
        ],
        // Ranks 1010.46, 1018.63 and 1019.65 of the times: above 60, 68 and 69 ms.
        averages: [1000 / 65.5, 1000 / 69.5, 1000 / 70],
        // 1 % of 11.21 s are 112.1 ms: 70 + 69 ms. Of 0.2 %, 22.4 ms, the longest is enough.
        integrals: [1000 / 69, 1000 / 70, 1000 / 70])),
    Answers(
      testDescription: "two frames", times: [10, 30], errors: [4, -4],
      values: rates(
        average: 50, minimum: 1000 / 30, p1: 1000 / 29.8, p5: 1000 / 29, maximum: 100,
        percentiles: [1000 / 30, 1000 / 30, 1000 / 30],
        averages: [1000 / 30, 1000 / 30, 1000 / 30], integrals: [1000 / 30, 1000 / 30, 1000 / 30]
      ).merging(["presentmon_animation_error_ms": 4]) { $1 }),
    Answers(
      testDescription: "four frames alike", times: [20, 20, 20, 20], errors: [0, 0, 0, 6],
      values: rates(50).merging(["presentmon_animation_error_ms": 1.5]) { $1 }),
    Answers(
      testDescription: "frames of 8 ms, and the first has no error", times: [8, 8], errors: [-0.5],
      values: rates(125).merging(["presentmon_animation_error_ms": 0.5]) { $1 }),
  ]

  @Test(arguments: answers)
  func `the figures of a log match a calculation by hand`(_ answers: Answers) throws {
    // Errors count without their sign; NA is none.
    let missing = Array(repeating: "NA", count: answers.times.count - answers.errors.count)
    let errors = missing + answers.errors.map { "\($0)" }
    let rows = zip(answers.times, errors).map { "a.exe,1,0x0,\($0),\($0),\($1)" }
    let text =
      (["Application,ProcessID,SwapChainAddress,FrameTime,DisplayedTime,AnimationError"] + rows)
      .joined(separator: "\n")
    let stream = try #require(try log(text, hz: 100).streams.first)
    for (name, value) in answers.values {
      let found = try #require(stream.values[name]?.number, "\(name)")
      #expect(abs(found - value) < 1e-6, "\(name): \(found), not \(value)")
    }
  }

  @Test
  func `each number of PresentMon and CapFrameX matches four calculations by hand`() {
    let names = RecordedMetric.all.map(\.name).filter {
      $0.hasPrefix("presentmon") || $0.hasPrefix("capframex")
    }
    #expect(names.count == 16)
    for name in names {
      #expect(Self.answers.count { $0.values[name] != nil } >= 4, "\(name)")
    }
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
  func `figures of real logs match those of the script`(_ file: String) throws {
    let script = Project.folder.appending(path: "Tests/Input/CapturesTests/Logs/games.py").path
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
