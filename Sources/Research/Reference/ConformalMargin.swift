/// By how much ranges have to be widened so that a share of measured values lies inside.
///
/// Split-conformal: the margin that would have been enough for that share of the values of known groups, with a new group counted
/// as one that no margin is enough for. Runs of one scenario are alike, so each scenario has the same weight, however many runs
/// it has (Lee, Barber and Willett, 2023: hierarchical conformal prediction). It holds for scenarios that are like the known ones.
enum ConformalMargin {
  /// - Parameters:
  ///   - excesses: by how much each value of each group lies outside of its range, 0 if it lies inside.
  ///   - share: the share of values to contain, below 1.
  /// - Returns: the smallest margin; nil if there are too few groups for any, less than `share / (1 - share)`.
  static func margin(_ excesses: [[Double]], containing share: Double) -> Double? {
    let groups = excesses.filter { !$0.isEmpty }
    let weighted = groups.flatMap { group in
      group.map { (excess: $0, weight: 1 / Double((groups.count + 1) * group.count)) }
    }
    var sum = 0.0
    for value in weighted.sorted(by: { $0.excess < $1.excess }) {
      sum += value.weight
      // Sums of thirds and sevenths are not exact.
      if sum > share - 1e-9 { return value.excess }
    }
    return nil
  }
}
