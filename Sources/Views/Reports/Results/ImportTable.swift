public import FrameBudget

/// A frame log of another tool as rows of a `summary.csv`, so that all our readers can read it.
///
/// `scenario` is the log, `strategy` the process, `options` the swap chain, `engine` is `imported`.
public struct ImportRow: Sendable {
  /// The value in the column of the engine.
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
  /// The name under which several captures are repetitions of one thing; empty if there is none.
  public let app: String
  /// The number of the capture among those of the app.
  public let repetition: Int
  /// Empty if the log does not say it.
  public let machine: String

  public init(
    log: String, process: String, swapChain: String, refreshHz: Double?, duration: TimeSpan,
    values: [String: MetricValue], supersededFrames: Int?, displayChanges: Int?, rows: Int,
    partialFrames: Int?, app: String = "", repetition: Int = 1, machine: String = ""
  ) {
    (self.app, self.repetition, self.machine) = (app, repetition, machine)
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

  /// The values of a run's keys for a log.
  func value(of key: RunKey) -> MetricValue? {
    switch key {
    case .schema: .count(MetricCatalog.schema)
    case .scenario: .text(log)
    case .strategy: .text(process)
    case .options: .text(swapChain)
    case .engine: .text(Self.engine)
    case .repetition: .count(repetition)
    case .refresh: refreshHz.map(MetricValue.real)
    case .duration: .real(duration.inMilliseconds)
    case .changes, .cores, .seed, .warmup: nil
    }
  }
}

/// A log as a row of a `summary.csv`.
enum ImportCSV {
  /// Later columns follow the earlier ones. Numbers of platforms are together, even if runs also have them.
  static let format = LineFormat<ImportRow>(
    RunKey.allCases.map { key in Column(key.name, key.meaning) { $0.value(of: key) } }
      + metrics(MetricCatalog.part(through: .wakeupLateness(.max))) + [
        Column("superseded_frames", "images that were replaced before they were shown", .count) {
          $0.supersededFrames.map(MetricValue.count)
        },
        Column("display_changes", "images that were shown", .count) {
          $0.displayChanges.map(MetricValue.count)
        },
        Column("rows", "rows of the log, shown or not", .count) { .count($0.rows) },
        Column("partial_frames", "images without the main thread's part", .count) {
          $0.partialFrames.map(MetricValue.count)
        },
      ] + metrics(MetricCatalog.part(after: .wakeupLateness(.max), through: .inpIsBound))
      + RecordedMetric.first.map(recorded)
      + metrics(MetricCatalog.part(after: .inpIsBound, through: .itemsReplaced))
      + RecordedMetric.added.map(recorded) + [
        Column(RunRecord.app.name, RunRecord.app.meaning) {
          $0.app.isEmpty ? nil : .text($0.app)
        },
        Column(RunRecord.machine.name, RunRecord.machine.meaning) {
          $0.machine.isEmpty ? nil : .text($0.machine)
        },
      ] + metrics(MetricCatalog.part(after: .itemsReplaced)))

  private static func recorded(_ metric: RecordedMetric) -> Column<ImportRow> {
    Column(metric.name, metric.formula, metric.unit) { $0.values[metric.name] }
  }

  private static func metrics(_ metrics: ArraySlice<Metric>) -> [Column<ImportRow>] {
    let recorded = Set(RecordedMetric.all.map(\.name))
    return metrics.filter { !recorded.contains($0.name) }.map { metric in
      Column(metric.name, metric.formula, metric.unit) { $0.values[metric.name] }
    }
  }
}

/// The output of `import`.
public enum ImportTable {
  /// For programs: rows of a `summary.csv`.
  public static func records(_ rows: [ImportRow]) -> RecordTable {
    ImportCSV.format.records("logs", rows)
  }

  /// For people: the shown and dropped frames of each process, and below them the figures of logs without such frames.
  public static func text(_ rows: [ImportRow], isColored: Bool) -> String {
    let titles = [
      "process", "rows", "superseded", "shown", "dropped", "dropped %", "fps", "frame p50", "p99",
      "max ms",
    ]
    var table = TextTable(titles: titles.map { ["", $0] })
    table.lines = rows.map { row in
      let metrics = metrics.map { metric in
        row.values[metric.name]?.number.map { Decimal.text($0, places: 2) } ?? "-"
      }
      let counts = [row.rows, row.supersededFrames, row.displayChanges].map {
        $0.map(String.init) ?? "-"
      }
      return .cells(([row.name] + counts + metrics).map { TextTable.Cell(text: $0) })
    }
    table.lines += rows.compactMap(otherFigures).map { .words(TextTable.Cell(text: $0)) }
    return table.text(isColored: isColored).map { $0 + "\n" }.joined()
  }

  /// The metrics in the table.
  private static let metrics = [
    Metric.droppedFrames, .droppedPercent, .averageFPS, .frameTime(.p50), .frameTime(.p99),
    .frameTime(.max),
  ]

  /// The limit for one line; `--format csv` has all figures.
  private static let most = 4

  /// `scroll run 1: frame_overrun_ms_p50 -1, frame_overrun_ms_p90 8.84, … (--format csv has 8 figures)`; nil if the table has
  /// a metric of the row, or if there is none.
  private static func otherFigures(_ row: ImportRow) -> String? {
    guard metrics.allSatisfy({ row.values[$0.name]?.number == nil }) else { return nil }
    let names = (MetricCatalog.all.map(\.name) + RecordedMetric.all.map(\.name)).distinct()
    let figures = names.compactMap { name in
      row.values[name]?.number.map { "\(name) \(Decimal.text($0, places: 2))" }
    }
    guard !figures.isEmpty else { return nil }
    let shown = figures.prefix(most).joined(separator: ", ")
    let others = figures.count <= most ? "" : ", … (--format csv has \(figures.count) figures)"
    return "\(row.name): \(shown)\(others)"
  }
}

extension ImportRow {
  /// The process and its swap chain.
  fileprivate var name: String { swapChain.isEmpty ? process : "\(process) \(swapChain)" }
}
