internal import FrameBudget
internal import FrameBudgetAdvice

/// The results of `advise`: today's places and the advised ones, the gain of each move, and alternatives.
struct AdviceSection {
  let advice: AdviceRecord
  /// The results of runs of the same scenario.
  var verdicts: [Verdict] = []

  /// The recommendation from runs of the advised arrangements or of the nearest one; nil if there are none, or they differ.
  private var bestInRuns: String? {
    let labels = Set(verdicts.filter(\.isAdviceRun).compactMap(\.best?.label))
    return labels.count == 1 ? labels.first : nil
  }

  /// The advice that the page recommends: the first, unless a run of it was worse.
  private var recommended: AdviceRecord.Row? {
    guard let bestInRuns else { return advice.first }
    return advice.rows.first { $0.role == .advice && $0.arrangement == bestInRuns }
  }

  /// A headline for a page that has nothing else about the scenario.
  var headline: String {
    guard let today = advice.today, let recommended else { return gain }
    return today.change(to: recommended, late: "late answer")
  }

  /// What the recommended arrangement gains; what else to do, if there is none.
  var gain: String {
    guard let today = advice.today else { return advice.scenario }
    guard let first = recommended else {
      if today.meetsAims { return "Nothing to change" }
      return advice.nearest.map { today.change(to: $0, late: "late answer") }
        ?? today.withoutAdvice
    }
    return today.gain(under: first, late: "late answer")
  }

  func markup(_ heading: Markup, _ subheading: (String) -> Markup) -> Markup {
    guard let today = advice.today else { return "" }
    let next = recommended ?? advice.nearest
    return """
      <section class="advice">\(heading)<p class="lead">\(words(today))</p>
      \(PlacesPicture(today: today, next: next).markup)\(moveGains(today, subheading))\
      \(alternatives(subheading))</section>

      """
  }

  // MARK: Words

  private func words(_ today: AdviceRecord.Row) -> String {
    let cut =
      today.count.isCut
      ? " The search was interrupted: a smaller change may exist, and figures are missing." : ""
    return answer(today) + cut
  }

  private func answer(_ today: AdviceRecord.Row) -> String {
    if let bestInRuns, let first = advice.recommended.first, recommended == nil,
      bestInRuns != first
    {
      return "In a run, \(bestInRuns) was better than the advised arrangement."
    }
    if let recommended {
      let certainty = recommended.certaintyWords
      let first = advice.first.map {
        $0 == recommended ? "" : " \($0.arrangement) changes less, but was worse in a run."
      }
      let gain = today.gain(under: recommended, late: "late answer")
      let conditions = recommended.loss == nil ? [] : today.conditions.map { " \($0)." }
      let place = today.place(of: recommended).map { " \($0)" } ?? ""
      return "\(English.capitalized(recommended.words)): \(gain).\(place)\(first ?? "")"
        + (certainty.isEmpty ? "" : " \(certainty)") + conditions.joined()
    }
    if today.meetsAims {
      let answer = "Nothing to change: today \(Self.outcome(today))."
      return [answer, today.certaintyWords].filter { !$0.isEmpty }.joined(separator: " ")
    }
    return advice.withoutAdvice(late: "late answer")
  }

  static func outcome(_ row: AdviceRecord.Row) -> String {
    let frames = row.frames.map { " of \($0)" } ?? ""
    return (["\(row.outcome.dropped)\(frames) frames dropped"] + lateAndLeft(row.outcome))
      .joined(separator: ", ")
  }

  private static func lateAndLeft(_ outcome: AdviceRecord.Outcome) -> [String] {
    let left = outcome.left > 0 ? "\(outcome.left) left undone" : nil
    return [outcome.late.map { English.count($0, "late answer") }, left].compactMap(\.self)
  }

  // MARK: Gains of moves

  /// A single move accounts for the whole gain.
  private func moveGains(_ today: AdviceRecord.Row, _ subheading: (String) -> Markup) -> Markup {
    guard let recommended else { return "" }
    let moves = recommended.effects
    guard moves.count > 1 else { return "" }
    let most = moves.compactMap(\.without?.dropped).reduce(today.outcome.dropped, max)
    let lines: [Markup] = moves.map { move in
      let dropped = move.without?.dropped ?? 0
      return """
        <li><span class="who">\(move.words)</span><span class="bar"><i class="best" \
        style="width:\(share: Double(dropped) / Double(max(most, 1)))"></i></span>\
        <span class="much">\(Self.words(move))</span></li>

        """
    }
    return """
      \(subheading("Gain of each move"))<p class="lead">Frames that it saves: those that drop if only \
      this move is left out; a full bar is \(most).</p>
      <ul class="amounts">\(lines)</ul>

      """
  }

  private static func words(_ move: AdviceRecord.Effect) -> Markup {
    let without: Markup =
      move.without.map { "<b>\($0.dropped)</b>\(comma(lateAndLeft($0)))" }
      ?? "cannot be left out"
    let alone: Markup =
      move.alone.map { " <small>alone: \($0.dropped)\(comma(lateAndLeft($0)))</small>" } ?? ""
    return without + alone
  }

  private static func comma(_ words: [String]) -> String {
    words.map { ", \($0)" }.joined()
  }

  // MARK: Alternatives

