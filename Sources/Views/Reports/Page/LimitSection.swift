internal import FrameBudget

/// The largest load of each strategy: a bar each on a common scale, and what ended the search.
struct LimitSection {
  let rows: [LimitRecord]
  /// The advised strategy.
  let pick: String?

  /// The strategy with the largest load, in a sentence; nil if the searches are not of one question.
  var headline: String? {
    guard Set(rows.map { [$0.path, $0.changes, $0.engine] }).count == 1 else { return nil }
    return LimitVerdict(LimitRecord.repeated(rows).map(\.representative)).headline
  }

  /// Empty without a `limit.csv`.
  func markup(_ heading: Markup) -> Markup {
    let paths = rows.map(\.path).distinct().prefix(Self.maxPaths)
    let parts: [Markup] = paths.map { path in chart(rows.filter { $0.path == path }) }
    return parts.isEmpty ? "" : "<section class=\"limits\">\(heading)\(parts)</section>\n"
  }

  private static let maxPaths = 20

  private func chart(_ rows: [LimitRecord]) -> Markup {
    let bars = bars(rows)
    guard let first = rows.first else { return "" }
    let isInterrupted = rows.contains(where: \.isInterrupted)
    let most = bars.compactMap(\.search.representative.largest).max() ?? 0
    let lines: [Markup] = bars.map { name, search in
      let typical = search.representative
      let isPick = typical.label == pick
      return """
        <li><span class="who">\(name)</span><span class="bar"><i\(isPick ? " class=\"best\"" : "" as Markup) \
        style="width:\(share: Double(typical.largest ?? 0) / Double(max(most, 1)))"></i></span>\
        <span class="much" title="\(Self.why(typical))">\(Self.words(search))</span></li>

        """
    }
    return """
      <p class="lead">The largest \(first.path) from \(first.from) to \
      \(first.to) with no dropped frame, no growing backlog and every answer in time.\
      \(isInterrupted ? " Interrupted: other searches have no result." : "")</p>
      <ul>\(lines)</ul>

      """
  }

  /// A bar for each strategy, the longest first; equal ones in the order of the file.
  private func bars(_ rows: [LimitRecord]) -> [(name: String, search: Repetitions<LimitRecord>)] {
    let searches = LimitRecord.repeated(rows)
    let keys = searches.map(\.representative).map { typical in
      [typical.changes, typical.engine, "\(typical.subject.cores) cores"]
    }
    // Besides the strategy, the name of a bar has the keys that differ.
    let differing = (0..<3).filter { place in Set(keys.map { $0[place] }).count > 1 }
    return zip(searches, keys).enumerated().sorted { left, right in
      (right.element.0.representative.largest ?? 0, left.offset)
        < (left.element.0.representative.largest ?? 0, right.offset)
    }.map { _, bar in
      let parts = [bar.0.representative.label] + differing.map { bar.1[$0] }
      return (parts.filter { !$0.isEmpty }.joined(separator: " · "), bar.0)
    }
  }

  private static func words(_ search: Repetitions<LimitRecord>) -> Markup {
    let typical = search.representative
    let spread: Markup =
      search.spread.isEmpty
      ? "" : " <small>\(search.spread) in \(search.count) searches</small>"
    let number = typical.largest.map(String.init) ?? "nothing"
    return "<b>\(number)</b> \(end(typical))" + spread
  }

  private static func end(_ search: LimitRecord) -> String {
    search.endingWords?.after ?? (search.endedAt == nil ? "all tried loads" : search.why ?? "")
  }

  private static func why(_ search: LimitRecord) -> String {
    search.endedAt.map { "at \($0): \(search.why ?? "")" }
      ?? "no load up to \(search.to) is too high"
  }
}
