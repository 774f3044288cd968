public import FrameBudget

/// The largest loads for people: a sentence with the load of each strategy, a table, and what ended each search.
public enum LimitReport {
  /// The report in lines of at most `width` characters, as far as names allow. With `sets` it has the numbers of these
  /// platforms' tools at the largest sustained load of each strategy.
  public static func text(
    _ rows: [LimitRow], sets: [MetricSet] = [], width: Int, isColored: Bool
  ) -> String {
    guard let first = rows.first else { return "" }
    let searches = RepeatedSearch.grouped(rows)
    let parts = [
      Paragraph.wrapped(LimitVerdict(searches.map(\.typical)).text, width: width),
      heading(rows, first).flatMap { Paragraph.wrapped($0, width: width, indent: "  ") },
      table(searches).text(isColored: isColored),
      platforms(searches.map(\.typical), sets, width: width, isColored: isColored),
      searches.map(\.typical).flatMap {
        Paragraph.wrapped("- " + sentence($0), width: width, indent: "  ")
      },
    ]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(
      separator: "\n")
  }

  private static func heading(_ rows: [LimitRow], _ first: LimitRow) -> [String] {
    let duration = Figure.span(milliseconds: first.log.duration.inMilliseconds)
    let engines = rows.map {
      "\($0.log.engine.rawValue) engine, \(English.count($0.cores, "core"))"
    }.distinct()
    let most = RepeatedSearch.grouped(rows).map(\.count).max() ?? 1
    let medians = most > 1 ? " (medians of \(most) searches)" : ""
    let changes = first.changes.isEmpty ? "" : " [\(first.changes)]"
    return [
      "\(first.log.scenario)\(changes): \(first.log.frames.refresh), \(duration), "
        + "seed \(first.log.seed); \(engines.joined(separator: "; "))\(Learned.origin(first.log.learned))",
      "The largest \(first.path) from \(first.range.lowerBound) to \(first.range.upperBound) with "
        + "no dropped frame, no growing backlog and every response in time\(medians):",
    ]
  }

  private static func table(_ searches: [RepeatedSearch]) -> TextTable {
    // The range of repetitions, if they differ.
    let isSpread = searches.contains { !$0.spread.isEmpty }
    let titles = ["strategy", "largest"] + (isSpread ? ["least to most"] : []) + ["ended by"]
    var table = TextTable(titles: titles.map { ["", $0] })
    table.lines = searches.map { search in
      let row = search.typical
      let end = row.outcome.end?.overload.name.split(separator: "_").joined(separator: " ")
      let spread = isSpread ? [TextTable.Cell(text: search.spread)] : []
      return .cells(
        [
          TextTable.Cell(text: label(row, among: searches.map(\.typical))),
          TextTable.Cell(text: row.found, style: row.outcome.largest == nil ? .red : .plain),
        ] + spread + [TextTable.Cell(text: end ?? "nothing")])
    }
    return table
  }

