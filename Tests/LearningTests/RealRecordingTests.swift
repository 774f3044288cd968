import Foundation
import FrameBudget
import Recordings
import Testing

@testable import Learning

/// Recordings of real apps that are not part of the repository: in a folder `shared/data/traces` at or above it.
struct RealRecordingTests {
  static let folder: String? = {
    var folder = "\(#filePath)"
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      let candidate = folder + "/shared/data/traces"
      if unsafe access(candidate, R_OK) == 0 { return candidate }
    }
    return nil
  }()

  static let missing: Comment =
    "no folder shared/data/traces at or above the package: recordings skipped"

  private static func learned(_ file: String) throws -> Learner {
    let path = "\(try #require(folder))/\(file)"
    return try #require(
      Learner(try RecordingFile.read(path: path), name: "recording", source: file))
  }

  @Test(
    .enabled(if: folder != nil, missing),
    arguments: ["chrome_lr_60hz.json.gz", "chrome_animation_120hz.json.gz"])
  func `are replayed as they were recorded, vsync by vsync`(file: String) throws {
    let learner = try Self.learned(file)
    let agreement = Agreement(learner, try Replay(learner).run("as-recorded"))
    let text = LearnReport(learner, agreement, moves: []).text
    #expect(agreement.faults == [], "\(text)")
    let counts = agreement.counts
    #expect(counts.bothShown + counts.bothDropped >= counts.all * 95 / 100, "\(text)")
    guard let dropped = agreement.dropped.recorded, dropped >= 10 else { return }
    #expect(Double(agreement.droppedFound) >= 0.8 * dropped)
    #expect(Double(agreement.droppedTrue) >= 0.8 * (agreement.dropped.replayed ?? 0))
  }
}
