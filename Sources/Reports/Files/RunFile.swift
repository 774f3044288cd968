internal import FrameBudget

/// What a `run.json` holds: the circumstances, and every run with its metrics, workloads and threads.
public struct RunFile: Sendable {
  let schema: Int
  public let circumstances: Circumstances
  let warnings: [String]
  var runs: [Run]

  /// A name and what stands under it; nil where it does not apply.
  typealias Member = (name: String, value: MetricValue?)

  struct Run: Sendable {
    /// What tells the run from others.
    var keys: [Member] = []
    var metrics: [Member] = []
    var workloads: [[Member]] = []
    var threads: [ThreadLog] = []
    var violations: [String] = []
    /// Each as a sentence; the file has them only of a run that had one.
    var deadlocks: [String] = []

    /// What stands under the key `name`.
    func text(_ name: String) -> String {
      keys.first { $0.name == name }?.value?.description ?? ""
    }
  }

  init(schema: Int, circumstances: Circumstances, warnings: [String], runs: [Run]) {
    self.schema = schema
    self.circumstances = circumstances
    self.warnings = warnings
    self.runs = runs
  }

  init(_ rows: [ReportRow], _ circumstances: Circumstances) {
    self.init(
      schema: MetricCatalog.schema, circumstances: circumstances,
      warnings: MeasurementWarnings.warnings(rows, circumstances).map(\.description),
      runs: rows.map(Run.init))
  }
}

extension RunFile.Run {
  init(_ row: ReportRow) {
    // The file has its schema once.
    keys = row.keys.dropFirst().map { ($0.name, $0.value) }
    metrics = MetricCatalog.all.map { ($0.name, $0.value(row.metrics)) }
    workloads = row.metrics.workloads.map { workload in
      [("workload", .text(workload.name))]
        + MetricCatalog.items.map { ($0.name, $0.value(workload.items)) }
    }
    threads = row.log.totals.threads
    violations = row.log.violations
    deadlocks = row.log.totals.deadlocks.map(\.words)
  }
}
