import ArgumentParser
import Foundation
import FrameBudget
import FrameBudgetReports
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// An incomplete trace states its losses, even if the command is quiet.
struct TraceLossTests {
  private func diagnostics(room: Int) throws -> String {
    let scratch = try Scratch()
    var console = Console()
    console.diagnostics = unsafe creat(scratch.path("diagnostics"), 0o600)
    defer { close(console.diagnostics) }
    var outcome = RunOutcome(circumstances: .now(isReal: false))
    outcome.rows = [ReportRow(try log(room: room), cores: 1).withoutSpans]
    let command = try #require(
      try FrameBudgetTool.parseAsRoot(["run", "steady", "--quiet"]) as? RunCommand)
    command.reportLostSpans(outcome, on: console)
    return scratch.text("diagnostics") ?? ""
  }

  private func log(room: Int) throws -> RunLog {
    let scenario = Scenario(
      name: "short", display: Display(refresh: RefreshRate(60)), duration: .seconds(1))
    let strategy = try StrategyCatalog.strategy("main-thread", for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    var main = ThreadTrace(room: room)
    for _ in 0..<3 { main.append(.phase(.logic), from: .zero, to: .zero) }
    let frames = FrameLedger(
      refresh: RefreshRate(60), duration: .seconds(1), detail: .trace, hasRealClock: false)
    return RunLog(
      plan, engine: .virtual, duration: .seconds(1), warmupFrames: 0,
      frames: frames.finish(at: .zero + .seconds(1)), items: [], totals: RunTotals(),
      interrupted: false, trace: TraceLog(plan, [main]))
  }

  @Test func `lost spans are reported`() throws {
    #expect(
      try diagnostics(room: 1).hasPrefix("framebudget: the trace of main-thread lacks 2 spans: "))
  }

  @Test func `a complete trace reports no loss`() throws {
    #expect(try diagnostics(room: 3) == "")
  }
}
