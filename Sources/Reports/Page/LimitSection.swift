internal import FrameBudget

/// The largest load of each strategy: a bar each on a common scale, and what ended the search.
struct LimitSection {
  let rows: [LimitResults.Row]
  /// The advised strategy.
  let pick: String?

  private struct Bar {
    let row: LimitResults.Row
    let name: String
    /// The result of each of several searches, in ascending order; 0 if no load is sustained.
    let found: [Int]

    /// The median; for an even number, the smaller of the two.
    var largest: Int { found.isEmpty ? 0 : found[(found.count - 1) / 2] }
  }

  /// Empty without a `limit.csv`.
  func markup(_ heading: Markup) -> Markup {
    let paths = rows.map(\.path).distinct().prefix(Self.maxPaths)
    let parts: [Markup] = paths.map { path in chart(rows.filter { $0.path == path }) }
    return parts.isEmpty ? "" : "<section class=\"limits\">\(heading)\(parts)</section>\n"
  }

  private static let maxPaths = 20

  private func chart(_ rows: [LimitResults.Row]) -> Markup {
    let bars = bars(rows)
    guard let first = rows.first, let most = bars.map(\.largest).max() else { return "" }
    let lines: [Markup] = bars.map { bar in
      let isPick = bar.row.label == pick
      return """
        <li><span class="who">\(bar.name)</span><span class="bar"><i\(isPick ? " class=\"best\"" : "" as Markup) \
        style="width:\(share: Double(bar.largest) / Double(max(most, 1)))"></i></span>\
        <span class="much" title="\(Self.why(bar.row))">\(Self.words(bar))</span></li>

        """
    }
    return """
      <p class="lead">The largest \(first.path) from \(first.range.lowerBound) to \
      \(first.range.upperBound) with no dropped frame, no growing backlog and every answer in time.</p>
      <ul>\(lines)</ul>

      """
  }

  /// A bar for each strategy, the longest first; equal ones in the order of the file.
  private func bars(_ rows: [LimitResults.Row]) -> [Bar] {
    let groups = rows.grouped { [$0.label, $0.changes, $0.engine, $0.cores] }
    // Besides the strategy, the name of a bar has the keys that differ.
    let differing = (1..<4).filter { place in Set(groups.map { $0.key[place] }).count > 1 }
    let bars = groups.compactMap { key, group -> Bar? in
      guard let row = group.first else { return nil }
      let parts = [key[0]] + differing.map { $0 == 3 ? "\(key[$0]) cores" : key[$0] }
      return Bar(
        row: row, name: parts.filter { !$0.isEmpty }.joined(separator: " · "),
        found: group.map { $0.largest ?? 0 }.sorted())
    }
    return bars.enumerated().sorted { left, right in
      (right.element.largest, left.offset) < (left.element.largest, right.offset)
    }.map(\.element)
  }

  private static func words(_ bar: Bar) -> Markup {
    let number = bar.row.largest == nil && bar.largest == 0 ? "nothing" : "\(bar.largest)"
    guard let least = bar.found.first, let most = bar.found.last, least < most else {
      return "<b>\(number)</b> \(end(bar.row))"
    }
    return
      "<b>\(number)</b> \(end(bar.row)) <small>\(least) to \(most) in \(bar.found.count) searches</small>"
  }

  private static func end(_ row: LimitResults.Row) -> String {
    switch row.endedBy {
    case Metric.droppedFrames.name: "then a frame is dropped"
    case "growing_backlog": "then a backlog grows"
    case "unfinished": "then work is left undone"
    case "late_responses": "then an answer is late"
    default: row.endedAt == nil ? "all tried loads" : row.why
    }
  }

  private static func why(_ row: LimitResults.Row) -> String {
    row.endedAt.map { "at \($0): \(row.why)" }
      ?? "no load up to \(row.range.upperBound) is too high"
  }
}
