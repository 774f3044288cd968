import Foundation
import Testing

@testable import Reference

@Suite struct `The folder of results` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(component: "results")

  @Test func `holds what the virtual engine and the catalogue of metrics say now`() throws {
    let files = try ResultsFolder(Self.folder).files
    #expect(
      files.map(\.url.lastPathComponent) == ["summary.csv", "workloads.csv", "README.md"])
    for file in files {
      let text = try String(contentsOf: file.url, encoding: .utf8)
      // Not by #expect on the texts: the difference of two such files is no help to anybody.
      let line = zip(text.split(separator: "\n"), file.text.split(separator: "\n"))
        .first { $0 != $1 }
      let isStale = text != file.text
      #expect(
        !isStale, "\(file.url.path) is stale, `make results` rewrites it; \(line?.0 ?? "an end")")
    }
  }

  @Test func `has a row for every scenario, strategy and number of cores`() throws {
    let file = Self.folder.appending(path: "reference/summary.csv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let keys = lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[1...6].joined(separator: ",")
    }
    #expect(Set(keys).count == keys.count)
    #expect(keys.contains("camera-upload,main-thread,,,virtual,6"))
    #expect(keys.contains("lock-starvation,threads-and-locks,lock=fair,,virtual,1"))
    #expect(keys.count.isMultiple(of: ReferenceResults.cores.count))
  }
}
