import Foundation

/// A page of the library's catalogue, for tests of what it shows.
struct Page {
  struct Block: Sendable {
    let language: String
    let text: String
  }

  let blocks: [Block]

  init(_ name: String) throws {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let page = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/SchedulableObjects/SchedulableObjects.docc/\(name).md"),
      encoding: .utf8)
    // Text and blocks take turns.
    let parts = page.components(separatedBy: "```")
    blocks = stride(from: 1, to: parts.count, by: 2).map { index in
      let lines = parts[index].split(
        separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return Block(language: String(lines[0]), text: String(lines.last ?? ""))
    }
  }
}
