import Testing

@testable import FrameBudget

struct DistributionTests {
  @Test func `few values are kept exactly`() {
    var distribution = Distribution()
    let values = (1...1000).map { Int64($0 * $0) }
    for value in values { distribution.add(value) }
    let expected = Percentiles(values)
    #expect(distribution.isExact)
    for q in [0, 0.5, 0.99, 1] {
      #expect(Percentiles(distribution).quantile(q) == expected.quantile(q))
    }
  }

  @Test func `many values keep their quantiles to 0.05 %`() throws {
    var distribution = Distribution()
    var stream = RandomStream(seed: 1, name: "distribution")
    let values = (0..<(Distribution.exactCount + 50_000)).map { _ in
      Int64(1_000_000 + stream.unit() * 30_000_000)
    }
    for value in values { distribution.add(value) }
    #expect(!distribution.isExact)
    let exact = Percentiles(values)
    let quantiles = [0.0, 0.01, 0.5, 0.95, 0.999, 1]
    for q in quantiles {
      let wanted = try #require(exact.quantile(q))
      let found = try #require(Percentiles(distribution).quantile(q))
      #expect(abs(found / wanted - 1) < 0.0005, "\(q)")
    }
    #expect(Percentiles(distribution).maximum == exact.maximum)
  }

  @Test func `many values on both sides of zero keep their quantiles to 0.05 %`() throws {
    var distribution = Distribution()
    var stream = RandomStream(seed: 2, name: "distribution")
    let values = (0..<(Distribution.exactCount + 50_000)).map { _ in
      Int64(-20_000_000 + stream.unit() * 30_000_000)
    }
    for value in values { distribution.add(value) }
    #expect(!distribution.isExact)
    let exact = Percentiles(values)
    let quantiles = [0.0, 0.01, 0.3, 0.5, 0.95, 0.999, 1]
    for q in quantiles {
      let wanted = try #require(exact.quantile(q))
      let found = try #require(Percentiles(distribution).quantile(q))
      #expect(abs(found - wanted) <= 0.0005 * abs(wanted), "\(q)")
    }
    let mean = try #require(Percentiles(distribution).mean)
    #expect(abs(mean - Double(values.reduce(0, +)) / Double(values.count)) < 1e-6)
  }

  @Test func `values all below zero have a maximum below zero`() {
    var distribution = Distribution()
    for value in 1...Int64(Distribution.exactCount + 1) { distribution.add(-value) }
    #expect(!distribution.isExact && Percentiles(distribution).maximum == -1)
    #expect(Percentiles(distribution).quantile(0.5).map { $0 < -65_000 } == true)
  }

  @Test func `the mean is the same however values are kept`() {
    let few: [Int64] = [-4, 1, 9]
    #expect(Percentiles(few).mean == 2 && Percentiles([Int64]()).mean == nil)
    // Too many to be sorted: counted, or searched where they differ.
    #expect(Percentiles((0..<6000).flatMap { _ in few }).mean == 2)
    #expect(Percentiles((0..<10_001).map { Int64($0) - 2000 }).mean == 3000)
  }

  @Test func `the longest 1 % of the time begins at the interval that completes it`() {
    var distribution = Distribution()
    for _ in 0..<990 { distribution.add(10) }
    distribution.add(60)
    distribution.add(40)
    // 10 000 in all: 60 and 40 together are 1 %.
    #expect(distribution.longestHundredth == 40)
  }

  @Test func `the worst second slides`() {
    var window = DropWindow(vsyncs: 4)
    for late in [0, 0, 2, 0, 1, 0, 0] {
      window.missed(late)
      window.shown()
    }
    // shown: 1 1 0 0 1 1 0 1 1 1; the worst four in a row miss two
    #expect(window.worst == 2)
    #expect(window.worstPercent == 50)
  }
}
