internal import FrameBudgetAdvice
internal import FrameBudget
internal import FrameBudgetReports

/// Advice for people: what to change, its gain, its price, and how certain it is.
struct AdviceText {
  private let record: AdviceRecord
  private let today: AdviceRecord.Row
  private let width: Int
  private let isColored: Bool

  /// Nil without today's arrangement.
  init?(_ record: AdviceRecord, width: Int, isColored: Bool) {
    guard let today = record.today else { return nil }
    (self.record, self.today, self.width, self.isColored) = (record, today, width, isColored)
  }

  var text: String {
    let details = record.rows.filter { $0.role == .advice }.flatMap(details)
    let parts = [
      wrapped(headline), wrapped(heading), table.text(isColored: isColored) + rangeNote, details,
      wrapped(search),
    ]
    return Paragraph.joined(parts)
  }

  private func wrapped(_ text: String, indent: String = "") -> [String] {
    Paragraph.wrapped(text, width: width, indent: indent)
  }

  // MARK: The answer

  private var headline: String {
    guard let first = record.first else {
      guard today.verdict == .nothingToChange else { return why }
      let answer = "Nothing to change: \(today.arrangement) \(todaysDrops)."
      return [answer, today.certaintyWords].filter { !$0.isEmpty }.joined(separator: " ")
    }
    let conditions = first.loss == nil ? [] : today.conditions.map { "\($0)." }
    let place = today.place(of: first) ?? ""
    let words = ([place, Self.price(first), first.certaintyWords] + conditions)
      .filter { !$0.isEmpty }
    let change = today.change(to: first, late: "late response")
    return "\(change). \(words.joined(separator: " "))"
  }

  private var todaysDrops: String {
    let frames = "drops \(today.outcome.dropped) of \(English.count(today.frames ?? 0, "frame"))"
    return today.outcome.late.map { "\(frames) and answers \($0) too late" } ?? frames
  }

  private static func price(_ row: AdviceRecord.Row) -> String {
    let kinds = [
      (row.price.lockWait, "of \(row.price.waits.words)"),
      (row.price.copying, "of copying state"), (row.price.handOff, "of handing work over"),
    ]
    let parts = kinds.filter { $0.0 > 0 }.map { "\(Figure.span(milliseconds: $0.0)) \($0.1)" }
    if parts.isEmpty { return row.loss == nil ? "It costs nothing." : "It costs nothing else." }
    return "The price: \(parts.joined(separator: ", "))."
  }

  /// Why nothing helps, with figures.
  private var why: String {
    let words = record.withoutAdvice(late: "late response")
    return record.nearest == nil ? "\(words) No arrangement is nearer than today's." : words
  }

  // MARK: The arrangements

  private var heading: String {
    let subject = today.subject
    return "\(subject.title()), seed \(subject.seed); "
      + "virtual engine, \(English.count(subject.cores, "core")); aims: \(today.aimsInWords)\(subject.origin)"
  }

  private var table: TextTable {
    let isAwaited = today.outcome.late != nil
    var titles = [["", "arrangement"], ["", "change"], ["dropped", "frames"]]
    if isAwaited { titles.append(["late", "resp."]) }
    let isIncomplete = record.rows.contains { $0.incompleteFrames != nil }
    let isLater = record.rows.contains { $0.later != nil }
    titles += [["items", "left"], ["price", "ms"]]
    if isIncomplete { titles.append(["incom-", "plete"]) }
    if isLater { titles.append(["shown", "later ms"]) }
    if isAwaited { titles.append(["resp.", "p99 ms"]) }
    titles += [["content", "p95 ms"], ["costs", "may grow"]]
    var table = TextTable(titles: titles)
    table.lines = record.rows.flatMap { row -> [TextTable.Line] in
      var cells = [
        row.arrangement, row.role == .today ? "" : "\(row.change)", "\(row.outcome.dropped)",
      ]
      if isAwaited { cells.append("\(row.outcome.late ?? 0)") }
      cells += ["\(row.outcome.left)", Figure.text(row.price.total)]
      if isIncomplete { cells.append("\(row.incomplete ?? 0)") }
      if isLater { cells.append(Figure.text(row.later ?? 0)) }
      if isAwaited { cells.append(Self.figure(row.response, row.isResponseBound)) }
      cells += [Self.figure(row.content, row.isContentBound), Self.growth(row)]
      let line = TextTable.Line.cells(
        cells.enumerated().map { place, text in
          TextTable.Cell(text: text, style: place == 2 ? Self.style(row) : .plain)
        })
      return [line] + Self.ranges(row).map { .words(TextTable.Cell(text: $0, style: .dim)) }
    }
    return table
  }

