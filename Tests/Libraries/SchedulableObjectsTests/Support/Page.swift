import Foundation
import TestSupport

/// A page of the library's catalogue, for tests of the shown code.
struct Page {
  struct Block: Sendable {
    let language: String
    let text: String
  }

  let blocks: [Block]

  init(_ name: String) throws {
    let page = try Project.text(
      "Sources/Libraries/SchedulableObjects/SchedulableObjects.docc/\(name).md")
    // Text and blocks take turns.
    let parts = page.components(separatedBy: "```")
    blocks = stride(from: 1, to: parts.count, by: 2).map { index in
      let lines = parts[index].split(
        separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return Block(language: String(lines[0]), text: String(lines.last ?? ""))
    }
  }
}
