public import FrameBudget

/// One run as every report takes it: what it was a run of, and what came out.
public struct ReportRow: Sendable {
  /// What was set or varied, as `PATH=VALUE;...`.
  public let changes: String
  public let cores: Int
  /// From 1.
  public let repetition: Int
  public let metrics: RunMetrics

  public init(_ log: RunLog, changes: String = "", cores: Int, repetition: Int = 1) {
    self.changes = changes
    self.cores = cores
    self.repetition = repetition
    metrics = RunMetrics(log)
  }

  public var log: RunLog { metrics.log }

  /// The version of the files' columns; columns are added at the end, never renamed or moved.
  public static let schema = 1

  /// What tells this row from others; in every file the first columns.
  var keys: [(name: String, value: MetricValue)] {
    [
      ("schema", .count(Self.schema)), ("scenario", .text(log.scenario)),
      ("strategy", .text(log.strategy.name)), ("options", .text(log.strategy.options)),
      ("changes", .text(changes)), ("engine", .text(log.engine.rawValue)), ("cores", .count(cores)),
      ("repetition", .count(repetition)), ("seed", .text(String(log.seed))),
      ("refresh_hz", .real(log.frames.refresh.hertz)),
      ("duration_ms", .real(log.duration.inMilliseconds)),
      ("warmup_frames", .count(log.warmupFrames)),
    ]
  }

  /// The names of `keys`, for a header above no row.
  static let keyNames = [
    "schema", "scenario", "strategy", "options", "changes", "engine", "cores", "repetition", "seed",
    "refresh_hz", "duration_ms", "warmup_frames",
  ]
}
