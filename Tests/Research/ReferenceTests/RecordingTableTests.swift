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

  /// The number before `of` in a cell such as `60 of 62 (97 %)`.
  private static func count(_ cell: Substring) -> Int? {
    cell.split(separator: " ").first.flatMap { Int($0) }
  }

  /// Of each line: the vsyncs that agree, those that *always shown* and *always dropped* get right, and the verdict.
  @Test func `a replay that a constant beats is not called good`() throws {
    let page = try String(contentsOf: RecordingTable.page(in: Project.folder), encoding: .utf8)
    var beaten = 0
    for entry in RecordingTable.entries {
      let line = try #require(
        page.split(separator: "\n").first {
          $0.hasPrefix("| \(entry.title) |") || $0.hasPrefix("| \(entry.title) * |")
        }, "\(entry.title) has no line")
      let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
      guard let agreeing = Self.count(cells[5]) else { continue }
      let constant = try max(#require(Self.count(cells[6])), #require(Self.count(cells[7])))
      guard agreeing < constant else { continue }
      beaten += 1
      let verdict = try #require(cells.last { !$0.isEmpty })
      #expect(!verdict.hasPrefix("good"), "\(line)")
    }
    #expect(beaten > 1)
  }
}
