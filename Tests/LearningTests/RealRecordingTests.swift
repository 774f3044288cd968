import Foundation
import FrameBudget
import Recordings
import TestSupport
import Testing

@testable import Learning

/// Recordings of real apps that are not part of the repository: in a folder `shared/data/traces` at or above it.
struct RealRecordingTests {
  static let folder = Project.shared("data/traces")

  static let missing: Comment =
    "no folder shared/data/traces at or above the package: recordings skipped"

  private static func learned(_ file: String) throws -> Learner {
    let path = "\(try #require(folder))/\(file)"
    return try #require(
      Learner(try RecordingFile.read(path: path), name: "recording", source: file))
  }

  /// What is known of each: whether its replay is good, and by how many points dropped frames may be off.
  struct Expected: Sendable {
    let file: String
    let replay: Learned.Replay
    let points: Double
  }

  /// Slow: reads and replays large recordings.
  @Test(
    .enabled(if: folder != nil, missing),
    arguments: [
      Expected(file: "chrome_lr_60hz.json.gz", replay: .good, points: 1),
      Expected(file: "chrome_animation_120hz.json.gz", replay: .good, points: 0.1),
    ])
  func `are replayed as they were recorded, vsync by vsync`(expected: Expected) throws {
    let learner = try Self.learned(expected.file)
    let agreement = Agreement(learner, try Replay(learner).run("as-recorded"))
    let text = LearnReport(learner, agreement, moves: []).text
    #expect(agreement.replay == expected.replay, "\(text)")
    let recorded = try #require(agreement.droppedPercent.recorded)
    let replayed = try #require(agreement.droppedPercent.replayed)
    #expect(abs(recorded - replayed) <= expected.points, "\(text)")
    #expect(agreement.faults.allSatisfy { $0.contains("points") }, "frame times agree")
    let counts = agreement.counts
    #expect(Double(counts.bothShown + counts.bothDropped) >= 0.95 * Double(counts.all), "\(text)")
    guard let dropped = agreement.dropped.recorded, dropped >= 10 else { return }
    #expect(Double(agreement.droppedFound) >= 0.8 * dropped)
    #expect(Double(agreement.droppedTrue) >= 0.8 * (agreement.dropped.replayed ?? 0))
  }
}