  private static func platforms(
    _ rows: [LimitRow], _ sets: [MetricSet], width: Int, isColored: Bool
  ) -> [String] {
    let sustained = rows.compactMap(\.sustained).map(\.metrics)
    guard let whose = sets.owners, !sustained.isEmpty else { return [] }
    let all = ComparisonColumn.platformColumns(sets).filter { $0.applies(to: sustained) }
    func table(_ columns: [ComparisonColumn]) -> TextTable {
      var table = TextTable(titles: [["", "strategy"]] + columns.map(\.title))
      table.lines = rows.compactMap { row in
        row.sustained.map { run in
          let name = TextTable.Cell(text: label(row, among: rows))
          return .cells([name] + columns.map { $0.cell(run.metrics) })
        }
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

  private static func sentence(_ row: LimitRow) -> String {
    let label = row.log.strategy.label
    guard let end = row.outcome.end else {
      return
        "\(label): sustains every load up to \(row.range.upperBound); use a wider --vary to find the limit"
    }
    return "\(label): at \(end.load), \(end.overload)"
  }

  static func label(_ row: LimitRow, among rows: [LimitRow]) -> String {
    let isOnBoth = rows.contains { $0.log.engine != row.log.engine }
    return row.log.strategy.label + (isOnBoth ? " (\(row.log.engine.rawValue))" : "")
  }
}

/// The largest load of each strategy and what ended the search, in a sentence; the largest first.
struct LimitVerdict {
  private let rows: [(label: String, outcome: LoadSearch.Outcome, end: Int)]
  /// The unit of the load, if the scenario has one: `photo`.
  private let item: String?
  /// The limit for one sentence; the table has all strategies.
  private static let most = 6

  init(_ rows: [LimitRow]) {
    self.rows = rows.enumerated().sorted { left, right in
      (right.element.outcome.largest ?? Int.min, left.offset)
        < (left.element.outcome.largest ?? Int.min, right.offset)
    }.map { (LimitReport.label($1, among: rows), $1.outcome, $1.range.upperBound) }
    item = rows.first?.item
  }

  /// `threads-and-locks sustains 3461 photos (at 3462, work is left undone) and main-thread 2 (at 3, frames are dropped).`
  var text: String {
    let parts = rows.prefix(Self.most).enumerated().map { place, row in
      "\(row.label) \(place == 0 ? "sustains " : "")\(words(row.outcome, row.end, isFirst: place == 0))"
    }
    return English.list(parts) + others + "."
  }

  /// For programs: the sentence, and the strategy with the largest load.
  var json: JSON {
    let most = rows.first { $0.outcome.largest != nil }
    return .object([
      ("sentences", .array(rows.isEmpty ? [] : [.text(text)])),
      (RunKey.strategy.name, most.map { .text($0.label) } ?? .null),
      ("largest", most?.outcome.largest.map { .number(String($0)) } ?? .null),
    ])
  }

  private func words(_ outcome: LoadSearch.Outcome, _ last: Int, isFirst: Bool) -> String {
    guard let end = outcome.end else { return "every tried load, up to \(last)" }
    guard let largest = outcome.largest else {
      return "nothing (at \(end.load), \(end.overload.happening))"
    }
    let load = isFirst ? item.map { English.count(largest, $0) } : nil
    return "\(load ?? String(largest)) (at \(end.load), \(end.overload.happening))"
  }

  private var others: String {
    let rest = rows.dropFirst(Self.most)
    guard let most = rest.first, let least = rest.last else { return "" }
    let loads = [least, most].map { $0.outcome.largest.map(String.init) ?? "nothing" }
    let range = loads[0] == loads[1] ? loads[0] : "\(loads[0]) to \(loads[1])"
    return "; \(rest.count == 1 ? "one other sustains" : "\(rest.count) others sustain") \(range)"
  }
}

extension Overload {
  /// `frames are dropped`
  fileprivate var happening: String {
    switch self {
    case .droppedFrames: "frames are dropped"
    case .growingBacklog: "work piles up"
    case .unfinished: "work is left undone"
    case .lateResponses: "responses come late"
    }
  }
}

/// The searches for one strategy's largest load on one engine, represented by the median one.
struct RepeatedSearch {
  /// In ascending order of the results.
  private let found: [LimitRow]

  /// For an even number, the lower of the two.
  var typical: LimitRow { found[(found.count - 1) / 2] }
  var count: Int { found.count }
  /// The results of the searches if they differ: `430 to 470`.
  var spread: String {
    guard let least = found.first, let most = found.last, least.found != most.found else {
      return ""
    }
    return "\(least.found) to \(most.found)"
  }

  /// In the order of their first rows.
  static func grouped(_ rows: [LimitRow]) -> [RepeatedSearch] {
    rows.grouped { [$0.log.strategy.label, $0.log.engine.rawValue] }.map { _, group in
      RepeatedSearch(
        found: group.sorted { ($0.outcome.largest ?? -1) < ($1.outcome.largest ?? -1) })
    }
  }
}

extension LimitRow {
  /// The largest load in a word.
  var found: String { outcome.largest.map(String.init) ?? "none" }
}
