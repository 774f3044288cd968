internal import FrameBudget

/// All strategies on one time axis, a strip each, with the main figures.
struct StripTable {
  let rows: [PageRow]
  let verdicts: [Verdict]
  let axis: TimeAxis
  private let byPlace: [[String]: Verdict]
  /// The kind of response, in one word: `tap`, `answer`.
  private let awaited: String
  private let columns: [Column]

  init(_ rows: [PageRow], _ verdicts: [Verdict]) {
    (self.rows, self.verdicts) = (rows, verdicts)
    byPlace = Dictionary(verdicts.map { ([$0.origin, $0.changes, $0.engine], $0) }) { first, _ in
      first
    }
    axis = TimeAxis(to: rows.map(\.seconds).max() ?? 1)
    awaited = Self.awaited(rows, verdicts)
    columns = Self.columns(English.plural(awaited))
  }

  /// The limit for visible rows; the others are collapsed.
  private static let most = 10

  var markup: Markup {
    let shown = RowChoice(rows, most: Self.most, verdicts).chosen
    let rest = rows.indices.filter { !shown.contains($0) }
    let others = "\(rest.count) more, which differ less"
    return """
      \(table(shown))\(legend)\(missing)\(Self.zoom)\
      \(Markup.folded(others, rest.isEmpty ? "" : table(rest)))
      """
  }

  /// Hidden unless the script runs.
  private static let zoom: Markup = """
    <div class="zoom" hidden><span>Drag across a strip to zoom in:</span>\
    <button type="button" data-zoom="in">zoom in</button>\
    <button type="button" data-zoom="out">zoom out</button>\
    <button type="button" data-zoom="left">earlier</button>\
    <button type="button" data-zoom="right">later</button>\
    <button type="button" data-zoom="all">whole run</button></div>

    """

  private var hasAnswers: Bool { rows.contains { !$0.answers.isEmpty } }

  // MARK: The table

  private func table(_ places: [Int]) -> Markup {
    let heads: [Markup] = columns.map { column in
      "<th scope=\"col\" role=\"columnheader\" class=\"n\" title=\"\(column.metrics)\">\(column.title)</th>"
    }
    return """
      <table class="strips\(hasAnswers ? "" : " still")" role="table"><thead role="rowgroup"><tr role="row">\
      <th scope="col" role="columnheader">strategy</th>\
      <th scope="col" role="columnheader" class="picture"><div class="strip axis">\
      <div class="time" data-to="\(Decimal.text(axis.to, places: 6))">\(axis.labels)</div></div></th>\
      \(heads)</tr></thead>
      <tbody role="rowgroup">\(places.map { line(rows[$0]) })</tbody></table>

      """
  }

  private func line(_ row: PageRow) -> Markup {
    let verdict = verdict(on: row)
    let outcome = verdict?.strategies.first { $0.label == row.subject.label }
    let isPick = outcome != nil && verdict?.recommended == outcome
    let cells: [Markup] = columns.map { column in
      """
      <td role="cell" class="n"><span class="label" aria-hidden="true">\(column.title) </span>\
      \(outcome.map(column.cell) ?? "–")</td>
      """
    }
    return """
      <tr role="row"\(isPick ? " class=\"pick\"" : "" as Markup)>\
      <th scope="row" role="rowheader">\(Self.name(row))\(badges(row, outcome, verdict))</th>\
      <td role="cell" class="picture">\(Strip(row: row, axis: axis).markup)</td>\(cells)</tr>

      """
  }

  /// Its strategy and, in smaller letters, its options and other distinguishing properties.
  private static func name(_ row: PageRow) -> Markup {
    let parts = row.subject.label.split(separator: ":")
    guard let strategy = parts.first, let range = row.name.firstRange(of: row.subject.label) else {
      return "\(row.name)"
    }
    let options = [parts.dropFirst().joined(separator: ", ")]
    let others = [row.name[..<range.lowerBound], row.name[range.upperBound...]].map { part in
      String(part).split(separator: " · ").joined(separator: " · ")
    }
    let notes = (options + others).filter { !$0.isEmpty }.joined(separator: " · ")
    return notes.isEmpty ? "\(strategy)" : "\(strategy)<small>\(notes)</small>"
  }