  /// Green only if small errors in costs and arrivals would not overturn it. What threads may change, the line below says.
  private static func style(_ row: AdviceRecord.Row) -> TextStyle {
    row.meetsAims ? (row.isFragile ? .yellow : .green) : .red
  }

  /// `  range: 0–0.8 % dropped, response p99 16.7–50 ms`; empty if it is unknown.
  private static func ranges(_ row: AdviceRecord.Row) -> [String] {
    let figures = [
      row.droppedRange.map { "\($0) dropped" }, row.responseRange.map { "response p99 \($0)" },
    ].compactMap(\.self)
    return figures.isEmpty ? [] : ["  range: \(figures.joined(separator: ", "))"]
  }

  /// What the ranges above mean; empty without any.
  private var rangeNote: [String] {
    let metrics =
      [Metric.droppedPercent]
      + (record.rows.contains { $0.responseRange != nil } ? [.response(.p99)] : [])
    guard let words = RangeWords(record.rows.map(\.ranges), metrics) else { return [] }
    return wrapped("range: \(words.text)", indent: "  ")
  }

  private static func figure(_ value: Double?, _ isBound: Bool) -> String {
    value.map { Figure.text(Observation($0, isBound: isBound)) } ?? ""
  }

  private static func growth(_ row: AdviceRecord.Row) -> String {
    guard let margin = row.certainty.margin else { return "" }
    return "\(percent(margin))\(row.isFragile ? " !" : "")"
  }

  /// `42 %`, `>400 %`
  private static func percent(_ growth: Int) -> String {
    "\(growth == Margin.most ? ">" : "")\(growth) %"
  }

  private func details(_ row: AdviceRecord.Row) -> [String] {
    var lines = wrapped("- \(row.arrangement): \(row.moves.joined(separator: "; "))", indent: "  ")
    for effect in row.effects where row.effects.count > 1 {
      lines += wrapped("    \(effect.sentence)", indent: "      ").map { "    " + $0 }
    }
    let margins = row.margins.map { margin in
      let end = margin.endedBy.isEmpty ? "" : " (\(AdviceCertainty.End.what(margin.endedBy)))"
      return "\(margin.service) \(Self.percent(margin.percent))\(end)"
    }
    if !margins.isEmpty {
      lines += wrapped("  may grow alone: \(margins.joined(separator: ", "))", indent: "    ")
        .map { "  " + $0 }
    }
    if let reason = Self.fragility(row) {
      lines += wrapped("  fragile: \(reason)", indent: "    ").map { "  " + $0 }
    }
    return lines
  }

  private static func fragility(_ row: AdviceRecord.Row) -> String? {
    guard row.isFragile else { return nil }
    guard !row.certainty.isFragile else {
      return "it fails with slightly different costs or arrival times"
    }
    let aims = English.list(row.sensitiveAims.map(\.words))
    return "it may miss \(aims) \(RangeWords.smallChanges)"
  }

  private var search: String {
    let count = today.count
    if today.verdict == .nothingToChange { return "" }
    let placements =
      count.placements.map { $0 == 1 ? "is 1 placement" : "are \($0) placements" }
      ?? "are more than \(Adviser.maxPlacements) placements"
    let kind =
      count.isCut
      ? "the search was interrupted"
      : count.isExhaustive
        ? "the search is exhaustive for smaller changes"
        : "they are too many to try all, so a smaller change may exist"
    return
      "There \(placements); \(count.candidates) candidates with their rules were considered, "
      + "\(count.ruledOut) ruled out by a bound, \(count.tried) run: \(kind)."
  }
}
