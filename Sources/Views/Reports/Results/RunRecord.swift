public import FrameBudget
internal import FrameBudgetParsing

/// The results of one run, or of one workload of it: what files have, and what views show.
///
/// Texts and numbers are those of files, so that a run and its files lead to the same conclusions.
public struct RunRecord: Hashable, Sendable {
  var schema = MetricCatalog.schema
  public internal(set) var scenario = ""
  public internal(set) var strategy = ""
  public internal(set) var options = ""
  public internal(set) var changes = ""
  /// `real`, `virtual`, or `imported`.
  public internal(set) var engine = ""
  public internal(set) var cores = ""
  public internal(set) var repetition = ""
  public internal(set) var seed = ""
  var warmupFrames = ""
  /// Empty for a whole run.
  var workload = ""
  /// The name of one item of the workload; empty if unknown.
  var item = ""
  /// The quality of the replay of the scenario's recording; empty without a recording.
  var learned = ""
  /// The name that captures of one app share; empty for runs, and in files of earlier versions.
  public internal(set) var app = ""
  /// The machine of a capture; empty if unknown.
  public internal(set) var machine = ""
  /// The platform of the scenario's screen; nil if it is not set, or unknown to the file.
  public internal(set) var platform: ScreenPlatform?
  /// The services with `keep: true` that the strategy has elsewhere than the scenario's first.
  var movedKept: [String] = []
  /// What the strategy keeps in memory for parts of drawing.
  var partsInMemory: [String] = []
  /// By how many periods the strategy shows every frame later than the scenario says, each from one more buffer.
  var periodsLater = 0
  /// What the main thread can wait for while it is blocked.
  var waits = StrategyPrice.Waits.locks
  /// The kind of the prediction; nil without a range, and if it is unknown to the file.
  package var rangeKind: PredictionKind?
  public internal(set) var status = RunLog.Status.complete.rawValue
  public internal(set) var refreshHz: Double?
  public internal(set) var durationMilliseconds: Double?
  var numbers = RowNumbers.none

  // A summary does not have these.

  /// Its workloads, in the scenario's order.
  var workloads: [RunRecord] = []
  var threads: [ThreadLog] = []
  /// The broken invariants, a sentence each.
  var violations: [String] = []
  /// A sentence each.
  var deadlocks: [String] = []
  /// The answers of each workload with responses; missing in files of earlier versions.
  var answers: [AnswerLog] = []

  /// The name of the result that it is from, if there are several; otherwise empty.
  public var origin = ""

  /// The metric; nil if its cell is empty.
  subscript(metric: Metric) -> Double? { numbers[metric.name] }

  /// The metric called `name`; nil if its cell is empty.
  public subscript(name: String) -> Double? { numbers[name] }

  /// The metric called `name`, and whether it is only a lower bound.
  public func observed(_ name: String) -> Observation? { numbers.observed(name) }

  /// A metric that is a count; 0 if its cell is empty.
  func count(_ metric: Metric) -> Int { self[metric].map { Int($0) } ?? 0 }

  /// Strategy with its options, in the format of `--strategy`.
  public var label: String { Strategy.label(strategy, options) }

  /// The same without results: what distinguishes the run from others.
  var keys: RunRecord {
    RunRecord(
      schema: schema, scenario: scenario, strategy: strategy, options: options, changes: changes,
      engine: engine, cores: cores, repetition: repetition, seed: seed,
      warmupFrames: warmupFrames, learned: learned, refreshHz: refreshHz,
      durationMilliseconds: durationMilliseconds)
  }

  /// Frame logs of other tools have no status.
  var ending: RunLog.Status { RunLog.Status(rawValue: status) ?? .complete }

  /// The items that were left undone at the end; in results of earlier versions, which do not say it, those that were not done.
  package var undone: Int { count(self[.backlog] == nil ? .itemsPending : .backlog) }
  /// The items that were left undone, or were cancelled.
  var itemsLeft: Int { undone + count(.itemsCancelled) }
  /// The items that the screen has shown; in results of earlier versions, those that were done.
  var itemsShown: Int { count(self[.itemsShown] == nil ? .itemsDone : .itemsShown) }
  /// The items that the screen has not shown, and still may.
  var itemsNotShown: Int {
    itemsArrived - itemsShown - count(.itemsCancelled) - count(.itemsReplaced)
  }
  var itemsArrived: Int {
    count(.itemsDone) + count(.itemsPending) + count(.itemsCancelled) + count(.itemsReplaced)
  }

