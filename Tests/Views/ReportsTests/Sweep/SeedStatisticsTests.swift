import FrameBudget
import Testing

@testable import FrameBudgetReports

struct `Statistics over seeds` {
  private func statistics(_ values: [Double]) throws -> SeedStatistics {
    try #require(SeedStatistics(values.map { Observation($0) }))
  }

  // Student's t, 97.5 %, from published tables.
  @Test(arguments: [
    (1, 12.7062), (2, 4.3027), (4, 2.7764), (8, 2.3060), (9, 2.2622), (10, 2.2281), (20, 2.0860),
    (30, 2.0423), (60, 2.0003), (120, 1.9799), (1000, 1.9623),
  ])
  func `has the confidence interval of Student's distribution`(_ degrees: Int, _ value: Double) {
    #expect(abs(SeedStatistics.studentT(degrees: degrees) - value) < 0.0002)
  }

  @Test func `has mean, interval and quantiles worked out by hand`() throws {
    let five = try statistics([4, 2, 8, 6, 10])
    #expect(five.mean == 6)
    // Deviation √10, of the mean √2; t of four degrees is 2.7764.
    let interval = try #require(five.interval)
    #expect(abs(interval.upperBound - (6 + 2.776445 * 2.0.squareRoot())) < 1e-6)
    #expect(abs(interval.lowerBound - (6 - 2.776445 * 2.0.squareRoot())) < 1e-6)
    #expect([0, 0.05, 0.25, 0.5, 0.75, 0.95, 1].map { five[$0] } == [2, 2, 4, 6, 8, 10, 10])
  }

  @Test func `has no interval after one run, and no values without runs`() throws {
    #expect(try statistics([3]).interval == nil)
    #expect(try statistics([3])[0.95] == 3)
    #expect(SeedStatistics([]) == nil)
  }

  @Test func `covers the true mean about as often as claimed`() throws {
    var covered = 0
    for seed in 1...1000 {
      var stream = RandomStream(seed: UInt64(seed), name: "covered")
      let values = (0..<12).map { _ in (0..<12).reduce(0.0) { sum, _ in sum + stream.unit() } }
      if try #require(try statistics(values).interval).contains(6) { covered += 1 }
    }
    #expect((930...970).contains(covered))
  }

  // Wilson's interval, from his formula with z = 1.96: 9 of 10, none of 10, all of 4.
  @Test(
    arguments: [(9, 10, 0.5958, 0.9821), (0, 10, 0, 0.2775), (4, 4, 0.5101, 1)]
      as [(Int, Int, Double, Double)])
  func `gives an interval for the share of all seeds`(
    _ met: Int, _ runs: Int, _ low: Double, _ high: Double
  ) {
    let share = SeedStatistics.share(met, of: runs)
    #expect(abs(share.lowerBound - low) < 0.0002)
    #expect(abs(share.upperBound - high) < 0.0002)
  }
}
