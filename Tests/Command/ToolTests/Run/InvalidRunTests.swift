import ArgumentParser
import Foundation
import FrameBudget
import FrameBudgetRealTime
import FrameBudgetReports
import TestSupport
import Testing

@testable import FrameBudgetCLI

/// A run that broke an invariant ends the command with 70, with any other result.
@Suite struct `An invalid run` {
  /// A fault of two items and a service.
  enum Fault: String, CaseIterable {
    case itemLost, itemTwice, orderBroken, twoThreads

    var sentence: String {
      switch self {
      case .itemLost: "2 items arrived, but 1"
      case .itemTwice: "done twice"
      case .orderBroken: "out of order"
      case .twoThreads: "two threads were inside one service"
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `ends with 70 and says what is wrong`(_ fault: Fault) throws {
    let ended = try report(log(fault))
    #expect(ended.status == .brokenInvariant)
    #expect(ended.status.rawValue == 70)
    #expect(ended.diagnostics.contains(fault.sentence))
    #expect(ended.output.contains(",invalid,"))
  }

  @Test func `is invalid only if a check fails`() throws {
    let ended = try report(log(nil))
    #expect(ended.status == .success)
    #expect(ended.output.contains(",complete,"))
  }

  private func report(
    _ log: RunLog
  ) throws -> (status: FrameBudgetCLI.ExitStatus, output: String, diagnostics: String) {
    let scratch = try Scratch()
    var console = Console()
    console.output = unsafe creat(scratch.path("output"), 0o600)
    console.diagnostics = unsafe creat(scratch.path("diagnostics"), 0o600)
    defer { for stream in [console.output, console.diagnostics] { close(stream) } }
    var outcome = RunOutcome(circumstances: .now(isReal: false))
    outcome.rows = [ReportRow(log, changes: "", cores: 2, repetition: 1)]
    let command = try #require(
      try FrameBudgetTool.parseAsRoot(["run", "steady", "--format", "csv"]) as? RunCommand)
    let status = try command.report(outcome, on: console)
    return (status, scratch.text("output") ?? "", scratch.text("diagnostics") ?? "")
  }

  private func log(_ fault: Fault?) throws -> RunLog {
    let step = Step(name: "add", service: 0, load: .cpu(.constant(.milliseconds(1))))
    let scenario = Scenario(
      name: "two-items", display: Display(refresh: RefreshRate(60)), duration: .seconds(1),
      services: [Service(name: "cloud")],
      workloads: [Workload(name: "files", arrival: .once(2, start: .zero), steps: [step])])
    let strategy = try StrategyCatalog.strategy("main-thread", for: scenario)
    let plan = RunPlan(scenario, under: strategy)
    var totals = RunTotals()
    if fault == .twoThreads { totals.exclusionViolations = 1 }
    let frames = FrameLedger(
      refresh: RefreshRate(60), duration: .seconds(1), detail: .summary, hasRealClock: false)
    return RunLog(
      plan, engine: .virtual, duration: .seconds(1), warmupFrames: 0,
      frames: frames.finish(at: .zero + .seconds(1)), items: items(plan, fault), totals: totals,
      interrupted: false)
  }

  private func items(_ plan: RunPlan, _ fault: Fault?) -> [ItemLog] {
    var ledger = ItemLedger(plan, duration: .seconds(1))
    var arrivals = ArrivalSchedule(plan)
    while let item = arrivals.next(atOrBefore: .zero) { ledger.arrived(item) }
    let order = fault == .orderBroken ? [1, 0] : fault == .itemLost ? [0] : [0, 1]
    for (place, item) in order.enumerated() {
      ledger.done(0, item, at: Instant(nanoseconds: Int64(place + 1) * 1_000_000))
    }
    if fault == .itemTwice { ledger.done(0, 1, at: Instant(nanoseconds: 5_000_000)) }
    return ledger.finish()
  }
}
