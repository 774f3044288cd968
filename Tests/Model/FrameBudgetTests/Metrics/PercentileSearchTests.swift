import Testing

@testable import FrameBudget

@Suite struct PercentileSearchTests {
  @Test func `percentiles equal those of the sorted sample`() {
    for seed in UInt64(0)..<150 {
      let sample = Self.sample(seed)
      let percentiles = Percentiles(sample)
      let sorted = sample.sorted()
      for q in [0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1] {
        #expect(percentiles.quantile(q) == Self.quantile(q, of: sorted), "seed \(seed), q \(q)")
      }
    }
  }

  @Test func `a tally gives the values of the sorted sample by rank`() {
    for seed in UInt64(0)..<100 {
      let sample = Self.sample(seed)
      var tally = Tally()
      for value in sample { tally.add(value) }
      #expect(sample.indices.map { tally.value(at: $0) } == sample.sorted())
    }
  }

  @Test func `a list of spans stores its values, also those above four bytes`() {
    var stream = RandomStream(seed: 5, name: "spans")
    let values = (0..<2000).map { _ in
      Int64(truncatingIfNeeded: stream.next() >> (stream.next() % 64))
        * (stream.next() % 9 == 0 ? -1 : 1)
    }
    var list = SpanList()
    for value in values + [Int64(UInt32.max), Int64(UInt32.max) - 1, 0] { list.append(value) }
    #expect(Array(list) == values + [Int64(UInt32.max), Int64(UInt32.max) - 1, 0])
    #expect(([1, 5_000_000_000] as SpanList).map { $0 } == [1, 5_000_000_000])
  }

  /// Few different values or many, close together or far apart, up to hours; as many as are sorted, or more.
  private static func sample(_ seed: UInt64) -> [Int64] {
    var stream = RandomStream(seed: seed, name: "sample")
    let count = Int(stream.next() % 9000) + 1
    let spread = UInt64(1) << (stream.next() % 47)
    let base = Int64(stream.next() % 1_000_000_000) - 500
    return (0..<count).map { _ in base + Int64(stream.next() % spread) }
  }

  private static func quantile(_ q: Double, of sorted: [Int64]) -> Double {
    let place = q * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return Double(sorted[below])
      + (place - Double(below)) * Double(sorted[above] - sorted[below])
  }
}
