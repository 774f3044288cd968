import Foundation
import FrameBudget
import FrameBudgetCaptures
import TestSupport
import Testing

@testable import FrameBudgetLearning

/// Recordings of real apps that are not part of the repository: in a folder `shared/data/traces` at or above it.
struct RealRecordingTests {
  static let folder = Project.shared("data/traces")

  static let missing: Comment =
    "no folder shared/data/traces at or above the package: recordings skipped"

  private static func learn(_ file: String) throws -> LearnedScenario {
    let path = "\(try #require(folder))/\(file)"
    return try #require(
      LearnedScenario(try RecordingFile.read(path: path), name: "recording", source: file))
  }

  /// Known facts about each, and the required accuracy of its replay.
  struct Expected: Sendable {
    let file: String
    let replay: Learned.Replay
    /// The allowed error of dropped frames, in percentage points.
    let points: Double
    /// Shares of late episodes that are in both, and of vsyncs that agree.
    let episodes: Double
    let agreeing: Double
  }

  /// Slow: reads and replays large recordings.
  @Test(
    .enabled(if: folder != nil, missing),
    arguments: [
      Expected(
        file: "chrome_lr_60hz.json.gz", replay: .tooShort, points: 1, episodes: 0.85, agreeing: 0.95
      ),
      Expected(
        file: "chrome_animation_120hz.json.gz", replay: .tooShort, points: 0.1, episodes: 1,
        agreeing: 1),
    ])
  func `are replayed as they were recorded, vsync by vsync`(expected: Expected) throws {
    let learned = try Self.learn(expected.file)
    let comparison = ReplayComparison(learned, try Replay(learned).run("as-recorded"))
    let text = LearnReport(learned, comparison, moves: []).text
    #expect(comparison.replay == expected.replay, "\(text)")
    let recorded = try #require(comparison.recorded.droppedPercent)
    let replayed = try #require(comparison.replayed.droppedPercent)
    #expect(abs(recorded - replayed) <= expected.points, "\(text)")
    let counts = comparison.counts
    #expect(Double(counts.agreeing) >= expected.agreeing * Double(counts.all), "\(text)")
    #expect(counts.kappa.map { $0 > 0 } ?? true, "\(text)")
    #expect(comparison.episodes.recall >= expected.episodes, "\(text)")
    #expect(comparison.episodes.precision >= expected.episodes, "\(text)")
  }
}

extension LateEpisodes {
  /// The share of the recording's episodes that the replay has, from 0 to 1; 1 without episodes.
  fileprivate var recall: Double { recorded == 0 ? 1 : Double(found) / Double(recorded) }
  /// The share of the replay's episodes that the recording has, from 0 to 1; 1 without episodes.
  fileprivate var precision: Double { replayed == 0 ? 1 : Double(confirmed) / Double(replayed) }
}
