internal import FrameBudget

/// Divides what changed between two states among the parts that changed: each gets the mean of what it adds, over all
/// orders in which the parts can change. What they get adds up to the whole, exactly.
struct Shapley {
  /// What one part gets: a fraction of whole numbers, so that nothing is lost in adding up.
  struct Share: Hashable {
    var numerator: Int
    var denominator: Int
    /// Half of a 95 % interval, where orders were drawn; nil where all were looked at.
    var error: Double?
  }

  /// Up to so many parts, all orders are looked at.
  static let mostExact = 8
  /// Orders that are drawn of more parts, each with its reverse.
  static let drawnPairs = 60

  /// The sets of parts whose values are needed; parts by their places.
  let sets: [Set<Int>]
  private let parts: Int
  private let orders: [[Int]]

  init(_ parts: Int, seed: UInt64) {
    self.parts = parts
    if parts <= Self.mostExact {
      orders = []
      sets = (0..<(1 << parts)).map { mask in
        Set((0..<parts).filter { mask >> $0 & 1 == 1 })
      }
      return
    }
    var stream = RandomStream(seed: seed, name: "explain")
    let drawn = (0..<Self.drawnPairs).map { _ in Array(0..<parts).shuffled(using: &stream) }
    orders = drawn.flatMap { [$0, $0.reversed()] }
    var seen: Set<Set<Int>> = []
    sets = orders.flatMap(Self.prefixes).filter { seen.insert($0).inserted }
  }

  private static func prefixes(_ order: [Int]) -> [Set<Int>] {
    order.reduce(into: [[]]) { sets, part in
      sets.append((sets.last ?? []).union([part]))
    }
  }

  /// What each part gets, given the value of each set.
  func shares(_ value: (Set<Int>) -> Int) -> [Share] {
    orders.isEmpty ? exact(value) : drawn(value)
  }

  private func exact(_ value: (Set<Int>) -> Int) -> [Share] {
    let factorials = (1...max(1, parts)).reduce(into: [1]) { $0.append(($0.last ?? 1) * $1) }
    return (0..<parts).map { part in
      let sum = sets.filter { !$0.contains(part) }.reduce(0) { sum, set in
        let weight = factorials[set.count] * factorials[parts - set.count - 1]
        return sum + weight * (value(set.union([part])) - value(set))
      }
      return Share(numerator: sum, denominator: factorials[parts])
    }
  }

  private func drawn(_ value: (Set<Int>) -> Int) -> [Share] {
    // By part: what it adds in an order and its reverse together, which are one observation.
    var added = [[Int]](repeating: [], count: parts)
    for pair in stride(from: 0, to: orders.count, by: 2) {
      var sums = [Int](repeating: 0, count: parts)
      for order in orders[pair...(pair + 1)] {
        for (set, part) in zip(Self.prefixes(order), order) {
          sums[part] += value(set.union([part])) - value(set)
        }
      }
      for part in 0..<parts { added[part].append(sums[part]) }
    }
    return added.map { sums in
      let mean = Double(sums.reduce(0, +)) / Double(sums.count)
      let squares = sums.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
      let deviation = (squares / Double(sums.count - 1) / Double(sums.count)).squareRoot()
      // Of 60 observations, by Student's t; each is of two orders.
      return Share(
        numerator: sums.reduce(0, +), denominator: orders.count, error: 2.001 * deviation / 2)
    }
  }
}
