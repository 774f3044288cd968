internal import FrameBudget

/// All repetitions of one strategy under one set of changes on one engine.
struct RepeatedRun {
  let repetitions: Repetitions<ReportRow>
  /// Strategy with its options; with the engine if the comparison has both.
  let label: String
  /// The label in two parts.
  let name: String
  let options: String

  /// Nil for no runs.
  init?(_ runs: [ReportRow], namesEngine: Bool) {
    guard let repetitions = Repetitions(runs) else { return nil }
    self.repetitions = repetitions
    let log = repetitions.representative.log
    let engine = namesEngine ? " (\(log.engine.rawValue))" : ""
    label = log.strategy.label + engine
    name = log.strategy.name + engine
    options = log.strategy.options
  }

  /// The run that represents them.
  var typical: ReportRow { repetitions.representative }

  var changes: String { typical.changes }

  /// Groups `rows` by subject, in the order of their first rows.
  static func grouped(_ rows: [ReportRow]) -> [RepeatedRun] {
    let namesEngine = Set(rows.map(\.log.engine)).count > 1
    return rows.grouped { Key($0) }.compactMap { _, runs in
      RepeatedRun(runs, namesEngine: namesEngine)
    }
  }

  private struct Key: Hashable {
    let changes: String
    let strategy: String
    let engine: EngineKind

    init(_ row: ReportRow) {
      changes = row.changes
      strategy = row.log.strategy.label
      engine = row.log.engine
    }
  }

  /// Whether the screen was smooth while work or answers were left undone: items are pending, or the user waited longer than
  /// allowed. False if the screen was not smooth. An interrupted run had no chance to do its work.
  var boughtSmoothness: Bool {
    if typical.log.status == .interrupted { return false }
    let items = typical.metrics.items
    let isSmooth = Bands.hitches.band(of: typical.metrics.frames.hitchRatio ?? 0) != .poor
    return isSmooth && (items.pending > 0 || items.responsesLate ?? 0 > 0)
  }
}

extension RepeatedRun {
  /// Whether the processor use of other processes was high enough to change the figures.
  var isDisturbed: Bool { typical.metrics.isDisturbed ?? false }
}

extension Band {
  var style: TextStyle {
    switch self {
    case .good: .green
    case .fair: .yellow
    case .poor: .red
    }
  }
}
