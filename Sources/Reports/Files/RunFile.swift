internal import FrameBudget

/// What a `run.json` holds: the circumstances, and every run with its metrics, workloads and threads.
public struct RunFile: Sendable {
  let schema: Int
  public let circumstances: Circumstances
  let warnings: [String]
  var runs: [Run]
  /// Which of several results it is from; empty where there is one.
  public var origin = ""

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
    /// Of each workload that somebody waits for; files of earlier versions have none.
    var answers: [AnswerLog] = []

    /// What stands under `key`.
    func text(_ key: RunKey) -> String {
      keys.first { $0.name == key.name }?.value?.description ?? ""
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
    keys = RunKey.allCases.dropFirst().map { ($0.name, row.value(of: $0)) }
    metrics = MetricCatalog.all.map { ($0.name, $0.value(row.metrics)) }
    if row.metrics.range != nil {
      metrics += Column<ReportRow>.ranges.map { ($0.name, $0.value(row)) }
    }
    workloads = WorkloadsCSV.rows(row).map { workload in
      WorkloadsCSV.columns.map { ($0.name, $0.value(workload)) }
    }
    threads = row.log.totals.threads
    violations = row.log.violations
    deadlocks = row.log.totals.deadlocks.map(\.words)
    let frames = row.log.frames
    let lastVsync = frames.refresh.vsync(frames.vsyncs)
    answers = row.log.items.compactMap { AnswerLog($0, lastVsync: lastVsync) }
  }
}
