public import FrameBudget

/// One line of a `summary.csv` or a `workloads.csv`, with the names and numbers of the file.
public struct ResultRow: Sendable {
  var schema = MetricCatalog.schema
  public let scenario: String
  public let strategy: String
  public let options: String
  public let changes: String
  /// `real`, `virtual`, or `imported`.
  public let engine: String
  public let cores: String
  public let repetition: String
  public let seed: String
  var warmupFrames = ""
  /// Empty in a `summary.csv`, where rows are about all workloads.
  var workload = ""
  /// The name of one item of the workload; empty if unknown.
  var item = ""
  /// The quality of the replay of the scenario's recording; empty without a recording.
  var learned = ""
  /// The platform of the scenario's screen; nil if it is not set, or unknown to the file.
  public internal(set) var platform: ScreenPlatform?
  public internal(set) var status: String
  public let refreshHz: Double?
  public let durationMilliseconds: Double?
  var numbers: RowNumbers
  /// The name of the result that it is from, if there are several; otherwise empty.
  public var origin = ""

  /// The metric; nil if its cell is empty.
  subscript(metric: Metric) -> Double? { numbers[metric.name] }

  /// The metric called `name`; nil if its cell is empty.
  public subscript(name: String) -> Double? { numbers[name] }

  /// The metric called `name`, and whether it is only a lower bound.
  public func observed(_ name: String) -> Observation? {
    numbers.observed(name)
  }

  /// Strategy with its options, in the format of `--strategy`.
  public var label: String { Strategy.label(strategy, options) }
}

/// The rows of one or more result files, and their metrics.
public struct ResultSet: Sendable {
  public private(set) var rows: [ResultRow]
  /// In the order of the columns.
  public private(set) var metrics: [String]

  public init(rows: [ResultRow], metrics: [String]) {
    self.rows = rows
    self.metrics = metrics
  }

  /// The platforms whose numbers their scenarios' screens suggest.
  public var suggestedMetrics: [MetricSet] {
    MetricSet.allCases.filter { set in rows.contains { $0.platform?.metrics == set } }
  }

  /// Whether the rows are of workloads, not of whole runs.
  public var isOfWorkloads: Bool { rows.contains { !$0.workload.isEmpty } }

  /// Appends `others` with their `origin`.
  public mutating func append(_ others: ResultSet, from origin: String) {
    rows += others.rows.map { row in
      var row = row
      row.origin = origin
      return row
    }
    metrics += others.metrics.filter { !metrics.contains($0) }
  }
}

extension ReportRow {
  /// The run in the form that is read from a summary.
  var result: ResultRow {
    row(
      MetricCatalog.all.map { ($0.name, $0.value(metrics)) }
        + Column<ReportRow>.ranges.map { ($0.name, $0.value(self)) }, workload: "")
  }

  /// Its workloads in the form that is read from a file.
  var workloadResults: [ResultRow] {
    WorkloadsCSV.rows(self).map { workload in
      var result = row(
        MetricCatalog.items.map { ($0.name, $0.value(workload.items)) },
        workload: workload.log.workload)
      result.item = workload.log.item ?? ""
      return result
    }
  }

  private func row(_ metrics: [(name: String, value: MetricValue?)], workload: String) -> ResultRow
  {
    var numbers: [String: Double] = [:]
    for (name, value) in metrics where value?.number != nil {
      // With the digits of files, so that conclusions from them are the same.
      numbers[name] = value.flatMap { Double($0.description) }
    }
    return ResultRow(
      scenario: log.scenario, strategy: log.strategy.name, options: log.strategy.options,
      changes: changes, engine: log.engine.rawValue, cores: String(cores),
      repetition: String(repetition), seed: String(log.seed),
      warmupFrames: String(log.warmupFrames), workload: workload,
      learned: log.learned?.replay.rawValue ?? "", platform: log.platform,
      status: log.status.rawValue,
      refreshHz: log.frames.refresh.hertz, durationMilliseconds: log.duration.inMilliseconds,
      numbers: RowNumbers(numbers))
  }
}

/// The numbers of a row by the names of their columns.
///
/// All rows of a file share the names: a dictionary for each row would take longer to make than to read the file.
struct RowNumbers: Sendable {
  private let names: Names
  /// Nil if the cell is empty.
  private let values: [Double?]

  init(_ values: [Double?], in names: Names) {
    precondition(values.count == names.count, "a number or none for each column")
    (self.names, self.values) = (names, values)
  }

  /// For a row that is not in a file.
  init(_ numbers: [String: Double]) {
    let names = Array(numbers.keys)
    self.init(names.map { numbers[$0] }, in: Names(names))
  }

  /// Nil if the cell is empty or the column does not exist.
  subscript(name: String) -> Double? { names.place(name).flatMap { values[$0] } }

  /// The number called `name`, and whether it is only a lower bound.
  func observed(_ name: String) -> Observation? {
    guard let place = names.place(name), let value = values[place] else { return nil }
    return Observation(value, isBound: names.bound(of: place).map { values[$0] == 1 } ?? false)
  }

  /// The value of `name` in each of `rows` that has it. The place of the column is looked up once for each file.
  static func observed(_ name: String, in rows: [Self]) -> [Observation] {
    var columns: (names: Names, place: Int?, bound: Int?)?
    return rows.indices.compactMap { row in
      let names = rows[row].names
      if columns?.names !== names {
        let place = names.place(name)
        columns = (names, place, place.flatMap(names.bound))
      }
      guard let place = columns?.place, let value = rows[row].values[place] else { return nil }
      return Observation(value, isBound: columns?.bound.map { rows[row].values[$0] == 1 } ?? false)
    }
  }

  /// The names of columns, with their positions and those of the columns that mark bounds. A class, because all rows of a file
  /// share it.
  final class Names: Sendable {
    private let places: [String: Int]
    private let bounds: [Int?]

    /// If a name occurs several times, its first column is used.
    init(_ names: [String]) {
      let places = Dictionary(zip(names, names.indices)) { first, _ in first }
      bounds = names.map { places[Metric.bound(of: $0)] }
      self.places = places
    }

    var count: Int { bounds.count }

    func place(_ name: String) -> Int? { places[name] }

    func bound(of place: Int) -> Int? { bounds[place] }
  }
}
