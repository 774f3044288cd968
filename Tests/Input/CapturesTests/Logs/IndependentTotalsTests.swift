import Foundation
import FrameBudget
import FrameBudgetCaptures
import TestSupport
import Testing

/// Each recording's totals, compared with a short script that shares no code with the importer.
@Suite(.enabled(if: SharedData.folder != nil, SharedData.missing)) struct IndependentTotalsTests {
  static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    .enabled(if: python != nil, "no python3: totals are not held against the script"),
    arguments: [
      "presentmon1_csgo_60hz.csv", "presentmon_gold_test_case_0.csv",
      "presentmon_gold_test_case_0_v1.csv", "presentmon_gold_test_case_0_v2.csv",
    ])
  func `totals equal those of the script`(_ file: String) throws {
    let script = try Self.totals(of: file)
    let streams = try SharedData.read(file, hz: 60).streams
    #expect(streams.map(Self.line) == script)
  }

  static func line(_ stream: ImportedFrames) -> String {
    let counts: [Int?] = [
      stream.rows, stream.supersededFrames, stream.displayChanges,
      stream.count("expected_frames"), stream.count("dropped_frames"),
    ]
    let times = ["frame_ms_p50", "frame_ms_max"].map { name in
      String(format: "%.6f", stream.values[name]?.number ?? -1)
    }
    return
      (["\(stream.process) \(stream.swapChain)"] + counts.map { String($0 ?? 0) } + times)
      .joined(separator: "\t")
  }

  static func totals(of file: String) throws -> [String] {
    let script = Project.folder.appending(path: "Tests/Input/CapturesTests/Logs/totals.py")
    let data = try SharedData.output(
      of: try #require(python), [script.path, "\(try #require(SharedData.folder))/\(file)", "60"])
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
