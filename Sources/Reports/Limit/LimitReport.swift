public import FrameBudget

/// The largest loads for people: a sentence on how much each bears, a table, and for each strategy what ended it.
public enum LimitReport {
  /// The report in lines of at most `width` characters, as far as names allow. With `sets` it has the numbers of these
  /// platforms' tools at the largest load that each strategy bears.
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
    var engines: [String] = []
    for row in rows {
      let engine = "\(row.log.engine.rawValue) engine, \(English.count(row.cores, "core"))"
      if !engines.contains(engine) { engines.append(engine) }
    }
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
    // How far repetitions lie apart, where they do.
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
    let borne = rows.compactMap(\.borne).map(\.metrics)
    guard let whose = sets.owners, !borne.isEmpty else { return [] }
    let all = ComparisonColumn.theirs(sets).filter { $0.applies(to: borne) }
    func table(_ columns: [ComparisonColumn]) -> TextTable {
      var table = TextTable(titles: [["", "strategy"]] + columns.map(\.title))
      table.lines = rows.compactMap { row in
        row.borne.map { run in
          let name = TextTable.Cell(text: label(row, among: rows))
          return .cells([name] + columns.map { $0.cell(run.metrics) })
        }
      }
      return table
    }
    let (kept, hidden) = ComparisonColumn.fitting(all, into: width, table)
    let lead =
      "At the largest load, as \(whose) tools print it; Documentation/Metrics.md says where they differ:"
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
        "\(label): everything up to \(row.range.upperBound) is borne; a wider --vary finds more"
    }
    return "\(label): at \(end.load), \(end.overload)"
  }

  static func label(_ row: LimitRow, among rows: [LimitRow]) -> String {
    let isOnBoth = rows.contains { $0.log.engine != row.log.engine }
    return row.log.strategy.label + (isOnBoth ? " (\(row.log.engine.rawValue))" : "")
  }
}
