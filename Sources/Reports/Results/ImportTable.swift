public import FrameBudget

/// A frame log of another tool as rows of a `summary.csv`, so that whatever reads ours reads those.
///
/// `scenario` is the log, `strategy` the process, `options` the swap chain, `engine` is `imported`.
public struct ImportRow: Sendable {
  /// What stands where others have their engine.
  static let engine = "imported"

  public let log: String
  public let process: String
  public let swapChain: String
  public let refreshHz: Double?
  public let duration: TimeSpan
  public let values: [String: MetricValue]
  public let supersededFrames: Int?
  public let displayChanges: Int?
  public let rows: Int
  public let partialFrames: Int?

  public init(
    log: String, process: String, swapChain: String, refreshHz: Double?, duration: TimeSpan,
    values: [String: MetricValue], supersededFrames: Int?, displayChanges: Int?, rows: Int,
    partialFrames: Int?
  ) {
    self.log = log
    self.process = process
    self.swapChain = swapChain
    self.refreshHz = refreshHz
    self.duration = duration
    self.values = values
    self.supersededFrames = supersededFrames
    self.displayChanges = displayChanges
    self.rows = rows
    self.partialFrames = partialFrames
  }
}

/// What `import` prints.
public enum ImportTable {
  // Metrics that came with later schemas stand behind what was there.
  private static let columns =
    ReportRow.keyNames.dropFirst() + MetricCatalog.first.map(\.name)
    + ["superseded_frames", "display_changes", "rows", "partial_frames"]
    + MetricCatalog.added.map(\.name)

  /// For programs: as rows of a `summary.csv`.
  public static func records(_ rows: [ImportRow]) -> RecordTable {
    RecordTable(
      "logs", schema: MetricCatalog.schema, columns: Array(columns), rows: rows.map(values))
  }

  private static func values(_ row: ImportRow) -> [MetricValue?] {
    let keys: [MetricValue?] = [
      .text(row.log), .text(row.process), .text(row.swapChain), .text(""),
      .text(ImportRow.engine), nil, .count(1), nil, row.refreshHz.map(MetricValue.real),
      .real(row.duration.inMilliseconds), nil,
    ]
    func values(_ metrics: [Metric]) -> [MetricValue?] { metrics.map { row.values[$0.name] } }
    let counts = [row.supersededFrames, row.displayChanges, row.rows, row.partialFrames]
    return keys + values(MetricCatalog.first) + counts.map { $0.map(MetricValue.count) }
      + values(MetricCatalog.added)
  }

  /// For people: what each process showed and dropped.
  public static func text(_ rows: [ImportRow], isColored: Bool) -> String {
    let titles = [
      "process", "rows", "superseded", "shown", "dropped", "dropped %", "fps", "frame p50", "p99",
      "max ms",
    ]
    var table = TextTable(titles: titles.map { ["", $0] })
    table.lines = rows.map { row in
      let metrics = [
        "dropped_frames", "dropped_frames_pct", "average_fps", "frame_ms_p50", "frame_ms_p99",
        "frame_ms_max",
      ].map { name in row.values[name]?.number.map { Decimal.text($0, places: 2) } ?? "-" }
      let counts = [row.rows, row.supersededFrames, row.displayChanges].map {
        $0.map(String.init) ?? "-"
      }
      let name = row.swapChain.isEmpty ? row.process : "\(row.process) \(row.swapChain)"
      return .cells(([name] + counts + metrics).map { TextTable.Cell(text: $0) })
    }
    return table.text(isColored: isColored).map { $0 + "\n" }.joined()
  }
}
