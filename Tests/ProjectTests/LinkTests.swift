import Foundation
import TestSupport
import Testing

/// The checks by `make lint` of the documentation's links.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct `The check of links` {
  private func complaints(of folder: String) throws -> [String] {
    let check = try FinishedProgram([
      Project.folder.appending(path: "scripts/check-links").path, folder,
    ])
    let lines = check.output.split(separator: "\n").map(String.init)
    #expect(check.status == (lines.isEmpty ? 0 : 1))
    return lines
  }

  @Test func `finds nothing in this project`() throws {
    #expect(try complaints(of: Project.folder.path) == [])
  }

  @Test(arguments: [
    ("[a](Missing.md)", "README.md:3: Missing.md is not there"),
    ("![a](no.png)", "README.md:3: no.png is not there"),
    ("[a]: Missing.md", "README.md:3: Missing.md is not there"),
    ("[a](#no-heading)", "README.md:3: #no-heading has no such heading"),
    (
      "[a](Documentation/Page.md#that)",
      "README.md:3: Documentation/Page.md#that has no such heading"
    ),
    ("[a](../beside.md)", "README.md:3: ../beside.md leads out of the project"),
    ("See <doc:Page>.", "README.md:3: <doc:> leads nowhere outside a catalogue"),
  ])
  func `names a link that leads nowhere`(_ line: String, _ complaint: String) throws {
    let scratch = try Self.project(with: line)
    #expect(try complaints(of: scratch.root) == [complaint])
  }

  @Test func `accepts links with a target, and text that is not a link`() throws {
    let scratch = try Self.project(
      with: """
        [a](Documentation/Page.md#one-more-heading-of-page) [b](#a-project) [c](Documentation/)
        [d](https://example.org/missing.md) `[e](missing.md)`
        ```
        [f](missing.md)
        ```
        """)
    #expect(try complaints(of: scratch.root) == [])
  }

  @Test func `names a page that no other page links to`() throws {
    let scratch = try Self.project(with: "")
    try scratch.write("# Alone\n", to: "Documentation/Alone.md")
    #expect(
      try complaints(of: scratch.root)
        == ["Documentation/Alone.md: README.md leads to it by no links"])
  }

  private static func project(with line: String) throws -> Scratch {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(component: "Documentation"), withIntermediateDirectories: true)
    try scratch.write(
      "# A project\n[page](Documentation/Page.md)\n\(line)\n", to: "README.md")
    try scratch.write("# Page\n\n## One more heading, of `Page`\n", to: "Documentation/Page.md")
    return scratch
  }
}
