internal import FrameBudget

/// A line for each strategy under each combination: what its runs come to over all seeds.
public enum SeedTable {
  /// `groups` are the first of `count`.
  public static func text(
    _ groups: [SeedSummary.Group], of count: Int, isColored: Bool
  ) -> String {
    let shares = groups.contains { $0.row(SeedSummary.expectations) != nil }
    var table = TextTable(titles: titles + (shares ? [["meet what", "is expected"]] : []))
    for group in groups {
      guard let run = group.rows.first?.run else { continue }
      if !run.changes.isEmpty { table.head(run.changes) }
      let texts = cells(group, run) + (shares ? [share(group)] : [])
      table.lines.append(.cells(texts.map { TextTable.Cell(text: $0) }))
    }
    var lines = table.text(isColored: isColored)
    if count > groups.count { lines.append("\(count - groups.count) more are in seeds.csv") }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let titles = [
    ["", "strategy"], ["", "runs"], ["dropped %", "mean"], ["95 % sure", "of the mean"],
    ["nine of ten", "runs"], ["late resp.", "mean"], ["response p99", "ms"],
  ]

  private static func cells(_ group: SeedSummary.Group, _ run: ResultRow) -> [String] {
    let runs = group.rows.map(\.runs).max() ?? 0
    let dropped = group.row(Metric.droppedPercent.name)
    let most = dropped?.statistics.map { range($0[0.05], $0[0.95]) }
    let interval = dropped?.interval.map { range($0.lowerBound, $0.upperBound) }
    return [
      run.label, String(runs), dropped.map { Figure.percent($0.mean) } ?? "", interval ?? "",
      most ?? "", mean(group, Metric.responsesLate), mean(group, .response(.p99)),
    ]
  }

  private static func range(_ low: Double, _ high: Double) -> String {
    "\(Figure.percent(low)) to \(Figure.percent(high))"
  }

  private static func share(_ group: SeedSummary.Group) -> String {
    group.row(SeedSummary.expectations).map { "\(Figure.percent(100 * $0.mean)) %" } ?? ""
  }

  private static func mean(_ group: SeedSummary.Group, _ metric: Metric) -> String {
    group.row(metric.name).map { row in
      let text = Figure.text(row.mean)
      return (row.bounds ?? 0) > 0 ? ">\(text)" : text
    } ?? ""
  }
}
