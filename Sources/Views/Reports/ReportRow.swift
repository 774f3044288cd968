public import FrameBudget

/// One run in the form that all reports use: its scenario, settings and results.
public struct ReportRow: Sendable {
  /// The values of `--set` and `--vary`, as `PATH=VALUE;...`.
  public let changes: String
  public let cores: Int
  /// From 1.
  public let repetition: Int
  public private(set) var metrics: RunMetrics

  public init(_ metrics: RunMetrics, changes: String = "", cores: Int, repetition: Int = 1) {
    self.changes = changes
    self.cores = cores
    self.repetition = repetition
    self.metrics = metrics
  }

  public init(_ log: RunLog, changes: String = "", cores: Int, repetition: Int = 1) {
    self.init(RunMetrics(log), changes: changes, cores: cores, repetition: repetition)
  }

  /// The row without the spans of its trace, once those are written.
  public var withoutSpans: ReportRow {
    var row = self
    row.metrics = metrics.withoutSpans
    return row
  }

  public var log: RunLog { metrics.log }

  /// The schema of a file, if it is supported.
  static func schema(_ text: String) -> Int? {
    (1...MetricCatalog.schema).first { String($0) == text }
  }
}
