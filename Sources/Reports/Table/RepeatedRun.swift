internal import FrameBudget

/// All repetitions of one strategy under one set of changes on one engine.
struct RepeatedRun {
  /// At least one.
  let runs: [ReportRow]
  /// The run with the median number of frames that it dropped itself (the lower one of two); of equal ones late
  /// responses, then items left decide, then frames that the machine cost. Its figures belong together, which medians
  /// of each figure by itself would not.
  let typical: ReportRow
  let droppedRange: ClosedRange<Int>
  /// Strategy with its options; the engine too, where the comparison has both.
  let label: String
  /// The same in two parts.
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

  /// `rows` by what they are repetitions of, in the order in which each first appears.
  static func grouped(_ rows: [ReportRow]) -> [RepeatedRun] {
    var order: [Key] = []
    var groups: [Key: [ReportRow]] = [:]
    for row in rows {
      let key = Key(row)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(row)
    }
    let namesEngine = Set(rows.map(\.log.engine)).count > 1
    return order.compactMap { RepeatedRun(groups[$0] ?? [], namesEngine: namesEngine) }
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

  /// Whether the screen was smooth while work or answers were left undone: items are pending, or the user waited
  /// longer than allowed. Where it was not smooth, nothing was bought.
  /// An interrupted run had no chance to do its work.
  var boughtSmoothness: Bool {
    if typical.log.status == .interrupted { return false }
    let items = typical.metrics.items
    let isSmooth = Bands.hitches.band(of: typical.metrics.frames.hitchRatio ?? 0) != .poor
    return isSmooth && (items.pending > 0 || items.responsesLate ?? 0 > 0)
  }
}

extension RepeatedRun {
  /// Whether others used the processors so much that a quiet machine would have given other figures.
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
