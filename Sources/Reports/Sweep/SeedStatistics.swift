internal import FrameBudget

#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What the runs over all seeds come to in one metric.
struct SeedStatistics: Sendable {
  /// How many runs have the metric.
  let runs: Int
  /// Of how many of them only a lower bound is known: all figures here are then lower bounds too.
  let bounds: Int
  let mean: Double
  /// Where the mean over all seeds lies with 95 % confidence, if it is normally distributed; nil of one run.
  let interval: ClosedRange<Double>?
  private let sorted: [Double]

  /// Nil where no run has the metric.
  init?(_ observations: [Observation]) {
    guard !observations.isEmpty else { return nil }
    sorted = observations.map(\.value).sorted()
    runs = sorted.count
    bounds = observations.count(where: \.isBound)
    let mean = sorted.reduce(0, +) / Double(sorted.count)
    self.mean = mean
    guard sorted.count > 1 else {
      interval = nil
      return
    }
    let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let error = sqrt(squares / Double(sorted.count - 1) / Double(sorted.count))
    let half = Self.studentT(degrees: sorted.count - 1) * error
    interval = (mean - half)...(mean + half)
  }

  /// The least of the values that at least the share `quantile` of them do not exceed.
  subscript(quantile: Double) -> Double {
    let rank = Int((quantile * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  /// Where a share of `runs` lies with 95 % confidence of which `met` did: Wilson's interval, which also holds at the
  /// ends.
  static func share(_ met: Int, of runs: Int) -> ClosedRange<Double> {
    let count = Double(runs)
    let share = Double(met) / count
    let square = normal * normal / count
    let middle = (share + square / 2) / (1 + square)
    let half = normal / (1 + square) * sqrt(share * (1 - share) / count + square / count / 4)
    return max(0, middle - half)...min(1, middle + half)
  }

  private static let normal = 1.959963984540054

  /// The 97.5th percentile of Student's t distribution.
  static func studentT(degrees: Int) -> Double {
    if degrees <= few.count { return few[degrees - 1] }
    // Cornish and Fisher's expansion: beyond ten degrees it is right to four decimals.
    let (z, n) = (normal, Double(degrees))
    let first = (pow(z, 3) + z) / 4 / n
    let second = (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / 96 / (n * n)
    let third = (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / 384 / (n * n * n)
    return z + first + second + third
  }

  private static let few = [
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624,
    2.306004, 2.262157, 2.228139,
  ]
}
