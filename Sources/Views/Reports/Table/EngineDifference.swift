internal import FrameBudget

/// The differences between engines: for each strategy that both ran, real minus virtual.
struct EngineDifference {
  private let pairs: [(name: String, changes: String, real: RunRecord, virtual: RunRecord)]

  init(_ runs: [RepeatedRun]) {
    func typical(_ engine: EngineKind) -> [RunRecord] {
      runs.map(\.typical).filter { $0.engine == engine.rawValue }
    }
    let virtual = typical(.virtual)
    pairs = typical(.real).compactMap { real in
      let other = virtual.first { ($0.changes, $0.label) == (real.changes, real.label) }
      return other.map { (real.label, real.changes, real, $0) }
    }
  }

  func text(width: Int, isColored: Bool) -> [String] {
    guard !pairs.isEmpty else { return [] }
    let metrics = pairs.flatMap { [$0.real, $0.virtual] }
    var columns = ComparisonColumn.all.filter { $0.name != "bar" && $0.applies(to: metrics) }
    while table(columns).width > width, columns.count > 1 {
      let rank = columns.map(\.rank).max() ?? 0
      columns.removeAll { $0.rank == rank }
    }
    return table(columns).text(isColored: isColored)
  }

  private func table(_ columns: [ComparisonColumn]) -> TextTable {
    var table = TextTable(titles: [["", "real minus virtual"]] + columns.map(\.title))
    for pair in pairs {
      table.head(pair.changes)
      let cells = columns.map { column in
        TextTable.Cell(text: difference(column, pair.real, pair.virtual) ?? "-")
      }
      table.lines.append(.cells([TextTable.Cell(text: pair.name)] + cells))
    }
    return table
  }

  /// If one side is a lower bound, so is the difference, from below or from above; if both are, it is unknown.
  private func difference(
    _ column: ComparisonColumn, _ real: RunRecord, _ virtual: RunRecord
  ) -> String? {
    guard let real = column.value(real), let virtual = column.value(virtual) else { return nil }
    let text = Figure.signed(real.value - virtual.value)
    switch (real.isBound, virtual.isBound) {
    case (false, false): return text
    case (true, false): return Figure.atLeast(text)
    case (false, true): return Figure.atMost(text)
    case (true, true): return nil
    }
  }
}
