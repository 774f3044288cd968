public import FrameBudget
public import FrameBudgetParsing

/// The largest load that one strategy sustains, and what ended the search: a line of `limit.csv`.
public struct LimitRecord: FileRecord {
  package var subject = QuestionSubject()
  package var strategy = ""
  package var options = ""
  /// The changed values of the scenario.
  package var changes = ""
  package var engine = ""
  /// The path of the load in the scenario.
  package var path = ""
  /// The smallest and the largest load of the search.
  package var from = 0
  package var to = 0
  /// Nil if no load of the range is sustained.
  package var largest: Int?
  /// The first load that was not sustained; nil if all were.
  package var endedAt: Int?
  /// The kind of limit, and the same as a sentence.
  package var endedBy: String?
  package var why: String?
  /// The number of runs of the search.
  package var runs = 0
  package var repetition = 1
  /// The unit of the load: the name of the items of the workload whose number is the load.
  package var item: String?
  /// Whether the command was interrupted, so that other searches have no result.
  package var isInterrupted = false

  package init() {}

  /// - Parameters:
  ///   - run: any run of the search, for the properties that all of them share.
  ///   - path: the path of the load in the scenario.
  ///   - range: the allowed loads.
  ///   - outcome: the result of the search.
  public init(
    _ run: ReportRow, path: String, range: ClosedRange<Int>, outcome: LoadSearch.Outcome
  ) {
    subject = QuestionSubject(run)
    (strategy, options) = (run.log.strategy.name, run.log.strategy.options)
    (changes, engine, repetition) = (run.changes, run.log.engine.rawValue, run.repetition)
    (self.path, from, to) = (path, range.lowerBound, range.upperBound)
    (largest, runs) = (outcome.largest, outcome.runs)
    (endedAt, endedBy, why) = (
      outcome.end?.load, outcome.end?.overload.name, outcome.end?.overload.description
    )
    item = Self.item(of: path, in: run.log)
  }

  private static func item(of path: String, in log: RunLog) -> String? {
    let parts = path.split(separator: ".")
    guard parts.count == 4, parts[0] == "workloads", ["once", "batch"].contains(parts[3]) else {
      return nil
    }
    return log.items.first { $0.workload == parts[1] }?.item
  }

  /// Strategy with its options, in the format of `--strategy`.
  package var label: String { Strategy.label(strategy, options) }

  /// The largest load in a word.
  var found: String { largest.map(String.init) ?? "none" }
}

extension LimitRecord {
  package static let columns: [Column<LimitRecord>] =
    [
      SubjectColumn.scenario.of(\.subject),
      Column(.strategy, at: \.strategy),
      Column(.options, at: \.options),
      Column(.changes, at: \.changes),
      Column(.engine, at: \.engine),
      SubjectColumn.cores.of(\.subject), SubjectColumn.seed.of(\.subject),
      SubjectColumn.refresh.of(\.subject), SubjectColumn.duration.of(\.subject),
      Column("path", "the path of the load in the scenario", at: \.path),
      Column("from", "the smallest load of the search", signed: \.from),
      Column("to", "the largest load of the search", signed: \.to),
      Column(
        "largest", "the largest load that was sustained; empty if none was", signed: \.largest),
      Column(
        endedAtName, "the next load, which was not sustained; empty if all were", signed: \.endedAt),
      Column(endedByName, "the kind of limit", at: \.endedBy),
      Column("why", "the same as a sentence", at: \.why),
      Column("runs", "number of runs of the search", .count, at: \.runs),
      // Added after the other columns.
      Column(.repetition, at: \.repetition),
      SubjectColumn.replay.of(\.subject), SubjectColumn.source.of(\.subject),
      Column("item", "name of one item of the load, if it is a number of items", at: \.item),
      Column(
        "interrupted", "1 if the command was interrupted, so that other searches have no result",
        at: \.isInterrupted),
    ]

  package static let file = "limit.csv"
  package static let required = [
    "scenario", "strategy", "options", "changes", "engine", "cores", "path", "from", "to",
    "largest", endedAtName, endedByName, "why",
  ]
  private static let (endedAtName, endedByName) = ("ended_at", "ended_by")
  package static let maxLines = ResultSet.maxRows

  package func check() throws(InputError) {
    guard from <= to else { throw InputError("the range of loads ends before it begins") }
  }

  /// Whether a file with that header has the columns of a `limit.csv`.
  public static func recognises(_ header: FileHeader) -> Bool {
    header.has(["largest", endedAtName])
  }

  /// Reads a `limit.csv`, with its columns in any order.
  public static func records(_ source: consuming ByteSource) throws(InputError) -> [LimitRecord] {
    try read(source)
  }

  /// The largest loads as in `limit.csv` and `limit --format json`: a row for each search.
  public static func table(_ records: [LimitRecord]) -> RecordTable {
    var table = RecordTable("limits", schema: MetricCatalog.schema, columns, records)
    table.verdict = LimitVerdict(LimitRecord.repeated(records).map(\.representative)).json
    return table
  }

  /// `run.json` of searches: like that of runs, with the largest loads and without the runs of the searches.
  public static func runJSON(_ records: [LimitRecord], _ circumstances: Circumstances) -> String {
    let isReal = records.contains { $0.engine == EngineKind.real.rawValue }
    let warnings =
      MeasurementWarnings.interruption(circumstances)
      + (isReal ? MeasurementWarnings.machine(circumstances) : [])
    let head = RunJSON.head(MetricCatalog.schema, circumstances, warnings.map(\.description))
    return JSON.object(head + [("runs", .array([])), table(records).member]).written() + "\n"
  }
}

extension QuestionSubject {
  /// The subject of a run.
  init(_ run: ReportRow) {
    self.init()
    scenario = run.log.scenario
    refresh = run.log.frames.refresh
    duration = run.log.duration.inMilliseconds
    (seed, cores) = (run.log.seed, run.cores)
    (replay, source) = (run.log.learned?.replay, run.log.learned?.source)
  }
}

extension LimitRecord: Repeatable {
  /// The largest load is the best; a search without a result is the worst.
  var rank: Int { largest.map { -$0 } ?? Int.max }
  /// Only searches that ended are in files.
  var ending: RunLog.Status { .complete }

  /// The searches for each strategy's largest load under the same circumstances, in the order of their first records.
  static func repeated(_ records: [LimitRecord]) -> [Repetitions<LimitRecord>] {
    records.grouped { [$0.label, $0.changes, $0.engine, String($0.subject.cores)] }
      .compactMap { Repetitions($0.elements) }
  }
}

extension Repetitions<LimitRecord> {
  /// The results of the searches if they differ: `430 to 470`.
  var spread: String {
    guard let most = counted.first, let least = counted.last, least.found != most.found else {
      return ""
    }
    return "\(least.found) to \(most.found)"
  }
}

extension LimitRecord {
  /// What ended the search, in words: `frames are dropped` and `then a frame is dropped`; nil for a kind that is not known.
  var endingWords: (happening: String, after: String)? {
    switch endedBy {
    case Metric.droppedFrames.name: ("frames are dropped", "then a frame is dropped")
    case "growing_backlog": ("work piles up", "then a backlog grows")
    // A longer run finishes more of a burst.
    case "unfinished":
      ("work is left undone\(subject.lasting)", "then work is left undone\(subject.lasting)")
    case "late_responses": ("responses come late", "then an answer is late")
    default: nil
    }
  }
}
