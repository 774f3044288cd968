import Foundation
import TestSupport
import Testing

/// The targets of `Package.swift` below `Sources`, and the table of them in `CONTRIBUTING.md`.
@Suite struct ModuleTests {
  private struct Module {
    let name: String
    let folder: String
    /// The comment in the line above; empty without one.
    let purpose: String
  }

  @Test func `each folder of the sources is a target with a purpose in one line`() throws {
    let modules = try Self.modules()
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Project.folder.appending(path: "Sources").path(percentEncoded: false))
    #expect(modules.map(\.folder).sorted() == folders.filter { !$0.hasPrefix(".") }.sorted())
    #expect(modules.filter { !$0.purpose.hasSuffix(".") }.map(\.name) == [])
  }

  @Test func `the table of modules is that of the manifest`() throws {
    let rows = try Self.modules().map { "| `\($0.name)` | \($0.purpose) |\n" }
    let table = "| module | what it is for |\n|---|---|\n" + rows.joined()
    let page = try GeneratedPart(of: "CONTRIBUTING.md", by: "make golden")
    if Golden.isRewriting { return try page.write(table) }
    #expect(page.text == table)
  }

  @Test func `CONTRIBUTING names only files that are there`() throws {
    let paths = try Project.text("CONTRIBUTING.md").matches(of: #/`((?:Sources|Tests)/[^`*]+)`/#)
    #expect(paths.count > 30)
    let missing = paths.map { String($0.1) }.filter {
      !FileManager.default.fileExists(
        atPath: Project.folder.appending(path: $0).path(percentEncoded: false))
    }
    #expect(missing == [])
  }

  private static let mark = "    // "

  /// In the manifest's order. A target begins a line; its name is on that line or the next.
  private static func modules() throws -> [Module] {
    let lines = try Project.text("Package.swift").split(
      separator: "\n", omittingEmptySubsequences: false)
    let starts = lines.indices.filter {
      lines[$0].contains(#/^ {4}\.(target|executableTarget|systemLibrary)\(/#)
    }
    return zip(starts, starts.dropFirst() + [lines.endIndex]).compactMap { start, end -> Module? in
      let text = lines[start..<end].joined(separator: "\n")
      let name = text.firstMatch(of: #/name: "([^"]+)"/#)?.1 ?? ""
      let path = text.firstMatch(of: #/path: "([^"]+)"/#)?.1 ?? "Sources/\(name)"
      guard path.hasPrefix("Sources/") else { return nil }
      let comment = lines[..<start].suffix(2).map { $0.hasPrefix(Self.mark) }
      return Module(
        name: String(name), folder: String(path.dropFirst("Sources/".count)),
        purpose: comment == [false, true] ? String(lines[start - 1].dropFirst(Self.mark.count)) : ""
      )
    }
  }
}