  /// Whether the processor use of other processes was high enough to change the figures.
  var isDisturbed: Bool { self[.disturbed] ?? 0 > 0 }
}

extension RunRecord: Ranged {}

extension RunRecord: Repeatable {
  var rank: RunRank {
    let dropped = count(.droppedFrames)
    return RunRank(
      ownDrops: dropped - MachineFrames(self).count, late: count(.responsesLate), left: itemsLeft,
      dropped: dropped)
  }
}

/// The rows of one or more result files, and their metrics.
public struct ResultSet: Sendable {
  public private(set) var rows: [RunRecord]
  /// In the order of the columns.
  public private(set) var metrics: [String]

  public init(rows: [RunRecord], metrics: [String]) {
    self.rows = rows
    self.metrics = metrics
  }

  /// The results of `runs`, as their files have them.
  public init(_ runs: [ReportRow]) {
    self.init(rows: runs.map(\.record), metrics: MetricCatalog.numbers.map(\.name))
  }

  /// The platforms whose numbers their scenarios' screens suggest.
  public var suggestedMetrics: [MetricSet] {
    MetricSet.suggested(by: Set(rows.compactMap(\.platform)))
  }

  /// Whether the rows are of workloads, not of whole runs.
  public var isOfWorkloads: Bool { rows.contains { !$0.workload.isEmpty } }

  /// Appends `others` with their `origin`.
  public mutating func append(_ others: ResultSet, from origin: String) {
    rows += others.rows.map { row in
      var row = row
      row.origin = origin
      for place in row.workloads.indices { row.workloads[place].origin = origin }
      return row
    }
    metrics += others.metrics.filter { !metrics.contains($0) }
  }
}

extension ReportRow {
  /// All results of the run.
  public var record: RunRecord {
    var record = summary
    record.workloads = workloads
    record.threads = log.totals.threads
    record.violations = log.violations
    record.deadlocks = log.totals.deadlocks.map(\.words)
    let frames = log.frames
    let lastVsync = frames.lastVsync
    record.answers = log.items.compactMap { AnswerLog($0, lastVsync: lastVsync) }
    return record
  }

  /// The results that a summary has.
  var summary: RunRecord {
    var record = keys
    record.platform = log.platform
    record.movedKept = log.movedKeptServices
    record.partsInMemory = log.partsInMemory
    record.periodsLater = log.strategy.arrangement.presentsLater
    record.waits = StrategyPrice.Waits(log.strategy.arrangement)
    record.status = log.status.rawValue
    let numbers = MetricCatalog.numbers.map { $0.value(metrics)?.written }
    record.rangeKind = metrics.range?.calibration?.kind
    record.numbers = RowNumbers(numbers + StatedRanges.cells(metrics.range), in: Self.names)
    return record
  }

  /// The results of its workloads.
  var workloads: [RunRecord] {
    zip(log.items, metrics.workloads).map { log, workload in
      var record = keys
      record.workload = log.workload
      record.item = log.item ?? ""
      record.numbers = RowNumbers(
        MetricCatalog.items.map { $0.value(workload.items)?.written }, in: Self.itemNames)
      return record
    }
  }

  /// What distinguishes the run from others.
  var keys: RunRecord {
    RunRecord(
      scenario: log.scenario, strategy: log.strategy.name, options: log.strategy.options,
      changes: changes, engine: log.engine.rawValue, cores: String(cores),
      repetition: String(repetition), seed: String(log.seed),
      warmupFrames: String(log.warmupFrames), learned: log.learned?.replay.rawValue ?? "",
      refreshHz: MetricValue.real(log.frames.refresh.hertz).written,
      durationMilliseconds: MetricValue.real(log.duration.inMilliseconds).written)
  }

  static let names = RowNumbers.Names(
    MetricCatalog.numbers.map(\.name) + StatedRanges.names)
  static let itemNames = RowNumbers.Names(MetricCatalog.items.map(\.name))
}

extension MetricValue {
  /// The number with the digits of files; nil for a text.
  var written: Double? {
    guard let number else { return nil }
    let millionths = (number * 1e6).rounded()
    // Otherwise its text has other digits than its millionths.
    return millionths.magnitude < 0x1p50 ? millionths / 1e6 : Double(description)
  }
}