  private func verdict(on row: PageRow) -> Verdict? {
    byPlace[[row.origin, row.subject.changes, row.subject.engine]]
  }

  private func badges(
    _ row: PageRow, _ outcome: StrategyOutcome?, _ verdict: Verdict?
  ) -> Markup {
    var badges: Markup = ""
    guard let outcome, let verdict else { return badges }
    if verdict.strategies.count > 1, outcome == verdict.today {
      badges += " <b class=\"badge\">today</b>"
    }
    let isPick = verdict.recommended == outcome
    let isAdvised = verdict.advised.contains(outcome.label)
    if isPick, isAdvised { badges += " <b class=\"badge best\">advised</b>" }
    if verdict.cheapest == outcome, let merit = verdict.merit {
      let kind: Markup = isPick && !isAdvised ? " best" : ""
      badges += " <b class=\"badge\(kind)\" title=\"\(Verdict.rule)\">\(merit.rawValue)</b>"
    }
    if verdict.nearest == outcome { badges += " <b class=\"badge best\">nearest</b>" }
    if row.isDisturbed {
      badges += " <b class=\"badge\" title=\"other processes used the processors\">disturbed</b>"
    }
    return badges + Self.repetitions(row)
  }

  /// What the figures are of, if there are several runs.
  private static func repetitions(_ row: PageRow) -> Markup {
    guard let runs = row.repetitions else { return "" }
    let median: Markup = runs.count > 1 ? " <small>the median of \(runs.count) runs</small>" : ""
    return runs.omission.map { "\(median) <small>\($0)</small>" } ?? median
  }

  // MARK: Main figures

  struct Column {
    let title: String
    /// The names of the metrics in files.
    let metrics: String
    let cell: (StrategyOutcome) -> Markup

    init(
      _ title: String, _ metrics: [Metric], _ separator: String,
      _ cell: @escaping (StrategyOutcome) -> Markup
    ) {
      (self.title, self.cell) = (title, cell)
      self.metrics = metrics.map(\.name).joined(separator: separator)
    }
  }

  private static func columns(_ awaited: String) -> [Column] {
    [
      Column("frames dropped", [.droppedFrames, .droppedPercent], ", ", dropped),
      Column("longest gap", [.hitchMax], "", gap),
      Column("\(awaited) late", [.responsesLate], "", late),
      Column("work left", [.backlog, .itemsCancelled], " + ", left),
      Column("price", [.lockWait, .publishing, .handOffTotal, .incompleteFrames], " + ", price),
    ]
  }

  private static func awaited(_ rows: [PageRow], _ verdicts: [Verdict]) -> String {
    var items: [String: String] = [:]
    for outcome in verdicts.lazy.flatMap(\.strategies) {
      for work in outcome.work where work.late != nil && items[work.name] == nil {
        items[work.name] = work.response
      }
    }
    var names = Set(items.values)
    for row in rows {
      for log in row.answers { names.insert(items[log.workload] ?? log.workload) }
    }
    names.remove("")
    return names.count == 1 ? names.joined() : "answer"
  }

  private static func problem(_ text: String, if isProblem: Bool) -> Markup {
    isProblem ? "<b class=\"problem\">\(text)</b>" : "\(text)"
  }

