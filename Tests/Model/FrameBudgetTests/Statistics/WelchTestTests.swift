import Testing

@testable import FrameBudget

/// Welch's test of shares, against distributions of Student's t in closed form.
struct WelchTestTests {
  /// So many frames that shares of them hardly vary by themselves.
  static let many = 1e15

  @Test func `p is that of Student's t with the degrees of freedom of the samples`() {
    // Variances of 2 and means 10 apart: t = 10 / sqrt(2), two degrees, p = 1 - t / sqrt(2 + t * t) = 1 - 5 / sqrt(26).
    let two = WelchTest(percent: [0, 2], [10, 12], of: Self.many)
    #expect(abs(two.p - (1 - 5 / 26.0.squareRoot())) < 1e-9)
    // Variances of 1 and means 5 apart: t * t = 37.5, four degrees, p = 1 - sine (1 + cosine * cosine / 2).
    let four = WelchTest(percent: [0, 1, 2], [5, 6, 7], of: Self.many)
    let cosine = 1 / (1 + 37.5 / 4)
    #expect(abs(four.p - (1 - (1 - cosine).squareRoot() * (1 + cosine / 2))) < 1e-9)
    // 3.7 degrees count as three.
    let three = WelchTest(percent: [1.32, 0.5, 1.16], [4.62, 3.7, 4.77], of: Self.many)
    #expect(abs(three.p - 0.00400) < 0.00002, "\(three.p)")
  }

  /// 2 of 100 frames and none: a standard error of 100 * sqrt(0.01 * 0.99 / 100 / 3 * 2) is 0.81 points, t is 2.5.
  @Test func `shares vary at least as independent frames do`() {
    let few = WelchTest(percent: [0, 0, 0], [2, 2, 2], of: 100)
    #expect(0.05 < few.p && few.p < 0.08, "\(few.p)")
    #expect(WelchTest(percent: [0, 0, 0], [2, 2, 2], of: 10_000).p < 1e-4)
    #expect(WelchTest(percent: [0, 0], [0, 0], of: 100).p == 1)
    #expect(WelchTest(percent: [0, 0], [100, 100], of: 100).p < 0.01)
  }
}
