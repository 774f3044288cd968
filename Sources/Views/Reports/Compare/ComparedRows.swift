public import FrameBudget
public import FrameBudgetParsing

/// One side of a comparison: what the comparison needs of each row. The rows of a sweep would not fit into memory.
public struct ComparedRows: Sendable {
  /// The properties that make rows comparable. The cores of a real machine may differ, because comparing machines is a use.
  struct Key: Hashable, Sendable {
    let scenario: String
    let workload: String
    let label: String
    var changes: String
    let engine: String
    let cores: String

    fileprivate init(_ row: RunRecord) {
      // Captures of one app are repetitions, whatever their files and processes are called.
      scenario = row.app.isEmpty ? row.scenario : ""
      workload = row.workload
      label = row.app.isEmpty ? row.label : row.app
      changes = row.changes
      engine = row.engine
      cores = row.engine == EngineKind.virtual.rawValue ? row.cores : ""
    }

    var parts: [String] {
      [scenario, workload, label, changes, engine, cores.isEmpty ? "" : "\(cores) cores"]
        .filter { !$0.isEmpty }
    }

    var name: String { GroupPair.name(parts) }
  }

  /// The complete rows with one key.
  struct Group: Sendable {
    let key: Key
    fileprivate(set) var schemas: Set<Int> = []
    /// The union of the ranges of all rows, by metric.
    fileprivate(set) var ranges: [String: ClosedRange<Double>] = [:]
    /// The number of captures, and of their frames; 0 for runs.
    fileprivate(set) var captures = 0
    fileprivate(set) var framesOfCaptures = 0
    fileprivate(set) var lengths = RunLengths()
  }

  /// The statistics of each group take milliseconds.
  static let maxGroups = 20_000

  /// In the order of their first rows.
  private(set) var groups: [Group] = []
  /// The changes of all rows.
  private(set) var changes: Set<String> = []
  /// The number of rows of interrupted or invalid runs.
  private(set) var omitted = 0
  /// When the runs began (UTC), by their `run.json`; empty if it is not known.
  public var started = ""
  private var places: [Key: Int] = [:]
  /// The group and the seed of each complete row.
  private var rows: [(group: Int32, seed: String)] = []
  private var columns: [MetricColumn]
  /// A row with the columns of the file that is read.
  private var model = RowNumbers.none
  private var platforms: Set<ScreenPlatform> = []
  /// The machines of all rows, each once; an empty name for rows that do not say theirs.
  private var namesOfMachines: [String] = []
  private var seenMachines: Set<String> = []

  /// No rows. `metrics` are the names of those that are compared.
  init(_ metrics: [String]) { columns = metrics.distinct().map(MetricColumn.init) }

  /// The rows of `results`, with these metrics.
  init(_ results: ResultSet, _ metrics: [String]) {
    self.init(metrics)
    for row in results.rows { add(row) }
  }

  /// Reads a `summary.csv` or a `workloads.csv`; `metrics` are the names of those that may be compared.
  public init(_ source: consuming ByteSource, _ metrics: [String]) throws(InputError) {
    var rows = Self(metrics)
    try rows.read(source)
    self = rows
  }

  /// Adds the rows of such a file, as further repetitions.
  public mutating func read(_ source: consuming ByteSource) throws(InputError) {
    let name = source.name
    _ = try ResultSet.readResults(source) { add($0) }
    guard groups.count <= Self.maxGroups else {
      let found = "has \(groups.count) different runs or workloads"
      throw InputError("\(found); at most \(Self.maxGroups) can be compared", file: name)
    }
  }

  /// The platforms whose numbers the screens of the scenarios suggest.
  public var suggestedMetrics: [MetricSet] { MetricSet.suggested(by: platforms) }

  /// The machines of its rows, in their order. That of runs is in their `run.json`.
  public var machines: [String] { namesOfMachines.filter { !$0.isEmpty } }

  /// Whether all its runs were simulated.
  public var isVirtual: Bool {
    groups.allSatisfy { $0.key.engine == EngineKind.virtual.rawValue }
  }

