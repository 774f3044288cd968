internal import FrameBudget

extension Verdict {
  /// The main result, as one paragraph.
  public var text: String { sentences.joined(separator: " ") }

  /// The main result, sentence by sentence.
  var sentences: [String] { [headline] + answer + caveats }

  /// Today's strategy in a sentence: `With 2500 items of add-file the app hangs for 6.5 s.`
  public var headline: String {
    guard engine != ImportRow.engine else { return "\(today.label): \(today.facts)." }
    guard today.expectedFrames > 0, today.isComplete else { return "\(today.label) \(today.end)." }
    return load.map { "With \($0) the app \(today.complaint)." } ?? "The app \(today.complaint)."
  }

  /// The recommendation in sentences: the recommended strategy, and one with another kind of price; or the nearest one.
  public var answer: [String] {
    if engine == ImportRow.engine {
      return strategies.dropFirst().prefix(2).map { "\($0.label): \($0.facts)." }
    }
    guard strategies.count > 1 else { return alone }
    guard let cheapest else {
      if let reaching {
        let words = reaching.facts + Self.price(of: reaching)
        return ["\(reaching.label) meets the aims of the advice: \(words)."]
      }
      if isMachineBusy { return [Self.busy] }
      let nearest = nearest.map { ["\($0.label) comes nearest: \($0.facts)."] } ?? []
      return [
        strategies.allSatisfy(\.movedKept.isEmpty)
          ? "No strategy that ran is smooth."
          : "No strategy that ran and keeps what must stay in place is smooth."
      ] + nearest
    }
    guard let recommended else {
      return ["Of the strategies that ran, \(cheapest.label) is smooth: \(cheapest.facts)."]
    }
    guard !today.isSmooth else {
      let words = "\(recommended.label): \(recommended.price.words)."
      let choice =
        recommended.label != today.label
        ? advised.isEmpty
          ? "\(recommended.label) has \(lead): \(recommended.price.words)."
          : "The advice is \(words)"
        : advised.isEmpty ? nothingCheaper : "Nothing has to change."
      return [sentence(on: today), choice]
    }
    let other = runnerUp.map { other in
      [Self.comparison(other, recommended)]
        + (other.losses.isEmpty ? [] : ["Its frames: \(English.list(other.losses))."])
    }
    return [sentence(on: recommended)] + (other ?? [])
  }

  /// `the lowest price`, `the earliest frames, at a price`
  private var lead: String {
    let merit = merit ?? .lowestPrice
    return "the \(merit.rawValue)\(merit == .lowestPrice ? "" : ", at a price")"
  }

  private var nothingCheaper: String {
    merit == .lowestPrice
      ? "No other smooth strategy has a lower price."
      : "Smooth strategies with a lower price show frames later, or more of them incomplete."
  }

  /// A strategy in a sentence: `threads-and-locks: none of 600 frames dropped, …; price: …`
  public func sentence(on strategy: StrategyOutcome) -> String {
    guard strategy.expectedFrames > 0 else { return "\(strategy.label) \(strategy.end)." }
    let isLikeToday = strategy.itemsLeft > 0 && strategy.unfinished == 0
    let left =
      isLikeToday && strategy.label != today.label
      ? " (\(today.itemsLeft) under \(today.label))" : ""
    let price = strategy.isSmooth || strategy == reaching ? Self.price(of: strategy) : ""
    return "\(strategy.label): \(strategy.facts)\(left)\(price)."
  }

  private static func price(of strategy: StrategyOutcome) -> String {
    strategy.price.total > 0 ? "; price: \(strategy.price.words)" : ""
  }

