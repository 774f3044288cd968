public import FrameBudget
internal import Parsing

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
public enum ImportCSV {
  // Metrics that came with later schemas stand behind what was there.
  public static let header = CSV.line(
    ReportRow.keyNames + MetricCatalog.first.map(\.name)
      + ["superseded_frames", "display_changes", "rows", "partial_frames"]
      + MetricCatalog.added.map(\.name))

  public static func text(_ rows: [ImportRow]) -> String { header + rows.map(line).joined() }

  private static func line(_ row: ImportRow) -> String {
    let keys = [
      String(MetricCatalog.schema), row.log, row.process, row.swapChain, "", ImportRow.engine, "",
      "1", "",
      row.refreshHz.map { Decimal.text($0, places: 6) } ?? "",
      Decimal.text(row.duration.inMilliseconds, places: 6), "",
    ]
    func cells(_ metrics: [Metric]) -> [String] {
      metrics.map { row.values[$0.name]?.description ?? "" }
    }
    let counts = [row.supersededFrames, row.displayChanges, row.rows, row.partialFrames].map {
      $0.map(String.init) ?? ""
    }
    return CSV.line(keys + cells(MetricCatalog.first) + counts + cells(MetricCatalog.added))
  }

  /// For people: what each process showed and dropped.
  public static func table(_ rows: [ImportRow]) -> String {
    let titles = [
      "process", "rows", "superseded", "shown", "dropped", "dropped %", "fps", "frame p50", "p99",
      "max ms",
    ]
    let cells = rows.map { row in
      let metrics = [
        "dropped_frames", "dropped_frames_pct", "average_fps", "frame_ms_p50", "frame_ms_p99",
        "frame_ms_max",
      ].map { name in row.values[name]?.number.map { Decimal.text($0, places: 2) } ?? "-" }
      let counts = [row.rows, row.supersededFrames, row.displayChanges].map {
        $0.map(String.init) ?? "-"
      }
      let name = row.swapChain.isEmpty ? row.process : "\(row.process) \(row.swapChain)"
      return [name] + counts + metrics
    }
    return AlignedColumns.text([titles] + cells.map { $0.map(\.printable) })
  }
}

/// Cells in columns: the first to the left, the others to the right.
enum AlignedColumns {
  static func text(_ rows: [[String]]) -> String {
    let columns = rows.first?.indices ?? 0..<0
    let widths = columns.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 0 ? row[column] + padding : padding + row[column]
      }
      return cells.joined(separator: "  ") + "\n"
    }.joined()
  }
}
