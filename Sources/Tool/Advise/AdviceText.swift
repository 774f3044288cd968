internal import Advice
internal import FrameBudget
internal import Reports

/// Advice for people: what to change, its gain, its price, and how certain it is.
struct AdviceText {
  private let named: NamedAdvice
  private let width: Int
  private let isColored: Bool

  init(_ named: NamedAdvice, width: Int, isColored: Bool) {
    self.named = named
    self.width = width
    self.isColored = isColored
  }

  private var advice: Advice { named.advice }

  var text: String {
    let details = named.rows.filter { $0.proposal != nil }.flatMap(details)
    let parts = [
      wrapped(headline), wrapped(heading), table.text(isColored: isColored), details,
      wrapped(search),
    ]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private func wrapped(_ text: String, indent: String = "") -> [String] {
    Paragraph.wrapped(text, width: width, indent: indent)
  }

  // MARK: The answer

  private var headline: String {
    switch advice.verdict {
    case .nothingToChange:
      let proof = AdviceCertainty(
        margin: nil, ends: [], steadiness: nil, isProven: advice.isTodayProven)
      let answer = "Nothing to change: \(advice.request.today.label) \(today)."
      return [answer, proof.words].filter { !$0.isEmpty }.joined(separator: " ")
    case .nothingHelps: return Self.why(advice)
    case .change:
      guard let proposal = advice.proposals.first else { return "" }
      return "\(Self.sentence(proposal.trial.words)): \(gain(proposal.trial)). "
        + "\(Self.price(proposal.trial))\(Self.certainty(proposal))"
    }
  }

  private var today: String {
    let outcome = advice.today.outcome
    let frames = "drops \(outcome.dropped) of \(English.count(outcome.frames, "frame"))"
    return outcome.late.map { "\(frames) and answers \($0) too late" } ?? frames
  }

  private func gain(_ trial: Trial) -> String {
    let (before, after) = (advice.today.outcome, trial.outcome)
    var gains: [String] = []
    if before.dropped != after.dropped || before.dropped > 0 {
      gains.append(
        "\(before.dropped) of \(before.frames) frames dropped become \(after.dropped)")
    }
    if let late = before.late, let remaining = after.late, late > 0 {
      gains.append(English.change(late, "late response", remaining))
    }
    if before.pending > after.pending {
      gains.append(English.change(before.pending, "undone item", after.pending))
    }
    return gains.isEmpty ? "the aims are met" : gains.joined(separator: ", ")
  }

  private static func price(_ trial: Trial) -> String {
    let price = trial.outcome.price
    let kinds = [
      (price.lockWait, "of waiting for locks"), (price.copying, "of copying state"),
      (price.handOff, "of handing work over"),
    ]
    let parts = kinds.filter { $0.0 > 0 }.map { "\(Figure.span(milliseconds: $0.0)) \($0.1)" }
    return parts.isEmpty ? "It costs nothing." : "The price: \(parts.joined(separator: ", "))."
  }

  private static func certainty(_ proposal: Proposal) -> String {
    let words = AdviceCertainty(proposal).words
    return words.isEmpty ? "" : " \(words)"
  }

  /// Why nothing helps, with figures.
  static func why(_ advice: Advice) -> String {
    let demand = advice.demand
    let figures =
      "the app needs \(Figure.text(demand.perSecond)) full cores (\(Figure.text(demand.work)) s "
      + "of work and \(Figure.text(demand.drawing)) s of drawing in \(Figure.text(demand.duration)) s), "
      + "and the machine has \(Figure.text(demand.cores))"
    let reason =
      demand.isTooMuch
      ? "the processors do not suffice: \(figures)"
      : drawing(advice).map { "\($0); the processors suffice: \(figures)" }
        ?? "no tried arrangement reaches \(aims(advice)); the processors suffice: \(figures)"
    let verdict =
      advice.count.isCut
      ? "The interrupted search found nothing" : "Nothing helps, because \(reason)"
    guard let nearest = advice.nearest else {
      return "\(verdict). No arrangement is nearer than today's."
    }
    let outcome = nearest.outcome
    let rest = [
      "\(outcome.dropped) of \(outcome.frames) frames dropped",
      outcome.late.map { "\(English.count($0, "late response"))" }, "\(outcome.pending) undone",
    ]
    return "\(verdict). The nearest arrangement: \(nearest.words.joined(separator: "; ")) "
      + "(\(rest.compactMap(\.self).joined(separator: ", ")))."
  }

  /// Nil if drawing alone meets the aims.
  static func drawing(_ advice: Advice) -> String? {
    guard let alone = advice.drawingAlone, let most = advice.aims.maxDropped,
      Double(alone.dropped) > most
    else { return nil }
    return "drawing alone drops \(alone.dropped) of \(English.count(alone.frames, "frame")), "
      + "which no arrangement changes"
  }

  private static func aims(_ advice: Advice) -> String {
    advice.aims.list.map(\.words).joined(separator: ", ")
  }

  private static func sentence(_ words: [String]) -> String {
    let text = words.joined(separator: ", ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  // MARK: The arrangements

  private var heading: String {
    let scenario = advice.request.scenario
    let duration = Figure.span(milliseconds: scenario.duration.inMilliseconds)
    return "\(scenario.name): \(scenario.display.refresh), \(duration), seed \(scenario.seed); "
      + "virtual engine, \(English.count(scenario.machine.cores, "core")); "
      + "aims: \(Self.aims(advice))\(Learned.origin(scenario.learned))"
  }

  private var table: TextTable {
    let isAwaited = advice.today.outcome.late != nil
    var titles = [["", "arrangement"], ["", "change"], ["dropped", "frames"]]
    if isAwaited { titles.append(["late", "resp."]) }
    titles += [["items", "left"], ["price", "ms"]]
    if isAwaited { titles.append(["resp.", "p99 ms"]) }
    titles += [["content", "p95 ms"], ["costs", "may grow"]]
    var table = TextTable(titles: titles)
    table.lines = named.rows.map { row in
      let outcome = row.trial.outcome
      var cells = [row.name, row.role == .today ? "" : "\(row.trial.weight)", "\(outcome.dropped)"]
      if isAwaited { cells.append("\(outcome.late ?? 0)") }
      cells += ["\(outcome.pending)", Figure.text(outcome.price.total)]
      if isAwaited { cells.append(outcome.price.response.map(Figure.text) ?? "") }
      cells += [outcome.price.content.map(Figure.text) ?? "", Self.growth(row.proposal)]
      let isMet = outcome.meets
      return .cells(
        cells.enumerated().map { place, text in
          TextTable.Cell(text: text, style: place == 2 ? (isMet ? .green : .red) : .plain)
        })
    }
    return table
  }

  private static func growth(_ proposal: Proposal?) -> String {
    guard let proposal, let margin = proposal.margins.first else { return "" }
    let text = margin.isLimit ? ">\(margin.percent) %" : "\(margin.percent) %"
    return proposal.isFragile ? "\(text) !" : text
  }

  private func details(_ row: NamedAdvice.Row) -> [String] {
    guard let proposal = row.proposal else { return [] }
    var lines = wrapped("- \(row.name): \(row.trial.words.joined(separator: "; "))", indent: "  ")
    for effect in proposal.effects where proposal.effects.count > 1 {
      lines += wrapped("    \(effect.sentence)", indent: "      ").map { "    " + $0 }
    }
    let margins = proposal.margins.dropFirst().map { margin in
      let end = margin.end.map { " (\(AdviceCertainty.End($0).what))" } ?? ""
      return "\(margin.service ?? "") \(margin.isLimit ? ">" : "")\(margin.percent) %\(end)"
    }
    if !margins.isEmpty {
      lines += wrapped("  may grow alone: \(margins.joined(separator: ", "))", indent: "    ")
        .map { "  " + $0 }
    }
    if proposal.isFragile {
      lines += wrapped("  fragile: it fails with slightly different costs or arrival times")
        .map { "  " + $0 }
    }
    return lines
  }

  private var search: String {
    let count = advice.count
    if advice.verdict == .nothingToChange { return "" }
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

extension AdviceCertainty {
  init(_ proposal: Proposal) {
    let margin = proposal.margins.first
    self.init(
      margin: margin?.percent, ends: margin?.ends.map(End.init) ?? [],
      steadiness: proposal.steadiness.map { Share(met: $0.met, variants: $0.variants) },
      isProven: proposal.isProven)
  }
}

extension AdviceCertainty.End {
  init(_ end: Margin.End) {
    self.init(metric: end.aim.metric, percent: end.percent, isLimit: end.isLimit)
  }
}
