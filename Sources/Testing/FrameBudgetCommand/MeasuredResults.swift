internal import Foundation
internal import FrameBudget
internal import FrameBudgetTesting
internal import FrameBudgetParsing
internal import FrameBudgetReports
internal import FrameBudgetSimulation

/// Runs measured closures in virtual time, as measured and under other strategies, and writes the results and a page.
struct MeasuredResults {
  private let rows: [ReportRow]

  /// The strategies in the scenario of a measurement.
  private static let others = ["main-thread", "yielding", "schedulable"]

  init(_ measurements: [RecordedMeasurement]) throws(CommandError) {
    do {
      rows = try measurements.flatMap(Self.rows)
    } catch {
      throw CommandError(.badInput, "a measurement cannot be read: \(error)")
    }
  }

  private static func rows(_ measurement: RecordedMeasurement) throws -> [ReportRow] {
    let plan = try measurement.file.plan(named: measurement.name)
    var plans = [plan]
    if !plan.scenario.workloads.isEmpty {
      plans += try others.map { name in
        RunPlan(plan.scenario, under: try StrategyCatalog.strategy(name, for: plan.scenario))
      }
    }
    // The measured times already include the hand-offs.
    let engine = VirtualEngine(costs: .none, detail: .trace)
    return plans.map { plan in
      ReportRow(engine.run(plan), cores: plan.scenario.machine.cores)
    }
  }

  /// Writes all files into `folder`.
  func write(to folder: URL) throws(CommandError) {
    do {
      for (name, text) in files {
        try Data(text.utf8).write(to: folder.appending(component: name), options: .atomic)
      }
      let page = try page(of: folder)
      try Data(page.utf8).write(to: folder.appending(component: "frames.html"), options: .atomic)
    } catch {
      throw CommandError(.cannotWrite, "results cannot be written to \(folder.path): \(error)")
    }
  }

  private var files: [(name: String, text: String)] {
    var trace = TraceFile.head
    var file = TraceFile()
    for row in rows { file.write(row) { trace += $0 } }
    return [
      ("summary.csv", SummaryCSV.text(rows)), ("workloads.csv", WorkloadsCSV.text(rows)),
      ("frames.csv", FramesCSV.text(rows)), ("run.json", RunJSON.text(rows, Circumstances())),
      ("trace.json", trace + TraceFile.tail),
    ]
  }

  private func page(of folder: URL) throws -> String {
    try ReportPage(
      title: "frame-budget", results: ResultSet(rows), runs: [RunFile(rows, Circumstances())],
      frames: rows.compactMap(RecordedRun.init),
      traces: [
        try TracedRuns(ByteSource(path: folder.appending(component: "trace.json").path))
      ]
    ).html()
  }
}