  private func alternatives(_ subheading: (String) -> Markup) -> Markup {
    guard advice.rows.count > 1 else { return "" }
    let columns = Column.all.filter { column in advice.rows.contains { column.text($0) != nil } }
    let heads: [Markup] = columns.map {
      "<th scope=\"col\" role=\"columnheader\" class=\"n\">\($0.title)</th>"
    }
    let lines: [Markup] = advice.rows.map { row in
      let cells: [Markup] = columns.map { column in
        """
        <td role="cell" class="n"><span class="label" aria-hidden="true">\(column.title) </span>\
        \(column.text(row) ?? "–")\(column.detail(row))</td>
        """
      }
      return """
        <tr role="row"\(row == recommended ? " class=\"pick\"" : "" as Markup)>\
        <th scope="row" role="rowheader">\(row.arrangement)\
        \(Self.badge(row, isFirst: row == recommended))\
        <small>\(row.words)</small></th>\(cells)</tr>

        """
    }
    return """
      \(subheading("Alternatives"))<p class="lead">The smallest change first: each further one changes \
      more and costs less.</p>
      <table class="strips plain" role="table"><thead role="rowgroup"><tr role="row">\
      <th scope="col" role="columnheader">arrangement</th>\(heads)</tr></thead>
      <tbody role="rowgroup">\(lines)</tbody></table>

      """
  }

  static func badge(_ row: AdviceRecord.Row, isFirst: Bool) -> Markup {
    switch row.role {
    case .today: " <b class=\"badge\">today</b>"
    case .advice: isFirst ? " <b class=\"badge best\">advised</b>" : ""
    case .nearest: " <b class=\"badge best\">nearest</b>"
    }
  }

  private struct Column {
    let title: String
    /// Behind the text.
    var detail: (AdviceRecord.Row) -> Markup = { _ in "" }
    let text: (AdviceRecord.Row) -> String?

    static var all: [Column] {
      [
        Column(title: "size of the change") { $0.role == .today ? nil : "\($0.change)" },
        Column(title: "frames dropped", detail: range) { "\($0.outcome.dropped)" },
        Column(title: "answers late") { row in row.outcome.late.map { "\($0)" } },
        Column(title: "work left") { "\($0.outcome.left)" },
        Column(title: "price") { row in
          row.price.total > 0 ? Figure.span(milliseconds: row.price.total) : "0"
        },
        Column(title: "frames incomplete") { row in row.incompleteFrames.map(String.init) },
        Column(title: "frames later") { row in row.later.map(Figure.span(milliseconds:)) },
        Column(title: "costs may grow") { row in row.certainty.margin.map { "\($0) %" } },
      ]
    }

    /// The range of dropped frames, with its meaning; empty if it is unknown.
    private static func range(_ row: AdviceRecord.Row) -> Markup {
      row.droppedRange.map { range in
        let meaning = RangeWords([row.ranges], [.droppedPercent])?.text ?? ""
        return " <small title=\"\(meaning)\">\(range)</small>"
      } ?? ""
    }
  }
}

/// Today's places of everything, beside the advised ones: a row for each thread and each lock, a box for each service; moved
/// services have a border and a label.
struct PlacesPicture {
  let today: AdviceRecord.Row
  /// Nil if nothing has to change.
  let next: AdviceRecord.Row?

  private static let main = "main"

  /// Empty if no placement is known.
  var markup: Markup {
    guard !today.homes.isEmpty else { return "" }
    return "<div class=\"places\">\(figure(today))\(next.map(figure) ?? "")</div>\n"
  }

  private func figure(_ row: AdviceRecord.Row) -> Markup {
    let isNext = row.role != .today
    let lines: [Markup] = places(of: row).map { place in
      let services: [Markup] = row.homes.filter { $0.place == place }.map { box($0) }
      let drawing: Markup = place == Self.main ? "<li class=\"draws\">drawing</li>" : ""
      return """
        <div><dt>\(Self.name(place))</dt><dd><ul>\(drawing)\(services)</ul></dd></div>

        """
    }
    return """
      <figure><figcaption>\(row.arrangement)\
      \(AdviceSection.badge(row, isFirst: isNext))</figcaption>
      <dl>\(lines)</dl><p class="note">\(row.moves.isEmpty ? "" : "\(row.words): ")\
      \(AdviceSection.outcome(row))</p></figure>

      """
  }

  private func box(_ home: AdviceRecord.ServiceHome) -> Markup {
    let before = today.homes.first { $0.service == home.service }?.place
    guard let before, before != home.place else { return "<li>\(home.service)</li>" }
    return "<li class=\"moved\">\(home.service) <small>from \(Self.name(before))</small></li>"
  }

  /// Main, which always draws, comes first; then the others in the order of the services, locks last.
  private func places(of row: AdviceRecord.Row) -> [String] {
    let places = ([Self.main] + row.homes.map(\.place)).distinct()
    let locks = places.filter(Self.isLock)
    return places.filter { !Self.isLock($0) } + locks
  }

  private static func isLock(_ place: String) -> Bool { place.hasPrefix("lock ") }

  /// A lock is not a thread: guarded code runs wherever it is called.
  private static func name(_ place: String) -> String {
    isLock(place) ? "\(place), on the caller's thread" : place
  }
}
