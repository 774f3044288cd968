internal import FrameBudget

/// Which smooth strategy is the best one where: the answer of a sweep.
struct SweepAnswer {
  /// What was varied, in the order of `--vary`.
  let settings: [Setting]
  /// The verdict at each combination of values, in the order of the runs.
  let places: [Place]
  /// In the file's order, without options that were varied.
  let strategies: [String]

  struct Setting {
    /// Its path in words.
    let name: String
    /// In ascending order if all are numbers with one unit, otherwise in that of the runs.
    let values: [String]
  }

  struct Place {
    /// For each setting.
    let values: [String]
    /// The strategies that are smooth, in the order of the verdict.
    let smooth: [String]
    /// Those of them that show frames incomplete.
    let incomplete: [String]
    /// Those of them that show frames later.
    let later: [String]
    /// That of the first one; nil if none is smooth.
    let merit: Verdict.Merit?
    /// The nearest one if none is smooth.
    let nearest: String?
    /// Whether a run was stopped or is invalid, so that it may have been smooth.
    let isOpen: Bool

    init(_ values: [String], _ verdict: Verdict, _ name: (StrategyOutcome) -> String) {
      self.values = values
      smooth = verdict.smooth.map(name)
      merit = verdict.merit
      incomplete = verdict.smooth.filter { $0.incomplete?.words != nil }.map(name)
      later = verdict.smooth.filter { $0.later.words != nil }.map(name)
      nearest = verdict.nearest.map(name)
      isOpen = smooth.isEmpty && verdict.strategies.contains { !$0.isComplete }
    }
  }

  /// The answer for verdicts on one scenario, engine and origin; nil unless values vary, each combination once.
  init?(_ verdicts: [Verdict]) {
    let changes = verdicts.map { ChangedValues($0.changes).pairs }
    let paths = ChangedValues.variedPaths(changes)
    guard !paths.isEmpty, verdicts.contains(where: { $0.strategies.count > 1 }) else { return nil }
    let values = changes.map { pairs in
      paths.map { path in pairs.first { $0.path == path }?.value ?? "" }
    }
    guard Set(values).count == values.count else { return nil }
    let names = ChangedValues.words(paths)
    settings = paths.indices.map { place in
      Setting(name: names[place], values: Self.sorted(values.map { $0[place] }.distinct()))
    }
    let isOptionVaried = paths.contains { $0.hasPrefix("strategies.") }
    func name(_ outcome: StrategyOutcome) -> String {
      isOptionVaried ? String(outcome.label.prefix { $0 != ":" }) : outcome.label
    }
    places = zip(values, verdicts).map { Place($0, $1, name) }
    strategies = verdicts.flatMap { $0.strategies.map(name) }.distinct()
  }

  private static func sorted(_ values: [String]) -> [String] {
    let numbers = values.map(ChangedValues.number)
    guard !numbers.contains(where: { $0 == nil }), Set(numbers.map { $0?.unit }).count == 1
    else { return values }
    return values.indices.sorted { numbers[$0]?.value ?? 0 < numbers[$1]?.value ?? 0 }
      .map { values[$0] }
  }

  // MARK: In words

  /// `schedulable is smooth in all 9 combinations.`, with the best strategies, today's, and where none is smooth.
  var sentences: [String] {
    [
      smoothness, loss("incomplete") { $0.incomplete }, loss("later") { $0.later }, best, today,
      without, open,
    ].compactMap(\.self)
  }

  /// `9 combinations of add-file arrival once and cores`
  private var extent: String {
    let names = English.list(settings.map(\.name))
    return settings.count > 1
      ? "\(places.count) combinations of \(names)" : "\(places.count) values of \(names)"
  }

  /// In how many places each strategy is smooth, the most first; equal ones in the file's order.
  private func counts(_ isCounted: (Place, String) -> Bool) -> [(name: String, count: Int)] {
    let counted = strategies.map { name in (name, places.count { isCounted($0, name) }) }
    return counted.enumerated()
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element)
  }

  /// `Frames are shown incomplete by spreading at 4 of these.`
  private func loss(_ how: String, _ names: (Place) -> [String]) -> String? {
    let parts = counts { names($0).contains($1) }.filter { $0.count > 0 }
    guard !parts.isEmpty else { return nil }
    let words = parts.map { "\($0.name) at \($0.count) of these" }
    return "Frames are shown \(how) by \(English.list(words, most: 4))."
  }

  private var smoothness: String {
    let smooth = counts { $0.smooth.contains($1) }.filter { $0.count > 0 }
    let always = smooth.filter { $0.count == places.count }.map(\.name)
    if !always.isEmpty {
      return
        "\(English.list(always, most: 4)) \(always.count > 1 ? "are" : "is") smooth at all \(extent)."
    }
    if smooth.isEmpty { return "No strategy is smooth at any of the \(extent)." }
    let parts = smooth.map { "\($0.name) at \($0.count)" }
    return "No strategy is smooth at all \(extent): \(English.list(parts, most: 4))."
  }

  /// That of the best strategy wherever one is smooth; nil if it differs.
  var merit: Verdict.Merit? {
    let merits = Set(places.compactMap(\.merit))
    return merits.count == 1 ? merits.first : nil
  }

  private var best: String? {
    let parts = counts { $0.smooth.first == $1 }.filter { $0.count > 0 }
    guard let first = parts.first else { return nil }
    let others = parts.dropFirst().map { "\($0.name) at \($0.count)" }
    let all = first.count == places.count ? "everywhere" : "at \(first.count)"
    let words = merit.map { English.capitalized($0.rawValue) } ?? "Best"
    return "\(words): \(English.list(["\(first.name) \(all)"] + others, most: 4))."
  }

  private var today: String? {
    guard let today = strategies.first, strategies.count > 1 else { return nil }
    let count = places.count { $0.smooth.contains(today) }
    guard count < places.count else { return nil }
    return "Today's \(today) is smooth at \(count == 0 ? "none" : "\(count)")."
  }

  private var without: String? {
    let without = places.filter { $0.smooth.isEmpty && !$0.isOpen }
    guard !without.isEmpty, without.count < places.count else { return nil }
    let words = without.map { "(\(self.words($0)))" }
    return "None is smooth at \(without.count): \(English.list(words, most: 3))."
  }

  private var open: String? {
    let open = places.count(where: \.isOpen)
    return open > 0 ? "Runs at \(open) were stopped or are invalid, and count as not smooth." : nil
  }

  /// `add-file arrival once 400, cores 2`
  func words(_ place: Place) -> String {
    zip(settings, place.values).map { "\($0.name) \($1)" }.joined(separator: ", ")
  }
}

extension SweepAnswer {
  /// One answer for each scenario, engine and origin of the verdicts; empty if one has none.
  static func all(_ verdicts: [Verdict]) -> [(verdict: Verdict, answer: SweepAnswer)] {
    let (answers, others) = split(verdicts)
    return others.isEmpty ? answers : []
  }

  /// The answers for the scenarios, engines and origins that have one, and the verdicts of the others.
  static func split(
    _ verdicts: [Verdict]
  ) -> (answers: [(verdict: Verdict, answer: SweepAnswer)], others: [Verdict]) {
    verdicts.grouped { [$0.scenario, $0.engine, $0.origin] }.reduce(into: ([], [])) {
      parts, group in
      let verdicts = group.1
      if let first = verdicts.first, let answer = SweepAnswer(verdicts) {
        parts.0.append((first, answer))
      } else {
        parts.1 += verdicts
      }
    }
  }
}
