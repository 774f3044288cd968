import FrameBudget
import Testing

@testable import FrameBudgetReports

struct `Statistics over seeds` {
  private func statistics(_ values: [Double]) throws -> SeedStatistics {
    try #require(SeedStatistics(values.map { Observation($0) }))
  }

  @Test func `has mean, interval and quantiles worked out by hand`() throws {
    let five = try statistics([4, 2, 8, 6, 10])
    #expect(five.mean == 6)
    // Deviation √10, of the mean √2; t of four degrees is 2.7764.
    let interval = try #require(five.meanInterval)
    #expect(abs(interval.upperBound - (6 + 2.776445 * 2.0.squareRoot())) < 1e-6)
    #expect(abs(interval.lowerBound - (6 - 2.776445 * 2.0.squareRoot())) < 1e-6)
    #expect([0, 0.05, 0.25, 0.5, 0.75, 0.95, 1].map { five[$0] } == [2, 2, 4, 6, 8, 10, 10])
  }

  @Test func `has an interval of the median from five runs on`() throws {
    #expect(try statistics([4, 2, 8, 6]).medianInterval == nil)
    #expect(try statistics([4, 2, 8, 6, 10]).medianInterval == 2...10)
  }

  @Test func `has no interval after one run, and no values without runs`() throws {
    #expect(try statistics([3]).meanInterval == nil)
    #expect(try statistics([3])[0.95] == 3)
    #expect(SeedStatistics([]) == nil)
  }

  @Test func `covers the true mean about as often as claimed`() throws {
    var covered = 0
    for seed in 1...1000 {
      var stream = RandomStream(seed: UInt64(seed), name: "covered")
      let values = (0..<12).map { _ in (0..<12).reduce(0.0) { sum, _ in sum + stream.unit() } }
      if try #require(try statistics(values).meanInterval).contains(6) { covered += 1 }
    }
    #expect((930...970).contains(covered))
  }
}
