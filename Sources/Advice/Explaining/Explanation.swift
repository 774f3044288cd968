public import FrameBudget

/// Which parts of an app account for what its frames came to later.
public struct Explanation: Sendable {
  /// Dropped frames before.
  public let before: Int
  /// Dropped frames after.
  public let after: Int
  /// What each part that differs accounts for, the most first; they add up to the difference.
  public let shares: [Share]

  /// What a part accounts for.
  public struct Share: Hashable, Sendable {
    /// Which part.
    public let part: Part
    /// Dropped frames, as a fraction: what all parts have adds up exactly.
    public let numerator: Int
    /// The same for all parts.
    public let denominator: Int
    /// Half of a 95 % interval, where there were too many parts to try all orders of them; else nil.
    public let error: Double?

    /// Dropped frames.
    public var frames: Double { Double(numerator) / Double(denominator) }
  }

  /// Whether every order of the parts was looked at.
  public var isExact: Bool { shares.allSatisfy { $0.error == nil } }

  /// Nil where it was interrupted. Runs are of the first strategies that are given.
  public init?(
    before: Scenario, under old: Strategy, after: Scenario, under new: Strategy,
    costs: Costs = .standard, maker: any RunMaker = OneByOne()
  ) {
    let hybrid = Hybrid(
      before: .init(scenario: before, arrangement: old.arrangement),
      after: .init(scenario: after, arrangement: new.arrangement))
    let parts = hybrid.parts
    let shapley = Shapley(parts.count, seed: after.seed)
    let sets = shapley.sets
    let drops = maker.outputs(sets.count) { place in
      // The ends are what was given, to the letter.
      let side =
        sets[place].isEmpty
        ? hybrid.before
        : sets[place].count == parts.count
          ? hybrid.after : hybrid.side(with: Set(sets[place].map { parts[$0] }))
      return Judge(scenario: side.scenario, costs: costs, aims: [])
        .outcome(side.arrangement).dropped
    }
    guard drops.count == sets.count else { return nil }
    let values = Dictionary(zip(sets, drops)) { first, _ in first }
    let whole = Set(parts.indices)
    self.before = values[[]] ?? 0
    self.after = values[whole] ?? self.before
    shares = zip(parts, shapley.shares { values[$0] ?? 0 }).map { part, share in
      Share(
        part: part, numerator: share.numerator, denominator: share.denominator,
        error: share.error)
    }.enumerated().sorted { one, other in
      let (mine, others) = (abs(one.element.numerator), abs(other.element.numerator))
      return mine == others ? one.offset < other.offset : mine > others
    }.map(\.element)
  }
}
