internal import FrameBudget

/// All repetitions of one strategy under one set of changes on one engine.
struct RepeatedRun {
  /// At least one.
  let runs: [ReportRow]
  /// The run with the median number of frames that the app dropped (the lower one of two). Ties are resolved by late responses,
  /// then undone items, then frames that the machine cost. The figures of one run are consistent, unlike medians of each
  /// figure.
  let typical: ReportRow
  let droppedRange: ClosedRange<Int>
  /// Strategy with its options; with the engine if the comparison has both.
  let label: String
  /// The label in two parts.
  let name: String
  let options: String

  init?(_ runs: [ReportRow], namesEngine: Bool) {
    let sorted = runs.enumerated().sorted { left, right in
      Self.rank(left.element.metrics, at: left.offset)
        < Self.rank(right.element.metrics, at: right.offset)
    }.map(\.element)
    let drops = runs.map(\.metrics.frames.dropped)
    guard let fewest = drops.min(), let most = drops.max() else { return nil }
    self.runs = runs
    typical = sorted[(sorted.count - 1) / 2]
    droppedRange = fewest...most
    let engine = namesEngine ? " (\(typical.log.engine.rawValue))" : ""
    label = typical.log.strategy.label + engine
    name = typical.log.strategy.name + engine
    options = typical.log.strategy.options
  }

  private static func rank(_ metrics: RunMetrics, at place: Int) -> (Int, Int, Int, Int, Int) {
    let items = metrics.items
    return (
      metrics.frames.dropped - MachineFrames(metrics).count, items.responsesLate ?? 0,
      items.pending + items.cancelled, metrics.frames.dropped, place
    )
  }

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
