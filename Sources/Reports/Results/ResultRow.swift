public import FrameBudget

/// One line of a `summary.csv` or a `workloads.csv`, read back: the same names and numbers that were written.
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
  /// Empty in a `summary.csv`, whose rows are about all of them.
  var workload = ""
  /// What one item of the workload is called; empty where nobody said.
  var item = ""
  /// Whether the scenario's replay is what was recorded; empty where it is from no recording.
  var learned = ""
  /// The platform whose screen it was run on; nil where the scenario says none, or its file does not know.
  public internal(set) var platform: ScreenPlatform?
  public let status: String
  public let refreshHz: Double?
  public let durationMilliseconds: Double?
  var numbers: RowNumbers
  /// Which of several results it is from; empty where there is one.
  public var origin = ""

  /// The metric; nil where its cell is empty.
  subscript(metric: Metric) -> Double? { numbers[metric.name] }

  /// The metric called `name`; nil where its cell is empty.
  public subscript(name: String) -> Double? { numbers[name] }

  /// The metric called `name`, and whether it is only known to be at least so much.
  public func observed(_ name: String) -> Observation? {
    numbers.observed(name)
  }

  /// Strategy with its options, as `--strategy` takes it.
  public var label: String { Strategy.label(strategy, options) }
}

/// The rows of one or more result files, and the metrics that they hold.
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
