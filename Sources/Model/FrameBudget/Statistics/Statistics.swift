#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// Repeated measurements of one metric.
package struct Sample: Sendable {
  /// In ascending order.
  package let sorted: [Double]

  package init(_ values: [Double]) { sorted = values.sorted() }

  package var count: Int { sorted.count }

  /// The mean without the lowest and the highest fifth: an outlier of the machine does not affect it, and unlike the median it
  /// uses most of the values (Wilcox 2012, section 3.2.2).
  package var trimmedMean: Double {
    let cut = count / 5
    let kept = sorted[cut..<(count - cut)]
    return kept.reduce(0, +) / Double(kept.count)
  }
}

/// Welch's t test (1947) of shares of frames, for few samples of many frames each.
///
/// A sample varies at least as a share of independent frames does, so that a few equal samples do not prove a difference. The
/// degrees of freedom are rounded down, because their distribution is then a finite sum (Abramowitz and Stegun 26.7.3, 26.7.4).
package struct WelchTest {
  /// Two-sided.
  package let p: Double
  /// Covers the difference of the means with a probability of 95 %.
  package let interval: ClosedRange<Double>

  /// From shares in percent, each `of` that many frames; at least two on each side.
  package init(percent base: [Double], _ new: [Double], of frames: Double) {
    let share = ((base + new).mean ?? 0) / 100
    let least = frames > 0 ? 1e4 * share * (1 - share) / frames : 0
    let errors = [base, new].map { sample in
      let mean = sample.mean ?? 0
      let squares = sample.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return max(least, squares / Double(sample.count - 1)) / Double(sample.count)
    }
    let error = errors[0] + errors[1]
    let difference = (new.mean ?? 0) - (base.mean ?? 0)
    guard error > 0 else {
      p = base == new ? 1 : 0
      interval = difference...difference
      return
    }
    let freedom =
      error * error
      / (errors[0] * errors[0] / Double(base.count - 1)
        + errors[1] * errors[1] / Double(new.count - 1))
    let degrees = max(1, Int(freedom))
    p = max(0, 1 - Self.central(abs(difference) / error.squareRoot(), freedom: degrees))
    let half = StudentT.quantile(degrees: degrees) * error.squareRoot()
    interval = (difference - half)...(difference + half)
  }

  /// The probability that Student's t is between `-t` and `t`.
  private static func central(_ t: Double, freedom: Int) -> Double {
    let angle = atan(t / Double(freedom).squareRoot())
    let (sine, cosine) = (sin(angle), cos(angle))
    let isOdd = freedom % 2 == 1
    var term = isOdd ? cosine : 1
    var sum = isOdd && freedom == 1 ? 0 : term
    for step in stride(from: isOdd ? 3 : 2, to: freedom, by: 2) {
      term *= cosine * cosine * Double(step - 1) / Double(step)
      sum += term
    }
    return isOdd ? 2 / Double.pi * (angle + sine * sum) : sine * sum
  }
}

/// The Mann-Whitney U test: whether the values of one sample are above those of the other more often than by chance.
///
/// It assumes nothing about the distributions. It is exact for up to 60 values, including ties, by counting all assignments of
/// the ranks; for more values it uses the normal approximation with the correction for ties (Hollander, Wolfe, Chicken 2014,
/// section 4.1).
package struct MannWhitney {
  /// Two-sided.
  package let p: Double
  /// Cliff's delta: how much more often a new value is above a base value than below, from -1 to 1.
  package let effect: Double

  /// The most values for which tests and intervals count all orders.
  static let exactCount = 60

  package init(_ base: Sample, _ new: Sample) {
    let pooled = (base.sorted + new.sorted).sorted()
    let ranks = Self.doubledMidranks(pooled)
    let rankSum = new.sorted.reduce(0) { $0 + (ranks[$1] ?? 0) }
    let pairs = Double(base.count * new.count)
    let smallest = new.count * (new.count + 1)
    // Twice U: a pair above counts 2, a tie 1.
    effect = Double(rankSum - smallest) / pairs - 1
    let all = pooled.map { ranks[$0] ?? 0 }
    p =
      all.count <= Self.exactCount
      ? Self.exact(all, chosen: new.count, sum: rankSum)
      : Self.approximate(pooled, base: base.count, new: new.count, effect: effect)
  }

  /// The smallest two-sided p of two samples of these sizes: all values of one above all of the other.
  package static func smallestP(_ base: Int, _ new: Int) -> Double {
    var ways = 1.0
    for index in 0..<new { ways *= Double(base + new - index) / Double(index + 1) }
    return min(1, 2 / ways)
  }

  /// Twice the mean rank of each value, which is a whole number even for ties.
  private static func doubledMidranks(_ sorted: [Double]) -> [Double: Int] {
    var ranks: [Double: Int] = [:]
    var start = 0
    while start < sorted.count {
      var end = start
      while end < sorted.count, sorted[end] == sorted[start] { end += 1 }
      ranks[sorted[start]] = start + 1 + end
      start = end
    }
    return ranks
  }

  /// The share of all ways to choose `chosen` of `ranks` whose sum is at least as far from the mean as `sum`.
  private static func exact(_ ranks: [Int], chosen: Int, sum: Int) -> Double {
    let total = ranks.reduce(0, +)
    // ways[k][s]: the number of ways in which k of the ranks so far add up to s
    var ways = Array(repeating: Array(repeating: 0.0, count: total + 1), count: chosen + 1)
    ways[0][0] = 1
    for (index, rank) in ranks.enumerated() {
      for k in stride(from: min(index + 1, chosen), to: 0, by: -1) {
        for s in stride(from: total, through: rank, by: -1) where ways[k - 1][s - rank] > 0 {
          ways[k][s] += ways[k - 1][s - rank]
        }
      }
    }
    // Both sides times `count`, to use whole numbers.
    let mean = chosen * total
    let distance = abs(sum * ranks.count - mean)
    let all = ways[chosen].reduce(0, +)
    let far = ways[chosen].indices.reduce(0.0) {
      abs($1 * ranks.count - mean) >= distance ? $0 + ways[chosen][$1] : $0
    }
    return min(1, far / all)
  }

  private static func approximate(
    _ sorted: [Double], base: Int, new: Int, effect: Double
  ) -> Double {
    let n = Double(sorted.count)
    var ties = 0.0
    var start = 0
    while start < sorted.count {
      var end = start
      while end < sorted.count, sorted[end] == sorted[start] { end += 1 }
      let count = Double(end - start)
      ties += count * count * count - count
      start = end
    }
    let pairs = Double(base) * Double(new)
    let variance = pairs / 12 * (n + 1 - ties / (n * (n - 1)))
    guard variance > 0 else { return 1 }
    // U - mean(U) is effect x pairs / 2; a half is the correction for continuity.
    let z = max(0, abs(effect) * pairs / 2 - 0.5) / variance.squareRoot()
    return erfc(z / 2.0.squareRoot())
  }
}

/// The correction for several tests at once (Holm 1979).
package enum Holm {
  /// Each p corrected for the number of tests: in ascending order, each is multiplied by the number that are left.
  package static func corrected(_ p: [Double]) -> [Double] {
    var corrected = p
    var largest = 0.0
    for (rank, index) in p.indices.sorted(by: { p[$0] < p[$1] }).enumerated() {
      largest = max(largest, min(1, p[index] * Double(p.count - rank)))
      corrected[index] = largest
    }
    return corrected
  }
}
