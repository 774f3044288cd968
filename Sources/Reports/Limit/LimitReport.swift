internal import FrameBudget

/// The largest loads for people: a sentence on how much each bears, a table, and for each strategy what ended it.
public enum LimitReport {
  /// The report in lines of at most `width` characters, as far as names allow.
  public static func text(_ rows: [LimitRow], width: Int, isColored: Bool) -> String {
    guard let first = rows.first else { return "" }
    let parts = [
      Paragraph.wrapped(LimitVerdict(rows).text, width: width),
      heading(rows, first).flatMap { Paragraph.wrapped($0, width: width, indent: "  ") },
      table(rows).text(isColored: isColored),
      rows.flatMap { Paragraph.wrapped("- " + sentence($0), width: width, indent: "  ") },
    ]
    return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static func heading(_ rows: [LimitRow], _ first: LimitRow) -> [String] {
    let duration = Figure.span(milliseconds: first.log.duration.inMilliseconds)
    var engines: [String] = []
    for row in rows {
      let engine = "\(row.log.engine.rawValue) engine, \(English.count(row.cores, "core"))"
      if !engines.contains(engine) { engines.append(engine) }
    }
    let changes = first.changes.isEmpty ? "" : " [\(first.changes)]"
    return [
      "\(first.log.scenario)\(changes): \(first.log.frames.refresh), \(duration), "
        + "seed \(first.log.seed); \(engines.joined(separator: "; "))",
      "The largest \(first.path) from \(first.range.lowerBound) to \(first.range.upperBound) with "
        + "no dropped frame, no growing backlog and every response in time:",
    ]
  }

  private static func table(_ rows: [LimitRow]) -> TextTable {
    var table = TextTable(titles: [["", "strategy"], ["", "largest"], ["", "ended by"]])
    table.lines = rows.map { row in
      let largest = row.outcome.largest.map(String.init) ?? "none"
      let end = row.outcome.end?.overload.name.split(separator: "_").joined(separator: " ")
      return .cells([
        TextTable.Cell(text: label(row, among: rows)),
        TextTable.Cell(text: largest, ink: row.outcome.largest == nil ? .red : .plain),
        TextTable.Cell(text: end ?? "nothing"),
      ])
    }
    return table
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