/// The numbers of a row by the names of their columns.
///
/// All rows of a file share the names: a dictionary for each row would take longer to make than to read the file.
struct RowNumbers: Hashable, Sendable {
  private let names: Names
  /// NaN if the cell is empty: optional numbers would take twice the memory.
  private let values: [Double]

  /// `values` are those of the cells, NaN for empty ones.
  init(cells values: [Double], in names: Names) {
    precondition(values.count == names.count, "\(values.count) numbers in \(names.count) columns")
    (self.names, self.values) = (names, values)
  }

  init(_ values: [Double?], in names: Names) {
    self.init(cells: values.map { $0 ?? .nan }, in: names)
  }

  /// For a row that is not in a file.
  init(_ numbers: [String: Double]) {
    let names = Array(numbers.keys)
    self.init(names.map { numbers[$0] }, in: Names(names))
  }

  static let none = Self([:])

  /// Nil if the cell is empty or the column does not exist.
  subscript(name: String) -> Double? { names.place(name).flatMap(value) }

  /// The same, if the column is probably at `place`.
  subscript(name: String, near place: Int) -> Double? {
    names.has(name, at: place) ? value(place) : self[name]
  }

  private func value(_ place: Int) -> Double? { values[place].isNaN ? nil : values[place] }

  /// The number called `name`, and whether it is only a lower bound.
  func observed(_ name: String) -> Observation? { place(of: name).flatMap(observed) }

  /// The positions of a number and of its bound, in all rows of one file.
  struct Place: Sendable {
    fileprivate let value: Int
    fileprivate let bound: Int?
  }

  /// Nil if the column does not exist.
  func place(of name: String) -> Place? {
    names.place(name).map { Place(value: $0, bound: names.bound(of: $0)) }
  }

  func observed(_ place: Place) -> Observation? {
    guard let value = value(place.value) else { return nil }
    return Observation(value, isBound: place.bound.map { values[$0] == 1 } ?? false)
  }

  /// Throws if a number is not one that its column can have.
  func check() throws(InputError) {
    for place in values.indices where names.kinds[place]?.allows(values[place]) == false {
      let name = names.places.first { $0.value == place }?.key ?? ""
      throw InputError(
        "\(MetricValue.real(values[place])) in column \(name) is not "
          + (names.kinds[place]?.words ?? ""))
    }
  }

  /// Whether the rows are from the same file.
  func hasColumns(of other: Self) -> Bool { names === other.names }

  /// The numbers that there are, by name.
  private var known: [String: Double] { names.places.compactMapValues(value) }

  /// An empty cell and a missing column are the same.
  static func == (left: Self, right: Self) -> Bool {
    guard left.names === right.names else { return left.known == right.known }
    return left.values.elementsEqual(right.values) { $0 == $1 || $0.isNaN && $1.isNaN }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(known) }

  /// The value of `name` in each of `rows` that has it. The place of the column is looked up once for each file.
  static func observed(_ name: String, in rows: [Self]) -> [Observation] {
    var newest: (row: Self, place: Place?)?
    return rows.compactMap { row in
      if newest?.row.hasColumns(of: row) != true { newest = (row, row.place(of: name)) }
      return (newest?.place).flatMap(row.observed)
    }
  }

  /// The names of columns, with their positions and those of the columns that mark bounds. A class, because all rows of a file
  /// share it.
  final class Names: Sendable {
    fileprivate let places: [String: Int]
    /// Empty for further columns of the same name.
    private let names: [String]
    private let bounds: [Int?]
    /// Nil for columns with any number.
    fileprivate let kinds: [NumberKind?]

    /// If a name occurs several times, its first column is used.
    init(_ names: [String]) {
      let places = Dictionary(zip(names, names.indices)) { first, _ in first }
      bounds = names.map { places[Metric.bound(of: $0)] }
      self.names = names.enumerated().map { places[$1] == $0 ? $1 : "" }
      self.places = places
      kinds = names.map(NumberKind.init)
    }

    var count: Int { bounds.count }

    func place(_ name: String) -> Int? { places[name] }

    /// Whether `place` is that of `name`.
    func has(_ name: String, at place: Int) -> Bool {
      place < names.count && names[place] == name
    }

    func bound(of place: Int) -> Int? { bounds[place] }
  }
}
