public import FrameBudget

/// An arrangement that was run.
public struct Trial: Sendable {
  /// What ran where.
  public let arrangement: Arrangement
  /// What is different from today's.
  public let change: Change
  /// What that counts.
  public let weight: Int
  /// What came of it.
  public let outcome: Outcome
  /// How it was made; nil for a named arrangement.
  let layout: Layout?
  /// The name under which it may be taken whole; nil where services are placed.
  let name: String?
  /// Its place among all candidates.
  let order: Int

  /// What to do about today's arrangement to have it, each as a few words.
  public let words: [String]

  /// The order of preference: the smallest change, then the price, then fewer moves, then the order of the candidates.
  func isPreferred(to other: Trial) -> Bool {
    if outcome.meets != other.outcome.meets { return outcome.meets }
    if weight != other.weight { return weight < other.weight }
    if outcome.price != other.outcome.price,
      let isCheaper = outcome.price.isBelow(other.outcome.price)
    {
      return isCheaper
    }
    if change.moved.count != other.change.moved.count {
      return change.moved.count < other.change.moved.count
    }
    return order < other.order
  }

  /// Where nothing meets the aims: who comes nearest, and among those the smallest change.
  func isNearer(than other: Trial, scale: [Double]) -> Bool {
    let (mine, others) = (distance(scale), other.distance(scale))
    return mine == others ? isPreferred(to: other) : mine < others
  }

  /// By how much the aims are missed, each in terms of how much today's arrangement misses it.
  func distance(_ scale: [Double]) -> Double {
    guard outcome.isValid else { return .infinity }
    return zip(outcome.misses, scale).reduce(0) { $0 + $1.0 / $1.1 }
  }
}

extension Outcome.Price {
  /// Whether it is less; nil where nothing tells them apart.
  fileprivate func isBelow(_ other: Self) -> Bool? {
    if total != other.total { return total < other.total }
    for (mine, others) in [(response, other.response), (content, other.content)] {
      let (mine, others) = (mine?.value ?? 0, others?.value ?? 0)
      if mine != others { return mine < others }
    }
    return nil
  }
}
