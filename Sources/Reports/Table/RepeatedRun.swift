internal import FrameBudget

/// All repetitions of one strategy under one set of changes on one engine.
struct RepeatedRun {
  /// At least one.
  let runs: [ReportRow]
  /// The run with the median number of dropped frames (the lower one of two): its figures belong together,
  /// which medians of each figure by itself would not.
  let typical: ReportRow
  let droppedRange: ClosedRange<Int>
  /// Strategy with its options; the engine too, where the comparison has both.
  let label: String
  /// The same in two parts.
  let name: String
  let options: String

  init?(_ runs: [ReportRow], namesEngine: Bool) {
    let sorted = runs.enumerated().sorted { left, right in
      (left.element.metrics.frames.dropped, left.offset)
        < (right.element.metrics.frames.dropped, right.offset)
    }.map(\.element)
    guard let first = sorted.first, let last = sorted.last else { return nil }
    self.runs = runs
    typical = sorted[(sorted.count - 1) / 2]
    droppedRange = first.metrics.frames.dropped...last.metrics.frames.dropped
    let engine = namesEngine ? " (\(typical.log.engine.rawValue))" : ""
    label = typical.log.strategy.label + engine
    name = typical.log.strategy.name + engine
    options = typical.log.strategy.options
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
  var ink: Ink {
    switch self {
    case .good: .green
    case .fair: .yellow
    case .poor: .red
    }
  }
}
