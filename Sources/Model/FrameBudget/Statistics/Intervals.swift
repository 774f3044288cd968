#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Glibc
#endif

/// The difference of two samples, and an interval for the difference of their distributions.
package struct SampleDifference {
  /// That of the trimmed means, new minus base.
  package let difference: Double
  /// Covers the median of the differences between a new value and a base value with a probability of 95 %; nil if there are too
  /// few values: with fewer than four on each side no interval does.
  ///
  /// It has the shifts of the base that the Mann-Whitney test does not reject (Moses; Hollander, Wolfe, Chicken 2014, section
  /// 4.3), so it assumes nothing about the distribution, and is wider than needed for values with ties. It always has
  /// `difference`.
  package let interval: ClosedRange<Double>?

  package init(_ base: Sample, _ new: Sample) {
    difference = new.trimmedMean - base.trimmedMean
    guard let rank = MannWhitney.limit(base.count, new.count) else {
      interval = nil
      return
    }
    let pairs = PairwiseDifferences(base: base.sorted, new: new.sorted)
    let (low, high) = (pairs[rank], pairs[base.count * new.count + 1 - rank])
    interval = min(low, difference)...max(high, difference)
  }
}

/// All differences between a value of `new` and a value of `base`, without the memory for them.
struct PairwiseDifferences {
  /// Both in ascending order.
  let base: [Double]
  let new: [Double]

  /// The difference with that rank in ascending order, from 1: by bisection over all numbers between the smallest and the
  /// largest difference.
  subscript(rank: Int) -> Double {
    guard let least = base.first, let most = base.last, let first = new.first, let last = new.last
    else { return .nan }
    var (low, high) = ((first - most).place, (last - least).place)
    while low < high {
      // Their mean, rounded down, without overflow.
      let middle = (low & high) + ((low ^ high) >> 1)
      if count(upTo: Double(place: middle)) >= rank { high = middle } else { low = middle + 1 }
    }
    return Double(place: low)
  }

  private func count(upTo limit: Double) -> Int {
    var (count, reached) = (0, 0)
    for value in base {
      while reached < new.count, new[reached] - value <= limit { reached += 1 }
      count += reached
    }
    return count
  }
}

extension Double {
  /// Its place among all numbers in ascending order; 0 and -0 share one.
  fileprivate var place: Int64 {
    let bits = Int64(bitPattern: bitPattern)
    return bits >= 0 ? bits : .min &- bits
  }

  fileprivate init(place: Int64) {
    self.init(bitPattern: UInt64(bitPattern: place >= 0 ? place : .min &- place))
  }
}

extension MannWhitney {
  /// The largest rank for which the differences below it are so few that the test rejects a base that is shifted beyond them
  /// (two-sided, 5 %); nil if the samples are too small. Exact for up to 60 values, without ties.
  static func limit(_ base: Int, _ new: Int) -> Int? {
    guard smallestP(base, new) <= 0.05 else { return nil }
    let pairs = Double(base) * Double(new)
    guard base + new <= exactCount else {
      let deviation = (pairs * Double(base + new + 1) / 12).squareRoot()
      return max(1, Int((pairs / 2 + 0.5 - StudentT.normal * deviation).rounded(.down)))
    }
    let ways = ways(base, new)
    let tail = 0.025 * ways.reduce(0, +)
    var (sum, rank) = (0.0, 0)
    while sum + ways[rank] <= tail {
      sum += ways[rank]
      rank += 1
    }
    return rank
  }

  /// For each U, the number of orders of two samples with it: the coefficients of Gauss's binomial.
  private static func ways(_ base: Int, _ new: Int) -> [Double] {
    var ways = Array(repeating: 0.0, count: base * new + 1)
    ways[0] = 1
    for size in 1...new {
      for u in ways.indices.reversed() where u >= base + size { ways[u] -= ways[u - base - size] }
      for u in ways.indices where u >= size { ways[u] += ways[u - size] }
    }
    return ways
  }
}

extension Sample {
  /// Covers the median of the values' distribution, whatever it is, with a probability of 95 %, and of 94 % for five values; nil
  /// for fewer. Its ends are values of the sample (David, Nagaraja 2003, section 7.1).
  package var medianInterval: ClosedRange<Double>? {
    guard count >= 5 else { return nil }
    let cut = max(0, Self.cut(count))
    return sorted[cut]...sorted[count - 1 - cut]
  }

  /// The number of values to leave out at each end. Exact for up to 60 values.
  private static func cut(_ count: Int) -> Int {
    guard count <= 60 else {
      let half = Double(count) / 2 - 0.5
      return Int((half - StudentT.normal / 2 * Double(count).squareRoot()).rounded(.down))
    }
    // The probability that so few values are below the median.
    var (sum, term, cut) = (0.0, pow(0.5, Double(count)), 0)
    while sum + term <= 0.025 {
      sum += term
      term *= Double(count - cut) / Double(cut + 1)
      cut += 1
    }
    return cut - 1
  }
}

/// Student's t distribution.
package enum StudentT {
  /// The 97.5th percentile of the normal distribution.
  static let normal = 1.959963984540054

  /// The 97.5th percentile for that many degrees of freedom.
  package static func quantile(degrees: Int) -> Double {
    if degrees <= few.count { return few[degrees - 1] }
    // Cornish and Fisher's expansion: accurate to four decimals beyond ten degrees.
    let (z, n) = (normal, Double(degrees))
    let (z3, z5, z7) = (pow(z, 3), pow(z, 5), pow(z, 7))
    let first = (z3 + z) / 4 / n
    let second = (5 * z5 + 16 * z3 + 3 * z) / 96 / (n * n)
    let third = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384 / (n * n * n)
    return z + first + second + third
  }

  private static let few = [
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624,
    2.306004, 2.262157, 2.228139,
  ]
}

/// The share of all runs that meet a condition, as far as some runs tell.
package enum BinomialShare {
  /// Covers the share with a probability of at least 95 %, if `met` of `runs` meet the condition (Clopper, Pearson 1934).
  package static func interval(_ met: Int, of runs: Int) -> ClosedRange<Double> {
    least(met, of: runs)...(1 - least(runs - met, of: runs))
  }

  /// The share with which as many as `met` are met in 2.5 % of cases.
  private static func least(_ met: Int, of runs: Int) -> Double {
    guard met > 0 else { return 0 }
    let ways = (0..<min(met, runs - met)).reduce(0.0) { sum, place in
      sum + log(Double(runs - place) / Double(place + 1))
    }
    var (low, high) = (0.0, Double(met) / Double(runs))
    for _ in 0..<60 {
      let share = (low + high) / 2
      if atLeast(met, of: runs, share, logOfWays: ways) < 0.025 {
        low = share
      } else {
        high = share
      }
    }
    return low
  }

  /// The probability that at least `met` of `runs` are met, for a share up to `met` of `runs`, so that its terms fall.
  private static func atLeast(
    _ met: Int, of runs: Int, _ share: Double, logOfWays: Double
  ) -> Double {
    guard share < 1 else { return 1 }
    var term = exp(logOfWays + Double(met) * log(share) + Double(runs - met) * log1p(-share))
    var (sum, count) = (term, met)
    while count < runs, term > sum * 1e-12 {
      term *= Double(runs - count) / Double(count + 1) * share / (1 - share)
      sum += term
      count += 1
    }
    return sum
  }
}
