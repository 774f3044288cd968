import Foundation
import FrameBudgetCaptures
import TestSupport
import Testing

/// Recordings of other tools that are not part of the repository: in a folder `shared/data/traces` at or above it.
enum SharedRecordings {
  static let folder = Project.shared("data/traces")

  static let missing: Comment =
    "no folder shared/data/traces at or above the package: recordings skipped"

  static func index(_ file: String) throws -> RecordingIndex {
    try RecordingFile.index(path: "\(try #require(folder))/\(file)")
  }

  static func read(
    _ file: String, choosing: RecordingChoice = RecordingChoice()
  ) throws -> Recording {
    try RecordingFile.read(path: "\(try #require(folder))/\(file)", choosing: choosing)
  }
}

extension Recording {
  /// The number of frames with the verdict.
  func count(_ verdict: RecordedFrame.Verdict) -> Int { frames.count { $0.verdict == verdict } }

  /// The slices of its first thread that are in no other slice.
  var tasks: [RecordedSlice] { threads[0].slices.filter { $0.depth == 0 } }
}
