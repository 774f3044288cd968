import Foundation
import FrameBudget
import FrameBudgetScenarios
import TestSupport
import Testing

@testable import FrameBudgetReference

@Suite struct `What is generated` {
  /// Slow: runs every shipped scenario under each of its strategies.
  @Test func `matches the virtual engine and the catalogue of metrics`() throws {
    let files = try GeneratedFiles(Project.folder).all
    #expect(
      files.map { $0.url.pathComponents.suffix(2).joined(separator: "/") } == [
        "reference/summary.csv", "reference/workloads.csv", "results/README.md",
        "Documentation/README.md", "reference/strategies.md", "reference/platforms.md",
        "measured/README.md", "Metrics/RangeCalibration.swift", "measured/machine.md",
        "advised/README.md",
        "browser/README.md", "measured/strategies.md",
      ])
    for file in files {
      let text = try String(contentsOf: file.url, encoding: .utf8)
      // Not by #expect on the texts, because the difference of two such files is not helpful.
      let line = zip(text.split(separator: "\n"), file.text.split(separator: "\n"))
        .first { $0 != $1 }
      let isStale = text != file.text
      #expect(
        !isStale, "\(file.url.path) is stale, `make results` rewrites it; \(line?.0 ?? "an end")")
    }
  }

  @Test func `has a row for every scenario, strategy and number of cores`() throws {
    let file = Project.folder.appending(path: "results/reference/summary.csv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let keys = lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[1...6].joined(separator: ",")
    }
    #expect(Set(keys).count == keys.count)
    #expect(keys.contains("camera-upload,main-thread,,,virtual,6"))
    #expect(keys.contains("lock-starvation,threads-and-locks,lock=fair,,virtual,1"))
    #expect(keys.count.isMultiple(of: ReferenceResults.cores.count))
  }

  @Test func `has a page for every strategy, and no other`() throws {
    let folder = Project.folder.appending(path: "Documentation/Strategies")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(pages) == Set(StrategyCatalog.all.map { "\($0.name).md" }))
  }

  /// `make release` checks all of them in a release build; here only the fast ones are checked.
  @Test(arguments: ["steady", "three-files", "at-120-hertz", "lock-order", "tap-behind-files"])
  func `includes the advice for a scenario on the page on advice`(_ name: String) throws {
    let page = try String(contentsOf: AdviceTable.page(in: Project.folder), encoding: .utf8)
    let shipped = try #require(ShippedScenarios.scenario(name))
    let line = try AdviceTable.line(of: shipped)
    #expect(page.contains(line), "`make results` rewrites it: \(line)")
    #expect(ShippedScenarios.all.allSatisfy { page.contains("| \($0.name) |") })
  }

  /// `make release` checks all of them in a release build; here only one is checked.
  /// Slow: 90 runs and 40 comparisons.
  @Test
  func `includes the standard gates' error rates on their page`()
    throws
  {
    let page = try String(contentsOf: GateTable.page(in: Project.folder), encoding: .utf8)
    let line = try GateTable.line(of: try #require(ShippedScenarios.scenario("three-files")))
    #expect(page.contains(line), "`make results` rewrites it: \(line)")
    #expect(ShippedScenarios.all.allSatisfy { page.contains("| \($0.name) |") })
  }

  @Test(arguments: ["steady", "three-files", "at-90-hertz", "tap-behind-files"])
  func `includes a scenario's proof on the page on proofs`(_ name: String) throws {
    let page = try String(contentsOf: ProofTable.page(in: Project.folder), encoding: .utf8)
    for line in try ProofTable.lines(of: try #require(ShippedScenarios.scenario(name))) {
      #expect(page.contains(line), "`make results` rewrites it: \(line)")
    }
    #expect(ShippedScenarios.all.allSatisfy { page.contains("| \($0.name) |") })
  }
}
