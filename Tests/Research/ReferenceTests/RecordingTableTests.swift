import Foundation
import TestSupport
import Testing

@testable import FrameBudgetReference

/// Recordings of real apps that are not part of the repository: in a folder `shared/data/traces` at or above it.
struct RecordingTableTests {
  static let folder = Project.shared("data/traces").map { URL(filePath: $0) }

  static let missing: Comment =
    "no folder shared/data/traces at or above the package: recordings skipped"

  /// Slow: learns from large recordings.
  @Test(.enabled(if: folder != nil, missing), arguments: RecordingTable.entries)
  func `match their published lines`(_ entry: RecordingTable.Entry) throws {
    let page = try String(
      contentsOf: RecordingTable.page(in: Project.folder), encoding: .utf8)
    let line = try RecordingTable.line(of: entry, in: try #require(Self.folder))
    #expect(page.contains(line), "`make recordings` rewrites it: \(line)")
  }
}