  /// Reasons for caution, in sentences.
  public var caveats: [String] {
    var sentences: [String] = []
    if let best = best ?? strategies.first, let runs = repeated {
      let smooth =
        best.isSmooth && best.smoothRuns < best.runs
        ? " \(best.label) was smooth in \(best.smoothRuns) of \(runs.isSame ? "them" : "its \(best.runs)")."
        : ""
      let rank = runs.isSame && best.runs == 2 ? "worse" : "median"
      sentences.append("Each is the \(rank) of \(runs.words) runs.\(smooth)")
    }
    sentences += strategies.compactMap { outcome in
      outcome.omission.map { "Of \(outcome.label), \($0)." }
    }
    sentences += sensitive
    let disturbed = strategies.filter(\.isDisturbed).map(\.label)
    if !disturbed.isEmpty, !isMachineBusy {
      let who = disturbed.count == strategies.count ? "all runs" : English.list(disturbed)
      sentences.append(
        "The machine was disturbed: other processes ran during \(who); measure again to be sure.")
    }
    sentences += strategies.filter { !$0.movedKept.isEmpty }.map {
      "\($0.label) is not recommended: it moves \(English.list($0.movedKept)) (keep: true)."
    }
    sentences += strategies.filter { !$0.partsInMemory.isEmpty }.map {
      "\($0.label) also takes memory, which no price counts: it draws \(English.list($0.partsInMemory))."
    }
    let cut = strategies.dropFirst().filter { !$0.isComplete }
    return sentences + cut.map { "\($0.label) \($0.end)." }
  }

  // MARK: Parts

  private static let busy =
    "Nothing can be recommended: other processes kept the machine busy during all runs, and no strategy was smooth. Measure "
    + "again on an idle machine."

  /// The number of repetitions that count, `3` or `2 to 3`; nil if nothing was repeated.
  private var repeated: (words: String, isSame: Bool)? {
    let counts = strategies.map(\.runs)
    guard let least = counts.min(), let most = counts.max(), most > 1 else { return nil }
    return (least == most ? "\(most)" : "\(least) to \(most)", least == most)
  }

  /// The ranges of the predictions for today's strategy and the recommended one: `In 90 % of runs on threads, main-thread drops 0 to
  /// 21.5 % of its frames.`
  private var sensitive: [String] {
    let outcomes = [today] + (best.map { $0 == today ? [] : [$0] } ?? [])
    let ranged = outcomes.filter { $0.droppedPercentRange != nil }
    let parts = ranged.compactMap { outcome in
      outcome.droppedPercentRange.map {
        "\(outcome.label) drops \(Figure.percent($0.lowerBound)) to \(Figure.percent($0.upperBound)) % of its frames"
      }
    }
    guard !parts.isEmpty else { return [] }
    let meaning = RangeWords.condition(
      isMeasured: ranged.allSatisfy { $0.rangeWords?.isMeasured ?? false })
    return ["\(meaning), \(English.list(parts))."]
  }

  /// `2500 photos`, or `2500 items of add-file` if items have no name; nil if the work is unknown.
  private var load: String? {
    let named = today.work.filter { $0.arrived > 0 && !$0.name.isEmpty }
    let background = named.filter { $0.late == nil }
    let work = WorkOutcome.together(background.isEmpty ? named : background)
    guard let first = work.first else { return nil }
    if work.count > 2 { return English.count(work.reduce(0) { $0 + $1.arrived }, "item") }
    let others = work.dropFirst().map { other in
      other.item == nil && first.item == nil ? "\(other.arrived) of \(other.name)" : other.amount
    }
    return English.list([first.amount] + others)
  }

  private var alone: [String] {
    let sentences = [sentence(on: today)].filter { $0 != headline }
    return today.isSmooth
      ? sentences : sentences + ["No other strategy was run for comparison."]
  }

  private static func comparison(_ other: StrategyOutcome, _ pick: StrategyOutcome) -> String {
    guard pick.isSmooth else { return "\(other.label) is smooth, at \(other.price.amounts)." }
    let kind = pick.price.mainKind
    let without =
      kind.flatMap { other.price[$0] == 0 ? " without \(pick.price.words(for: $0))" : nil } ?? ""
    return "\(other.label) is as smooth\(without), at \(other.price.amounts)."
  }
}

extension WorkOutcome {
  /// `2500 photos`, `2500 items of add-file`
  fileprivate var amount: String {
    item.map { English.count(arrived, $0) } ?? "\(English.count(arrived, "item")) of \(name)"
  }
}

extension StrategyOutcome {
  /// The reason why its figures prove nothing.
  fileprivate var end: String {
    switch status {
    case .complete: withoutVsyncs.map { "cannot be judged: \($0)" } ?? "wanted no frame"
    case .interrupted: "was interrupted: it proves nothing"
    case .invalid: "broke an invariant: it proves nothing"
    }
  }
}
