internal import FrameBudget
public import FrameBudgetParsing

/// A metric of a commit's result: a line of `history.csv`.
///
/// It has the mean that `compare` shows, and the number of runs. The values of single runs would only make the file larger: the
/// noise that a change has to exceed is that between commits, which the runs of one commit, made side by side, do not show.
public struct HistoryRecord: FileRecord {
  package var commit = ""
  /// In the result's own words; empty if it does not say it.
  package var started = ""
  /// What distinguishes the series of the commits.
  package var subject = HistorySubject()
  /// A mark of the seeds of virtual runs: with the same seeds they have no noise.
  package var seeds = ""
  /// The schema of the result, by which metrics may have another meaning.
  package var resultSchema = MetricCatalog.schema
  package var metric = ""
  package var value = 0.0
  /// Whether the value is only a lower bound.
  package var isBound = false
  package var runs = 0
  /// The mean length of these runs in milliseconds; nil if it is not known, as in files of earlier versions.
  package var duration: Double?

  package init() {}

  var observation: Observation { Observation(value, isBound: isBound) }

  /// What is kept of a result of `commit`: those of `metrics` that it has. The machine is part of what is measured, but not of
  /// what is simulated.
  public static func records(
    of rows: ComparedRows, commit: String, started: String, metrics: [String]
  ) -> [HistoryRecord] {
    let machine = rows.machines.joined(separator: " and ")
    return zip(rows.groups, rows.rowsOfGroups).flatMap { group, places in
      var record = HistoryRecord()
      (record.commit, record.started) = (commit, started)
      record.subject = HistorySubject(group.key, machine: machine)
      record.resultSchema = group.schemas.max() ?? MetricCatalog.schema
      record.duration = group.lengths.mean?.asWritten
      if record.subject.isVirtual { record.seeds = mark(of: Array(rows.seeds(places))) }
      return metrics.distinct().compactMap { metric -> HistoryRecord? in
        let values = rows.observed(metric, in: places)
        guard !values.isEmpty else { return nil }
        let mean = Sample.trimmedMean(values)
        record.metric = metric
        (record.value, record.isBound) = (mean.value.asWritten, mean.isBound)
        record.runs = values.count
        return record
      }
    }
  }

  /// The seed, or the number of seeds with a checksum, in their order.
  private static func mark(of seeds: [String]) -> String {
    guard let first = seeds.first, seeds.count > 1 else { return seeds.first ?? "" }
    if seeds.allSatisfy({ $0 == first }) { return "\(seeds.count) x \(first)" }
    return "\(seeds.count): \(Checksum(Array(seeds.joined(separator: ",").utf8)).text)"
  }

  /// `records` with those of a further result. A figure that they have already is replaced where it is; `replaced` is the number
  /// of these.
  public static func adding(
    _ result: [HistoryRecord], to records: [HistoryRecord]
  ) -> (records: [HistoryRecord], replaced: Int) {
    var all = records
    var places: [[String]: Int] = [:]
    for (place, record) in all.enumerated() { places[record.identity] = place }
    var replaced = 0
    for record in result {
      if let place = places[record.identity] {
        all[place] = record
        replaced += 1
      } else {
        places[record.identity] = all.count
        all.append(record)
      }
    }
    return (all, replaced)
  }

  private var identity: [String] { [commit, metric] + subject.cells }
}

/// What the values of a series have in common, besides the metric.
package struct HistorySubject: Hashable, Sendable {
  package var machine = ""
  package var scenario = ""
  package var workload = ""
  /// With its options.
  package var strategy = ""
  package var changes = ""
  package var engine = ""
  package var cores = ""

  init() {}

  init(_ key: ComparedRows.Key, machine: String) {
    (scenario, workload, strategy) = (key.scenario, key.workload, key.label)
    (changes, engine, cores) = (key.changes, key.engine, key.cores)
    self.machine = isVirtual ? "" : machine
  }

  var isVirtual: Bool { engine == EngineKind.virtual.rawValue }

  /// The source of its metrics, which determines when they changed their meaning.
  var source: MeaningChange.Source { engine == ImportRow.engine ? .imports : .runs }

  fileprivate var cells: [String] {
    [machine, scenario, workload, strategy, changes, engine, cores]
  }

  var parts: [String] {
    [scenario, workload, strategy, changes, engine, cores.isEmpty ? "" : "\(cores) cores", machine]
      .filter { !$0.isEmpty }
  }
}

extension HistoryRecord {
  package static let columns: [Column<HistoryRecord>] = [
    Column("commit", "its name as given to `history add`", at: \.commit),
    Column("started", "when the runs began (UTC), if the result says it", at: \.started),
    Column("machine", "that of measured results, if they say it", at: \.subject.machine),
    Column(.scenario, at: \.subject.scenario),
    Column(
      Column<RunRecord>.workload.name, Column<RunRecord>.workload.meaning, at: \.subject.workload),
    Column(
      RunKey.strategy.name, "its name, with the options that differ from the defaults",
      at: \.subject.strategy),
    Column(.changes, at: \.subject.changes),
    Column(.engine, at: \.subject.engine),
    Column(RunKey.cores.name, "of the simulated machine", at: \.subject.cores),
    Column("seeds", "a mark of the seeds of virtual runs, in their order", at: \.seeds),
    Column("result_schema", "the schema of the result", at: \.resultSchema),
    Column("metric", "its name", at: \.metric),
    Column(
      "value", "trimmed mean over the runs, as in `compare`, in the metric's unit", at: \.value),
    Column("lower_bound", "1 if the value is a lower bound, else 0", at: \.isBound),
    Column("runs", "number of runs of that mean", .count, at: \.runs),
    Column(.duration, at: \.duration),
  ]

  package static let file = "history.csv"
  package static let required = [
    "commit", RunKey.scenario.name, RunKey.strategy.name, RunKey.engine.name, "metric", "value",
  ]
  package static let maxLines = ResultSet.maxRows

  package func check() throws(InputError) {
    guard !commit.isEmpty else { throw InputError("a commit has no name") }
  }

  /// Whether `metric` is of runs of another length in `other`: counts and sums are not comparable then, nor is anything of
  /// simulated runs, which are other runs.
  func isOfOtherLength(_ other: HistoryRecord, _ metric: Metric) -> Bool {
    guard metric.growsWithRun || subject.isVirtual, let duration, let old = other.duration else {
      return false
    }
    return RunLengths.differ(old, duration, areCaptures: subject.source == .imports)
  }

  /// Reads a `history.csv`, with its columns in any order; none if the file is empty.
  public static func records(_ source: consuming ByteSource) throws(InputError) -> [HistoryRecord] {
    try read(source, mayBeEmpty: true)
  }

  /// The lines of `history.csv`.
  public static func table(_ records: [HistoryRecord]) -> RecordTable {
    RecordTable("history", schema: MetricCatalog.schema, columns, records)
  }
}
