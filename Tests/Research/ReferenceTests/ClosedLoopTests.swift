import Foundation
import FrameBudgetScenarios
import TestSupport
import Testing

@testable import FrameBudgetReference

struct ClosedLoopTests {
  private func loop(_ name: String) throws -> ClosedLoop? {
    try ClosedLoop(
      try #require(ShippedScenarios.scenario(name)),
      measured: ClosedLoopTable.measured(in: Project.folder))
  }

  /// `make release` checks all of them in a release build; here only the fast ones are checked.
  @Test(arguments: ["three-files", "at-120-hertz", "long-task"])
  func `predictions from a trace alone match the published results`(_ name: String) throws {
    let loop = try #require(try loop(name))
    let lines = ClosedLoopTable.lines(of: loop)
    let results = try String(
      contentsOf: ClosedLoopTable.file(in: Project.folder), encoding: .utf8)
    #expect(results.contains("\n" + lines), "`make learned` rewrites it: \(lines)")
  }

  @Test func `a trace of the main thread says how strategies compare`() throws {
    let loop = try #require(try loop("multi-select"))
    #expect(loop.rows.count > 10)
    #expect(loop.rows.allSatisfy { $0.strategy != "main-thread" })
    #expect(try #require(loop.medianError) <= 2)
    #expect(try #require(loop.tau) >= 0.8)
  }

  @Test func `differences of one percent are ties, and ties have no order`() {
    func row(_ predicted: Double, _ simulated: Double) -> ClosedLoop.Row {
      ClosedLoop.Row(
        strategy: "", predicted: predicted, simulated: simulated, measured: nil)
    }
    func tau(_ rows: [ClosedLoop.Row]) -> Double? { ClosedLoop(scenario: "", rows: rows).tau }
    #expect(tau([row(0, 0), row(10, 12), row(30, 28)]) == 1)
    #expect(tau([row(30, 0), row(10, 12), row(0, 28)]) == -1)
    // One of three pairs is a tie in one ranking only: the result is 2 divided by the square root of 3 times 2.
    #expect(tau([row(0, 0), row(0.9, 12), row(30, 28)]).map { ($0 * 1000).rounded() } == 816)
    #expect(tau([row(5, 0), row(10, 1), row(30, 0.5)]) == nil)
    #expect(tau([row(0, 0), row(0, 12)]) == 0)
  }
}
