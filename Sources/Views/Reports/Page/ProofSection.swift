internal import FrameBudget
internal import FrameBudgetAdvice

/// What `prove` found for each strategy: the largest use of its tightest budget as a bar, and the reasons.
struct ProofSection {
  let rows: [ProofRecord]

  /// Which strategies are proven and which refuted, in a sentence.
  var headline: String {
    let labels = Dictionary(grouping: rows, by: \.verdict).mapValues { $0.map(\.label).distinct() }
    func names(_ verdict: Proof.Verdict) -> String? {
      labels[verdict].map { English.list($0, most: Self.mostNames) }
    }
    let most = Set(rows.map(\.limit)).sorted().map { $0 == 0 ? "no frame" : "at most \($0) frames" }
    let parts = [
      names(.proven).map { "proven to drop \(English.list(most)): \($0)" },
      names(.refuted).map { "refuted: \($0)" }, names(.open).map { "open: \($0)" },
    ].compactMap(\.self)
    return English.capitalized(parts.joined(separator: "; ")) + "."
  }

  private static let mostNames = 4

  /// Empty without proofs.
  func markup(_ heading: Markup) -> Markup {
    if rows.isEmpty { return "" }
    let bars: [Markup] = rows.map(bar)
    let reasons: [Markup] = rows.map(reason)
    return """
      <section>\(heading)\
      <p class="lead">For any first arrival of each workload, and any costs between their smallest and largest values. \
      The bar is the largest use of the tightest budget, the line is that budget.\
      \(isCut ? " Bars of more than twice the budget are cut." : "")</p>
      <ul class="amounts">\(bars)</ul>
      \(Markup.folded("The reasons, and the command that shows a drop", "<ul class=\"verdicts\">\(reasons)</ul>\n"))\
      </section>

      """
  }

  /// The budget is in the middle, if a bar is longer; bars of more than twice the budget are cut.
  private var scale: Double { max(1, min(2, rows.map(Self.use).max() ?? 1)) }

  private var isCut: Bool { rows.contains { Self.use($0) > scale } }

  private static func use(_ row: ProofRecord) -> Double {
    guard let bound = row.bound, let budget = row.available, budget > .zero else { return 0 }
    return bound.inSeconds / budget.inSeconds
  }

  private func bar(_ row: ProofRecord) -> Markup {
    let kind: Markup =
      switch row.verdict {
      case .proven: " class=\"best\""
      case .refuted: " class=\"adding\""
      case .open: ""
      }
    return """
      <li><span class="who">\(name(row))</span><span class="bar zero">\
      <i\(kind) style="left:0;width:\(share: min(1, Self.use(row) / scale))"></i>\
      <i class="axis" style="left:\(share: 1 / scale)"></i></span>\
      <span class="much"><b>\(row.verdict.rawValue)</b> \(row.use ?? "no bound")</span></li>

      """
  }

  /// The strategy, with what distinguishes its row from others.
  private func name(_ row: ProofRecord) -> String {
    let cores = Set(rows.map(\.subject.cores)).count > 1 ? "\(row.subject.cores) cores" : ""
    return [row.label, row.changes, cores].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private func reason(_ row: ProofRecord) -> Markup {
    let command: Markup = row.command.map { " <code>\($0)</code>" } ?? ""
    return "<li>\(ProofSentences(row).all.joined(separator: " "))\(command)</li>\n"
  }
}
