import Testing

@testable import FrameBudget

struct MannWhitneyTests {
  /// p from SciPy 1.17: `mannwhitneyu(new, base, method="exact")`, or for ties the share of all
  /// permutations, counted in Python.
  @Test(arguments: [
    ([1.0, 2, 3, 4, 5], [6.0, 7, 8, 9, 10], 0.007936507936507936, 1.0),
    ([1, 3, 5, 7, 9], [2, 4, 6, 8, 10], 0.6904761904761905, 0.2),
    ([1, 2, 3], [1, 2, 3], 1.0, 0.0),
    ([1, 1, 2, 2], [2, 2, 3, 3], 0.17142857142857143, 0.75),
    ([5], [5], 1.0, 0.0),
  ])
  func `p and effect are exact for small samples`(
    _ base: [Double], _ new: [Double], _ p: Double, _ effect: Double
  ) {
    let test = MannWhitney(Sample(base), Sample(new))
    #expect(abs(test.p - p) < 1e-12)
    #expect(abs(test.effect - effect) < 1e-12)
  }

  @Test func `swapping the samples negates the effect and keeps p`() {
    let (left, right) = (Sample([3, 1, 4, 1, 5]), Sample([9, 2, 6, 5, 3, 5]))
    let (there, back) = (MannWhitney(left, right), MannWhitney(right, left))
    #expect(abs(there.p - back.p) < 1e-12)
    #expect(abs(there.effect + back.effect) < 1e-12)
  }

  /// SciPy: `mannwhitneyu(range(10, 50), range(40), method="asymptotic")`.
  @Test func `large samples are approximated`() {
    let test = MannWhitney(
      Sample((0..<40).map(Double.init)), Sample((10..<50).map(Double.init)))
    #expect(abs(test.p - Self.scipyLarge) < 1e-6)
  }

  static let scipyLarge = 0.0007691714821234269

  @Test func `the smallest p is that of samples that do not overlap`() {
    let apart = MannWhitney(Sample([1, 2, 3, 4]), Sample([5, 6, 7, 8]))
    #expect(abs(MannWhitney.smallestP(4, 4) - apart.p) < 1e-12)
    #expect(MannWhitney.smallestP(1, 1) == 1)
  }
}
