internal import Foundation
internal import Testing

/// Texts that must be to the byte what stands in files of the folder `Golden` of a test target.
///
/// `make golden` writes them anew, `REWRITE_GOLDEN=1 swift test --filter …` some of them; the diff is the review.
package enum Golden {
  package static func expect(
    _ text: String, _ name: String, in folder: String = "Golden", fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) throws {
    let target = fileID.prefix { $0 != "/" }
    let file = Project.folder.appending(path: "Tests/\(target)/\(folder)/\(name)")
    if ProcessInfo.processInfo.environment["REWRITE_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    if text == expected { return }
    Issue.record(
      "\(name) differs in line \(firstDifference(text, expected)):\n\(text)",
      sourceLocation: SourceLocation(
        fileID: fileID, filePath: filePath, line: line, column: column))
  }

  private static func firstDifference(_ text: String, _ expected: String) -> Int {
    let lines = [text, expected].map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
    return 1 + zip(lines[0], lines[1]).prefix { $0 == $1 }.count
  }
}