  private static func dropped(_ outcome: StrategyOutcome) -> Markup {
    guard outcome.expectedFrames > 0 else { return "–" }
    let share = 100 * Double(outcome.ownDrops) / Double(outcome.expectedFrames)
    let own = problem("\(outcome.ownDrops)", if: outcome.ownDrops > 0)
    let percent: Markup = outcome.ownDrops > 0 ? " <small>\(Figure.percent(share)) %</small>" : ""
    let machine: Markup =
      outcome.machineFrames > 0
      ? " <small>+ \(outcome.machineFrames) by the machine</small>" : ""
    let range: Markup =
      outcome.droppedPercentRange.map {
        " <small title=\"\(outcome.rangeWords?.text ?? "")\">\(Figure.range($0, of: .droppedPercent)) %</small>"
      } ?? ""
    return "<span class=\"one\">\(own)\(percent)</span>\(machine)\(range)"
  }

  /// Smaller shares of a price are omitted.
  private static let smallestShare = 0.1

  private static func gap(_ outcome: StrategyOutcome) -> Markup {
    guard outcome.longestGapMilliseconds > 0 else { return "–" }
    return "<span class=\"one\">\(problem(outcome.gap, if: outcome.ownGap != nil))</span>"
  }

  private static func late(_ outcome: StrategyOutcome) -> Markup {
    let arrived = outcome.awaited.reduce(0) { $0 + $1.arrived }
    guard arrived > 0 || outcome.lateResponses > 0 else { return "–" }
    let number = problem("\(outcome.lateResponses)", if: outcome.lateResponses > 0)
    return arrived > 0 ? "\(number) <small>of \(arrived)</small>" : number
  }

  private static func left(_ outcome: StrategyOutcome) -> Markup {
    outcome.itemsArrived > 0 ? problem("\(outcome.itemsLeft)", if: outcome.itemsLeft > 0) : "–"
  }

  private static func price(_ outcome: StrategyOutcome) -> Markup {
    let price = outcome.price
    let least = max(0.5, smallestShare * price.total)
    var parts: [Markup] = StrategyPrice.Kind.allCases.filter { price[$0] >= least }.map {
      "<small>\(Figure.span(milliseconds: price[$0])) \(price.short($0))</small>"
    }
    parts += outcome.losses.map { "<small>\($0)</small>" }
    return parts.isEmpty ? "–" : "\(parts)"
  }

  // MARK: Below the table

  /// The meanings of the marks that occur.
  private var legend: Markup {
    let strips = rows.map { Strip(row: $0, axis: axis) }
    let answers = strips.map(\.answerKinds).reduce(into: Set()) { $0.formUnion($1) }
    let entries: [(isThere: Bool, mark: String, words: String)] = [
      (
        rows.contains { $0.frames != nil }, "shown",
        Strip.whole(isOnDemand: rows.contains { $0.frames?.isOnDemand ?? false })
      ),
      (strips.contains(where: \.hasGaps), "gap", "no new frame"),
      (answers.contains(.inTime), "intime", "\(awaited) in time"),
      (answers.contains(.notDue), "notdue", "not due by the end"),
      (answers.contains(.late), "late", "\(awaited) late"),
      (answers.contains(.late), "wait", "wait"),
      (answers.contains(.open), "open", "no answer by the end"),
    ]
    let present = entries.filter(\.isThere).map { (mark: $0.mark, words: $0.words) }
    return present.isEmpty ? "" : Markup.legend(present)
  }

  /// The option that records missing data.
  private var missing: Markup {
    let imported = rows.allSatisfy { $0.subject.engine == ImportRow.engine }
    guard !imported, rows.contains(where: { $0.frames == nil }) else { return "" }
    let some = rows.allSatisfy { $0.frames == nil } ? "The frames" : "The frames of some runs"
    return """
      <p class="note">\(some) are missing, so their strips are empty. \
      <code>framebudget run … -o DIR --frames DIR/frames.csv</code> records them; \
      <code>--trace DIR/trace.json</code> records the activities of the threads.</p>

      """
  }
}

extension StrategyPrice {
  fileprivate func short(_ kind: Kind) -> String {
    switch kind {
    case .lockWait: waits == .locks ? "lock waits" : "waits for \(waits.rawValue)"
    case .copying: "copying"
    case .handOff: "handing over"
    }
  }
}
