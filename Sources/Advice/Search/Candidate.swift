internal import FrameBudget

/// An arrangement that may be tried.
struct Candidate: Sendable {
  let arrangement: Arrangement
  let change: Change
  let weight: Int
  let layout: Layout?
  /// Of a named arrangement.
  let name: String?
  let order: Int
  let words: [String]

  func trial(_ outcome: Outcome) -> Trial {
    Trial(
      arrangement: arrangement, change: change, weight: weight, outcome: outcome, layout: layout,
      name: name, order: order, words: words)
  }
}

/// Makes candidates, each arrangement once, numbered as they come.
struct CandidateList {
  let ground: Ground
  private var seen: Set<Arrangement> = []
  private(set) var count = 0

  init(_ ground: Ground) {
    self.ground = ground
    seen = [ground.today]
  }

  /// The arrangement of today, as something to compare with.
  static func today(_ ground: Ground) -> Candidate {
    Candidate(
      arrangement: ground.today, change: Change(), weight: 0,
      layout: Layout(homes: ground.units.map { _ in .today }), name: nil, order: -1, words: [])
  }

  /// Nil where it cannot be, is there already, or moves more than it may.
  mutating func candidate(_ layout: Layout) -> Candidate? {
    guard let arrangement = ground.arrangement(layout) else { return nil }
    return candidate(arrangement, layout: layout, name: nil)
  }

  /// A named arrangement, taken whole.
  mutating func candidate(_ strategy: Strategy) -> Candidate? {
    candidate(strategy.arrangement, layout: nil, name: strategy.label)
  }

  private mutating func candidate(
    _ arrangement: Arrangement, layout: Layout?, name: String?
  ) -> Candidate? {
    guard seen.insert(arrangement).inserted else { return nil }
    let change = ground.change(to: arrangement)
    if let most = ground.request.mostMoved, change.moved.count > most { return nil }
    count += 1
    return Candidate(
      arrangement: arrangement, change: change, weight: change.weight(ground.request.weights),
      layout: layout, name: name, order: count,
      words: name.map { ["take the strategy \($0)"] }
        ?? ground.words(for: change, arrangement, layout?.policies ?? []))
  }
}
