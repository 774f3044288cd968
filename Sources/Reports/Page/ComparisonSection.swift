internal import FrameBudget

/// The same runs of several results, or of both engines, beside one another: before and after, predicted and measured.
struct ComparisonSection {
  private let groups: [(name: String, rows: [PageRow])]
  private let columns: [String]
  private let isOfEngines: Bool

  private static let metrics = [
    (Metric.droppedFrames.name, "frames dropped"), (Metric.hitchMax.name, "longest hang, ms"),
    (Metric.responsesLate.name, "answers late"), (Metric.itemsPending.name, "work left"),
    (Metric.frameTime(.p99).name, "slow frame, ms"),
    (Metric.response(.p99).name, "slow answer, ms"),
  ]

  /// Nil where nothing was run twice.
  init?(_ rows: [PageRow]) {
    let byOrigin = Self.grouped(rows) { row in
      [row.subject.label, row.subject.changes, row.subject.engine]
    }
    let byEngine = Self.grouped(rows) { [$0.origin, $0.subject.label, $0.subject.changes] }
    isOfEngines = byOrigin.isEmpty
    groups = isOfEngines ? byEngine : byOrigin
    guard !groups.isEmpty else { return nil }
    var columns: [String] = []
    for row in groups.flatMap(\.rows) {
      let column = isOfEngines ? row.subject.engine : row.origin
      if !columns.contains(column) { columns.append(column) }
    }
    self.columns = columns
  }

  private static func grouped(
    _ rows: [PageRow], by key: (PageRow) -> [String]
  ) -> [(name: String, rows: [PageRow])] {
    var keys: [[String]] = []
    var groups: [[String]: [PageRow]] = [:]
    for row in rows {
      if groups[key(row)] == nil { keys.append(key(row)) }
      groups[key(row), default: []].append(row)
    }
    return keys.compactMap { key in
      let rows = groups[key] ?? []
      let name = key.filter { !$0.isEmpty }.joined(separator: " · ")
      return rows.count > 1 ? (name, rows) : nil
    }
  }

  func markup(_ heading: Markup) -> Markup {
    let shown = Self.metrics.filter { metric in
      groups.contains { $0.rows.contains { $0.value(metric.0) != nil } }
    }
    let heads: [Markup] = shown.map {
      "<th scope=\"col\" role=\"columnheader\" class=\"n\" title=\"\($0.0)\">\($0.1)</th>"
    }
    let lines: [Markup] = groups.map { group in
      let cells: [Markup] = shown.map { metric in
        """
        <td role="cell" class="n"><span class="label" aria-hidden="true">\(metric.1) </span>\
        \(group.rows.map { $0.text(metric.0).isEmpty ? "–" : $0.text(metric.0) }.joined(separator: " → "))</td>
        """
      }
      return
        "<tr role=\"row\"><th scope=\"row\" role=\"rowheader\">\(group.name)</th>\(cells)</tr>\n"
    }
    let what = isOfEngines ? "of both engines" : "of these results"
    return """
      <section>\(heading)<p class="lead">The same runs \(what): \(columns.joined(separator: " → ")). \
      Medians; whether a difference is more than chance, <code>framebudget compare</code> says.</p>
      <table class="strips plain" role="table"><thead role="rowgroup"><tr role="row">\
      <th scope="col" role="columnheader">strategy</th>\(heads)</tr></thead>
      <tbody role="rowgroup">\(lines)</tbody></table></section>

      """
  }
}