  /// Sets the machine of rows that do not say theirs.
  public mutating func note(machine: String) {
    namesOfMachines = namesOfMachines.map { $0.isEmpty ? machine : $0 }.distinct()
  }

  /// Drops all other metrics.
  public mutating func keep(_ metrics: Set<String>) {
    columns.removeAll { !metrics.contains($0.name) }
  }

  private mutating func add(_ row: RunRecord) {
    changes.insert(row.changes)
    if let platform = row.platform { platforms.insert(platform) }
    if seenMachines.insert(row.machine).inserted { namesOfMachines.append(row.machine) }
    guard row.ending == .complete else { return omitted += 1 }
    let group = place(of: Key(row))
    groups[group].schemas.insert(row.schema)
    groups[group].lengths.add(row)
    if !row.app.isEmpty {
      groups[group].captures += 1
      groups[group].framesOfCaptures += row.count(.expectedFrames)
    }
    if !row.numbers.hasColumns(of: model) {
      model = row.numbers
      for index in columns.indices { columns[index].find(in: model) }
    }
    for index in columns.indices {
      columns[index].add(row.numbers, at: rows.count, ranges: &groups[group].ranges)
    }
    rows.append((Int32(group), row.seed))
  }

  private mutating func place(of key: Key) -> Int {
    if let newest = rows.last, groups[Int(newest.group)].key == key { return Int(newest.group) }
    if let known = places[key] { return known }
    places[key] = groups.count
    groups.append(Group(key: key))
    return groups.count - 1
  }

  /// The places of the rows of each group, in their order.
  var rowsOfGroups: [[Int32]] {
    var all: [[Int32]] = Array(repeating: [], count: groups.count)
    for (place, row) in rows.enumerated() { all[Int(row.group)].append(Int32(place)) }
    return all
  }

  /// The seeds of the rows at `places`.
  func seeds(_ places: [Int32]) -> some Sequence<String> {
    places.lazy.map { rows[Int($0)].seed }
  }

  /// Whether one of the rows at `places` has the metric.
  func have(_ metric: String, in places: [Int32]) -> Bool {
    guard let column = columns.first(where: { $0.name == metric }) else { return false }
    return places.contains { column[Int($0)] != nil }
  }

  /// The values of a metric in those of the rows at `places` that have it.
  func observed(_ metric: String, in places: [Int32]) -> [Observation] {
    guard let column = columns.first(where: { $0.name == metric }) else { return [] }
    return places.compactMap { column[Int($0)] }
  }
}

/// A metric in all rows of one side.
private struct MetricColumn: Sendable {
  let name: String
  /// NaN for rows without a value; later rows than these have none.
  private var values: [Double] = []
  /// Whether the value is only a lower bound, in the same way.
  private var bounds: [Bool] = []
  /// The positions of the metric and of the ends of its range in the file that is read.
  private var value: RowNumbers.Place?
  private var low: RowNumbers.Place?
  private var high: RowNumbers.Place?

  init(_ name: String) { self.name = name }

  mutating func find(in row: RowNumbers) {
    value = row.place(of: name)
    low = row.place(of: Metric.low(of: name))
    high = row.place(of: Metric.high(of: name))
  }

  /// Adds a row of that file.
  mutating func add(
    _ row: RowNumbers, at place: Int, ranges: inout [String: ClosedRange<Double>]
  ) {
    if let observed = value.flatMap(row.observed) {
      Self.set(&values, place, observed.value, empty: .nan)
      if observed.isBound { Self.set(&bounds, place, true, empty: false) }
    }
    guard let low = low.flatMap(row.observed)?.value, let high = high.flatMap(row.observed)?.value,
      low <= high
    else { return }
    let known = ranges[name] ?? low...high
    ranges[name] = min(low, known.lowerBound)...max(high, known.upperBound)
  }

  private static func set<Value>(
    _ values: inout [Value], _ place: Int, _ value: Value, empty: Value
  ) {
    while values.count < place { values.append(empty) }
    values.append(value)
  }

  subscript(place: Int) -> Observation? {
    guard place < values.count, !values[place].isNaN else { return nil }
    return Observation(values[place], isBound: place < bounds.count && bounds[place])
  }
}
