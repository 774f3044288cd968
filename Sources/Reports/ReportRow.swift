public import FrameBudget

/// One run as every report takes it: what it was a run of, and what came out.
public struct ReportRow: Sendable {
  /// What was set or varied, as `PATH=VALUE;...`.
  public let changes: String
  public let cores: Int
  /// From 1.
  public let repetition: Int
  public private(set) var metrics: RunMetrics

  public init(_ log: RunLog, changes: String = "", cores: Int, repetition: Int = 1) {
    self.changes = changes
    self.cores = cores
    self.repetition = repetition
    metrics = RunMetrics(log)
  }

  /// The same without the spans of its trace, once those are written.
  public var withoutSpans: ReportRow {
    var row = self
    row.metrics.forgetSpans()
    return row
  }

  public var log: RunLog { metrics.log }

  /// The schema that stands in a file, if it is one that can be read.
  static func schema(_ text: String) -> Int? {
    (1...MetricCatalog.schema).first { String($0) == text }
  }

  /// What tells this row from others; in every file the first columns.
  var keys: [(name: String, value: MetricValue)] {
    [
      ("schema", .count(MetricCatalog.schema)), ("scenario", .text(log.scenario)),
      ("strategy", .text(log.strategy.name)), ("options", .text(log.strategy.options)),
      ("changes", .text(changes)), ("engine", .text(log.engine.rawValue)), ("cores", .count(cores)),
      ("repetition", .count(repetition)), ("seed", .text(String(log.seed))),
      ("refresh_hz", .real(log.frames.refresh.hertz)),
      ("duration_ms", .real(log.duration.inMilliseconds)),
      ("warmup_frames", .count(log.warmupFrames)),
    ]
  }

  /// The names of `keys`, for a header above no row.
  static let keyNames = columns.map(\.name)

  /// `keys` and what they say.
  static let columns: [(name: String, meaning: String)] = [
    (
      "schema", "version of the columns and their meaning: added at the end, never renamed or moved"
    ),
    ("scenario", "its name"),
    ("strategy", "its name: what runs where"),
    ("options", "what was asked of the strategy beyond its defaults, as KEY=VALUE;..."),
    ("changes", "what was changed in the scenario or assumed instead, as PATH=VALUE;..."),
    ("engine", "real (this machine's threads and clock) or virtual (the simulation)"),
    ("cores", "processors that the run could use"),
    ("repetition", "from 1"),
    ("seed", "of all random numbers"),
    ("refresh_hz", "refresh rate of the screen"),
    ("duration_ms", "D, the measured part; of an interrupted run what there was of it"),
    ("warmup_frames", "frames before time 0, left out of every metric"),
  ]
}
