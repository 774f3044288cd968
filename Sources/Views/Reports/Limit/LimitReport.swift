public import FrameBudget

/// The largest loads for people: a sentence with the load of each strategy, a table, and what ended each search.
public enum LimitReport {
  /// The report in lines of at most `width` characters, as far as names allow. With `sets` it has the numbers of these
  /// platforms' tools in `sustained`, the runs with the largest load that was sustained.
  public static func text(
    _ rows: [LimitRecord], sets: [MetricSet] = [],
    sustained: [(search: LimitRecord, run: ReportRow)] = [], width: Int, isColored: Bool
  ) -> String {
    guard let first = rows.first else { return "" }
    let searches = LimitRecord.repeated(rows)
    let parts = [
      Paragraph.wrapped(LimitVerdict(searches.map(\.representative)).text, width: width),
      heading(rows, first).flatMap { Paragraph.wrapped($0, width: width, indent: "  ") },
      table(searches).text(isColored: isColored),
      platforms(
        searches.map(\.representative), sustained, sets, width: width, isColored: isColored),
      searches.map(\.representative).flatMap {
        Paragraph.wrapped("- " + sentence($0), width: width, indent: "  ")
      },
    ]
    return Paragraph.joined(parts)
  }

  private static func heading(_ rows: [LimitRecord], _ first: LimitRecord) -> [String] {
    let engines = rows.map {
      "\($0.engine) engine, \(English.count($0.subject.cores, "core"))"
    }.distinct()
    let most = LimitRecord.repeated(rows).map(\.count).max() ?? 1
    let medians = most > 1 ? " (medians of \(most) searches)" : ""
    let changes = first.changes.isEmpty ? "" : " [\(first.changes)]"
    return [
      "\(first.subject.title(changes)), seed \(first.subject.seed); \(engines.joined(separator: "; "))\(first.subject.origin)",
      "The largest \(first.path) from \(first.from) to \(first.to) with "
        + "no dropped frame, no growing backlog and every response in time\(medians):",
    ]
  }

  private static func table(_ searches: [Repetitions<LimitRecord>]) -> TextTable {
    // The range of repetitions, if they differ.
    let isSpread = searches.contains { !$0.spread.isEmpty }
    let titles = ["strategy", "largest"] + (isSpread ? ["least to most"] : []) + ["ended by"]
    var table = TextTable(titles: titles.map { ["", $0] })
    table.lines = searches.map { search in
      let row = search.representative
      let end = row.endedBy?.split(separator: "_").joined(separator: " ")
      let spread = isSpread ? [TextTable.Cell(text: search.spread)] : []
      return .cells(
        [
          TextTable.Cell(text: label(row, among: searches.map(\.representative))),
          TextTable.Cell(text: row.found, style: row.largest == nil ? .red : .plain),
        ] + spread + [TextTable.Cell(text: end ?? "nothing")])
    }
    return table
  }

  private static func platforms(
    _ searches: [LimitRecord], _ sustained: [(search: LimitRecord, run: ReportRow)],
    _ sets: [MetricSet], width: Int, isColored: Bool
  ) -> [String] {
    let found = searches.compactMap { search in
      sustained.first { $0.search == search }.map {
        (label(search, among: searches), $0.run.summary)
      }
    }
    guard let whose = sets.owners, !found.isEmpty else { return [] }
    let all = ComparisonColumn.platformColumns(sets).filter { $0.applies(to: found.map(\.1)) }
    func table(_ columns: [ComparisonColumn]) -> TextTable {
      var table = TextTable(titles: [["", "strategy"]] + columns.map(\.title))
      table.lines = found.map { name, run in
        .cells([TextTable.Cell(text: name)] + columns.map { $0.cell(run) })
      }
      return table
    }
    let (kept, hidden) = ComparisonColumn.fitting(all, into: width, table)
    let lead =
      "At the largest load, as \(whose) tools print it; see Documentation/Metrics.md for differences:"
    let missing = hidden.map(\.name)
    let note =
      missing.isEmpty ? "" : "not shown in \(width) columns: \(missing.joined(separator: ", "))"
    return Paragraph.wrapped(lead, width: width) + table(kept).text(isColored: isColored)
      + (note.isEmpty ? [] : Paragraph.wrapped(note, width: width, indent: "  "))
  }

  private static func sentence(_ row: LimitRecord) -> String {
    guard let end = row.endedAt else {
      return
        "\(row.label): sustains every load up to \(row.to); use a wider --vary to find the limit"
    }
    return "\(row.label): at \(end), \(row.why ?? "")"
  }

  static func label(_ row: LimitRecord, among rows: [LimitRecord]) -> String {
    let isOnBoth = rows.contains { $0.engine != row.engine }
    return row.label + (isOnBoth ? " (\(row.engine))" : "")
  }
}

/// The largest load of each strategy and what ended the search, in a sentence; the largest first.
struct LimitVerdict {
  private let rows: [(label: String, search: LimitRecord)]
  /// The limit for one sentence; the table has all strategies.
  private static let most = 6

  init(_ rows: [LimitRecord]) {
    self.rows = rows.enumerated().sorted { left, right in
      (right.element.largest ?? Int.min, left.offset)
        < (left.element.largest ?? Int.min, right.offset)
    }.map { (LimitReport.label($1, among: rows), $1) }
  }

  /// `threads-and-locks sustains 3461 photos (at 3462, work is left undone after 10 s) and main-thread 2 (at 3, frames are dropped).`
  var text: String {
    let parts = rows.prefix(Self.most).enumerated().map { place, row in
      "\(row.label) \(place == 0 ? "sustains " : "")\(words(row.search, isFirst: place == 0))"
    }
    return English.list(parts) + others + "."
  }

  /// The strategy with the largest load.
  var headline: String? {
    guard let most = rows.first else { return nil }
    guard let largest = most.search.largest else {
      return "No strategy sustains a load from \(most.search.from) to \(most.search.to)."
    }
    let load = most.search.item.map { English.count(largest, $0) } ?? String(largest)
    let equal = rows.filter { $0.search.largest == largest }.count
    let others =
      equal == 1 ? "" : equal == 2 ? " and one other" : " and \(equal - 1) others"
    return "The largest load is \(load), with \(most.label)\(others)."
  }

  /// For programs: the sentence, and the strategy with the largest load.
  var json: JSON {
    let most = rows.first { $0.search.largest != nil }
    return .object([
      ("sentences", .array(rows.isEmpty ? [] : [.text(text)])),
      (RunKey.strategy.name, most.map { .text($0.label) } ?? .null),
      ("largest", most?.search.largest.map { .number(String($0)) } ?? .null),
    ])
  }

  private func words(_ search: LimitRecord, isFirst: Bool) -> String {
    guard let end = search.endedAt else { return "every tried load, up to \(search.to)" }
    let happening = search.endingWords?.happening ?? search.why ?? ""
    guard let largest = search.largest else { return "nothing (at \(end), \(happening))" }
    let load = isFirst ? search.item.map { English.count(largest, $0) } : nil
    return "\(load ?? String(largest)) (at \(end), \(happening))"
  }

  private var others: String {
    let rest = rows.dropFirst(Self.most)
    guard let most = rest.first, let least = rest.last else { return "" }
    let loads = [least, most].map { $0.search.largest.map(String.init) ?? "nothing" }
    let range = loads[0] == loads[1] ? loads[0] : "\(loads[0]) to \(loads[1])"
    return "; \(rest.count == 1 ? "one other sustains" : "\(rest.count) others sustain") \(range)"
  }
}
