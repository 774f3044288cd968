import FrameBudget
import FrameBudgetParsing
import FrameBudgetScenarios
import FrameBudgetSimulation
import Testing

@testable import FrameBudgetReports

/// Runs of a shipped scenario, and everything that is written about them.
struct RunsOfScenario {
  let rows: [ReportRow]

  /// In the order of their first runs.
  var labels: [String] { rows.map(\.log.strategy.label).distinct() }

  func runs(of label: String) -> [ReportRow] { rows.filter { $0.log.strategy.label == label } }

  /// The run whose figures every view shows, by the published rule: of the complete runs, or of all if there are none, the middle
  /// one, of two the worse, by the app's dropped frames, late responses, undone items, all dropped frames, and order.
  func shown(of label: String) throws -> ReportRow {
    let all = runs(of: label)
    let complete = all.filter { $0.log.status == .complete }
    let counted = complete.isEmpty ? all : complete
    let sorted = counted.indices.sorted { left, right in
      Self.place(counted[left], left) < Self.place(counted[right], right)
    }
    return counted[try #require(sorted.dropFirst(sorted.count / 2).first)]
  }

  private static func place(_ row: ReportRow, _ order: Int) -> (Int, Int, Int, Int) {
    let items = row.metrics.items
    return (
      row.metrics.frames.dropped, items.responsesLate ?? 0, items.pending + items.cancelled, order
    )
  }

  // MARK: Files

  private func source(_ text: String, _ name: String) -> ByteSource {
    ByteSource(Array(text.utf8), name: name)
  }

  func results() throws -> ResultSet {
    try ResultSet(source(SummaryCSV.text(rows), "summary.csv"))
  }

  func workloads() throws -> ResultSet {
    try ResultSet(source(WorkloadsCSV.text(rows), "workloads.csv"))
  }

  func runFile() throws -> RunFile {
    try RunFile(source(RunJSON.text(rows, Circumstances()), "run.json"))
  }

  func frames() -> ByteSource { source(FramesCSV.text(rows), "frames.csv") }

  /// The lines that `run` prints.
  var report: [String] {
    ComparisonReport.text(rows, width: 4000, isColored: false, details: true)
      .split(separator: "\n").map(String.init)
  }

  /// The page of `report` on a folder with these files.
  func page() throws -> String {
    try ReportPage(
      title: "figures", results: try results(), workloads: try workloads(), runs: [try runFile()]
    ).html()
  }

  // MARK: Making them

  /// Runs of the scenario with one seed after another, under its first strategies. The runs at the places in `cut` are
  /// interrupted in the middle.
  static func repeated(
    _ name: String, times: Int, cut: Set<Int> = [], strategies: Int = .max,
    detail: FrameLedger.Detail = .summary
  ) throws -> RunsOfScenario {
    let engine = VirtualEngine(detail: detail)
    let shipped = try #require(ShippedScenarios.scenario(name))
    let scenario = try ScenarioFile.parse(shipped.bytes, file: shipped.file)
    let rows = (0..<times).flatMap { place in
      scenario.strategies.prefix(strategies).map { strategy in
        var seeded = scenario
        seeded.seed = UInt64(place + 1)
        seeded.phase = .random
        let plan = RunPlan(seeded, under: strategy)
        let log = cut.contains(place) ? interrupted(plan, engine) : engine.run(plan)
        return ReportRow(log, cores: 2, repetition: place + 1)
      }
    }
    return RunsOfScenario(rows: rows)
  }

  /// The log of a run that was stopped in the middle.
  private static func interrupted(_ plan: RunPlan, _ engine: VirtualEngine) -> RunLog {
    var half = plan.scenario
    half.duration = half.duration.divided(by: 2)
    let log = engine.run(RunPlan(half, under: plan.strategy))
    return RunLog(
      plan, engine: .virtual, duration: log.duration, warmupFrames: log.warmupFrames,
      frames: log.frames, items: log.items, totals: log.totals, interrupted: true)
  }
}
