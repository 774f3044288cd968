public import FrameBudget
public import Parsing

/// The largest load that one strategy bears, and what ended the next one.
public struct LimitRow: Sendable {
  /// A run of the search: it says what all of them were runs of.
  let run: ReportRow
  /// What of the scenario is the load.
  public let path: String
  public let range: ClosedRange<Int>
  public let outcome: LoadSearch.Outcome
  /// The run with the largest sustained load; nil if there is none.
  let borne: ReportRow?

  /// - Parameters:
  ///   - run: any run of the search.
  ///   - path: the value of the scenario that is the load.
  ///   - range: the loads that were allowed.
  ///   - outcome: what was found.
  ///   - borne: the run with the largest sustained load; nil if there is none.
  public init(
    _ run: ReportRow, path: String, range: ClosedRange<Int>, outcome: LoadSearch.Outcome,
    borne: ReportRow? = nil
  ) {
    self.borne = borne
    self.run = run
    self.path = path
    self.range = range
    self.outcome = outcome
  }

  /// Whose screen the scenario has.
  public var platform: ScreenPlatform? { log.platform }

  var log: RunLog { run.log }
  var cores: Int { run.cores }
  var changes: String { run.changes }

  /// What the load is counted in: what items of the workload are called of which it says how many arrive.
  var item: String? {
    let parts = path.split(separator: ".")
    guard parts.count == 4, parts[0] == "workloads", ["once", "batch"].contains(parts[3]) else {
      return nil
    }
    return log.items.first { $0.workload == parts[1] }?.item
  }
}

extension LimitRow {
  /// The largest loads as `limit.csv` and `limit --format json` have them: a row for each search.
  public static func table(_ rows: [LimitRow]) -> RecordTable {
    var table = LimitCSV.format.records("limits", rows)
    table.verdict = LimitVerdict(RepeatedSearch.grouped(rows).map(\.typical)).json
    return table
  }

  /// `run.json` of searches: as that of runs, with the largest loads and without the runs that found them.
  public static func runJSON(_ rows: [LimitRow], _ circumstances: Circumstances) -> String {
    let isReal = rows.contains { $0.log.engine == .real }
    let warnings = isReal ? MeasurementWarnings.machine(circumstances) : []
    let head = RunJSON.head(MetricCatalog.schema, circumstances, warnings.map(\.description))
    return JSON.object(head + [("runs", .array([])), table(rows).member]).written() + "\n"
  }
}

/// The largest loads as CSV: a line for each strategy.
enum LimitCSV {
  static let endedAt = "ended_at"
  static let endedBy = "ended_by"

  /// The keys of the search's runs, less what each of those had for itself.
  static let format = LineFormat<LimitRow>(
    ReportRow.keys.filter { ![RunKey.repetition.name, RunKey.warmup.name].contains($0.name) }
      .map { $0.of(\.run) } + [
        Column("path", "the value of the scenario that is the load") { .text($0.path) },
        Column("from", "the smallest load of the search") { .count($0.range.lowerBound) },
        Column("to", "the largest load of the search") { .count($0.range.upperBound) },
        Column("largest", "the largest load that was sustained; empty if none was") {
          $0.outcome.largest.map(MetricValue.count)
        },
        Column(endedAt, "the next load, which was not sustained; empty if none failed") {
          $0.outcome.end.map { .count($0.load) }
        },
        Column(endedBy, "the kind of limit that it hit") {
          $0.outcome.end.map { .text($0.overload.name) }
        },
        Column("why", "the same as a sentence") {
          $0.outcome.end.map { .text($0.overload.description) }
        },
        Column("runs", "how many runs the search made", .count) { .count($0.outcome.runs) },
        // It came later than the other columns.
        Column(RunKey.repetition.name, RunKey.repetition.meaning) { .count($0.run.repetition) },
        Column.learned.of(\.run),
      ])
}

/// What a `limit.csv` holds, read back: how much each arrangement bears.
public struct LimitResults: Sendable {
  public let rows: [Row]

  public struct Row: Sendable, Equatable {
    public let scenario: String
    public let strategy: String
    public let options: String
    public let changes: String
    public let engine: String
    public let cores: String
    /// What of the scenario is the load, and from where to where it was looked for.
    public let path: String
    public let range: ClosedRange<Int>
    /// Nil if no load of the range is sustained.
    public let largest: Int?
    /// The first load that was not sustained, and why; nil and empty if all were.
    public let endedAt: Int?
    public let endedBy: String
    public let why: String
    public let repetition: Int

    /// Strategy with its options, as `--strategy` takes it.
    public var label: String { Strategy.label(strategy, options) }
  }

  /// Whether a file that begins with `opening` has the columns of a `limit.csv`.
  public static func areIn(_ opening: String) -> Bool {
    opening.prefix { !$0.isNewline }.contains(",largest,ended_at,")
  }

  /// Reads what `LimitRow.table` writes, in any order of columns.
  public init(_ source: consuming ByteSource) throws(InputError) {
    var records = CSVRecords(source)
    var columns: [String]?
    var rows: [Row] = []
    try records.forEach { (fields) throws(InputError) in
      guard let columns else { return columns = fields }
      guard rows.count < ResultSet.mostRows else {
        throw InputError("more than \(ResultSet.mostRows) rows")
      }
      guard fields.count == columns.count else {
        throw InputError(
          "the row has \(fields.count) fields where the header has \(columns.count); is it cut off?"
        )
      }
      rows.append(try Row(Dictionary(zip(columns, fields)) { first, _ in first }))
    }
    guard !rows.isEmpty else { throw InputError("holds no limits", file: records.name) }
    self.rows = rows
  }
}

extension LimitResults.Row {
  fileprivate init(_ fields: [String: String]) throws(InputError) {
    func text(_ name: String) throws(InputError) -> String {
      guard let text = fields[name] else {
        throw InputError("is no limit.csv: it has no column '\(name)'")
      }
      return text
    }
    func number(_ name: String) throws(InputError) -> Int? {
      let text = try text(name)
      let most = OutsideNumber.counts.upperBound
      guard let number = OutsideNumber.whole(text, in: -most...most) else {
        if text.isEmpty { return nil }
        throw InputError(
          "\(InputError.quoted(text)) in column \(name) is not a whole number from \(-most) to \(most)"
        )
      }
      return number
    }
    guard let first = try number("from"), let last = try number("to"), first <= last else {
      throw InputError("the range of loads ends before it begins")
    }
    guard ReportRow.schema(try text("schema")) != nil else {
      throw InputError("schema \(InputError.quoted(try text("schema"))) is not known")
    }
    self.init(
      scenario: try text("scenario"), strategy: try text("strategy"), options: try text("options"),
      changes: try text("changes"), engine: try text("engine"), cores: try text("cores"),
      path: try text("path"), range: first...last, largest: try number("largest"),
      endedAt: try number(LimitCSV.endedAt), endedBy: try text(LimitCSV.endedBy),
      why: try text("why"),
      // Earlier files have one search for each strategy.
      repetition: fields["repetition"].flatMap { OutsideNumber.whole($0) } ?? 1)
  }
}
