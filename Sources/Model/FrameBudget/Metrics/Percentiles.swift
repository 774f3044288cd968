/// A quantile of a sample, as named in columns.
package enum Quantile: String, CaseIterable, Sendable, CustomStringConvertible {
  case p50, p90, p95, p99, p999, max

  // Without it, each text with a quantile searches for its name by reflection, which takes microseconds.
  package var description: String { rawValue }

  /// The usual quantiles.
  static let few: [Quantile] = [.p50, .p99, .max]

  /// From 0 to 1.
  package var share: Double {
    switch self {
    case .p50: 0.5
    case .p90: 0.9
    case .p95: 0.95
    case .p99: 0.99
    case .p999: 0.999
    case .max: 1
    }
  }
}

/// Exact percentiles of a sample: linear interpolation between order statistics, `h = q (n - 1)`, the default
/// of R and NumPy (type 7 in Hyndman and Fan 1996).
///
/// The memory does not grow with the sample. A small one is sorted; a few different values are counted; in large samples the
/// wanted ranks are searched for in the original data. All of this happens at the first query, because most runs have many more
/// percentiles than anybody asks for.
public struct Percentiles: Sendable {
  /// Calls a body with every value of the sample, in any order.
  typealias Sample = @Sendable (_ body: (Int64) -> Void) -> Void

  /// Indirect, because percentiles are copied far more often than read.
  private indirect enum Store: Sendable {
    case sorted([Int64])
    case counted(Tally)
    case searched(Sample, Selection)
    /// In buckets, for very large samples.
    case buckets(Distribution)
    /// One of the others, which the first query determines.
    case unread(OnDemand<Store>)

    init(_ sample: @escaping Sample) {
      var survey = SampleSurvey()
      sample { survey.add($0) }
      if let values = survey.values {
        self = .sorted(values.sorted())
      } else if let tally = survey.tally {
        self = .counted(tally)
      } else {
        self = .searched(sample, Selection(survey, of: sample))
      }
    }

    /// This one, or the one that a query determines.
    var read: Store { if case .unread(let store) = self { store.value } else { self } }
  }

  private let unread: Store
  private var store: Store { unread.read }

  /// - Parameter sample: in any order.
  public init(_ sample: [Int64]) {
    self.init { body in for value in sample { body(value) } }
  }

  init(_ sample: @escaping Sample) { unread = .unread(OnDemand { Store(sample) }) }

  /// The percentiles of `sample` and `others` together, where `others` is mostly empty.
  init(_ sample: @escaping Sample, and others: @escaping Sample, percentiles known: Percentiles) {
    unread = .unread(
      OnDemand {
        var isEmpty = true
        others { _ in isEmpty = false }
        if isEmpty { return known.store }
        return Store { body in
          sample(body)
          others(body)
        }
      })
  }

  /// A sample that grows between queries.
  package init(_ tally: Tally) { unread = .counted(tally) }

  /// Exact if the distribution is.
  public init(_ distribution: Distribution) {
    unread =
      distribution.isExact ? Percentiles(distribution.values).unread : .buckets(distribution)
  }

  /// The quantile `q`, from 0 to 1; nil for an empty sample.
  public func quantile(_ q: Double) -> Double? {
    if case .buckets(let distribution) = store { return distribution.bucketQuantile(q) }
    return rank(of: q).map(interpolated)
  }

  /// The largest value; nil for an empty sample.
  public var maximum: Double? { quantile(1) }

  /// The mean; nil for an empty sample.
  public var mean: Double? { count > 0 ? sum / Double(count) : nil }

  private var sum: Double {
    switch store {
    case .sorted(let values): return values.reduce(0) { $0 + Double($1) }
    case .counted(let tally): return Double(tally.sum)
    case .searched(let sample, _):
      var sum = 0.0
      sample { sum += Double($0) }
      return sum
    case .buckets(let distribution): return Double(distribution.sum)
    case .unread: preconditionFailure("what was read is not unread")
    }
  }

  /// `h` of the quantile `q`: a rank from 0, or a position between two ranks; nil for an empty sample.
  func rank(of q: Double) -> Double? {
    precondition((0...1).contains(q), "a quantile from 0 to 1")
    return count > 0 ? q * Double(count - 1) : nil
  }

  /// The value at a rank, or interpolated between two ranks.
  func interpolated(at rank: Double) -> Double {
    let below = Int(rank)
    let fraction = rank - Double(below)
    let lower = value(at: below)
    if fraction == 0 { return Double(lower) }
    let upper = value(at: min(below + 1, count - 1))
    return Double(lower) + fraction * Double(upper - lower)
  }

  var count: Int {
    switch store {
    case .sorted(let values): values.count
    case .counted(let tally): tally.count
    case .searched(_, let selection): selection.count
    case .buckets(let distribution): distribution.count
    case .unread: preconditionFailure("what was read is not unread")
    }
  }

  private func value(at rank: Int) -> Int64 {
    switch store {
    case .sorted(let values): values[rank]
    case .counted(let tally): tally.value(at: rank)
    case .searched(let sample, let selection): selection.value(at: rank, in: sample)
    case .buckets: preconditionFailure("buckets have quantiles, not ranks")
    case .unread: preconditionFailure("what was read is not unread")
    }
  }
}

/// One pass over a sample: what decides how its percentiles are computed.
private struct SampleSurvey {
  private(set) var count = 0
  private(set) var least = Int64.max
  private(set) var greatest = Int64.min
  /// All values; nil if there are too many to sort.
  private(set) var values: [Int64]? = []
  /// The values with their numbers, once they are too many to sort; nil if too many different ones.
  private(set) var tally: Tally? = Tally()

  /// The largest sample that is sorted.
  private static let sortable = 4096
  /// In larger samples, the most different values that are counted.
  private static let countable = 256

  mutating func add(_ value: Int64) {
    count += 1
    least = min(least, value)
    greatest = max(greatest, value)
    if count <= Self.sortable {
      values?.append(value)
    } else if tally != nil {
      countAll(and: value)
    }
  }

  private mutating func countAll(and value: Int64) {
    for value in values ?? [] { tally?.add(value) }
    values = nil
    tally?.add(value)
    if tally?.values.count ?? 0 > Self.countable { tally = nil }
  }
}

/// Finds the values of given ranks by narrowing their ranges with each pass over the sample.
///
/// All quantiles that columns have are found together at the first query, because passes over the data are what a search costs.
private final class Selection: Sendable {
  let count: Int
  private let least: Int64
  private let greatest: Int64
  /// The values at the ranks of the quantiles that columns have.
  private let usual: OnDemand<[Int: Int64]>

  /// A pass divides each range into as many parts as numbers of this many bits.
  private static let bits = 12

  init(_ survey: SampleSurvey, of sample: @escaping Percentiles.Sample) {
    let (count, range) = (survey.count, survey.least...survey.greatest)
    (self.count, least, greatest) = (count, range.lowerBound, range.upperBound)
    usual = OnDemand { Self.values(at: Self.usualRanks(of: count), in: sample, within: range) }
  }

  func value(at rank: Int, in sample: Percentiles.Sample) -> Int64 {
    if rank == 0 { return least }
    if rank == count - 1 { return greatest }
    let value =
      usual.value[rank] ?? Self.values(at: [rank], in: sample, within: least...greatest)[rank]
    guard let value else { preconditionFailure("a pass narrows each range") }
    return value
  }

  /// In ascending order.
  private static func usualRanks(of count: Int) -> [Int] {
    let ranks = Quantile.allCases.flatMap { quantile in
      let below = Int(quantile.share * Double(count - 1))
      return [below, min(below + 1, count - 1)]
    }
    return Set(ranks).sorted()
  }

  /// A range of values, and which of the wanted ranks have their values there.
  private struct Part {
    let low: Int64
    let high: Int64
    /// The number of values below `low`.
    let before: Int
    let ranks: ArraySlice<Int>

    /// The exponent of the power of two by which a distance from `low` is divided to be counted.
    var shift: UInt64 {
      let width = UInt64(bitPattern: high &- low)
      return UInt64(max(0, UInt64.bitWidth - width.leadingZeroBitCount - Selection.bits))
    }
  }

  /// The values at `ranks`, which are in ascending order.
  private static func values(
    at ranks: [Int], in sample: Percentiles.Sample, within range: ClosedRange<Int64>
  ) -> [Int: Int64] {
    var found: [Int: Int64] = [:]
    var parts = [
      Part(low: range.lowerBound, high: range.upperBound, before: 0, ranks: ranks[...])
    ]
    while !parts.isEmpty {
      let counts = counts(in: parts, of: sample)
      parts = parts.indices.flatMap { index in
        let first = index << bits
        return narrowed(parts[index], counts[first..<first + (1 << bits)], &found)
      }
    }
    return found
  }

  /// By part and by distance from its low end: the number of values. The parts are in ascending order.
  private static func counts(in parts: [Part], of sample: Percentiles.Sample) -> [Int] {
    var counts = [Int](repeating: 0, count: parts.count << bits)
    let bounds = parts.map { (low: $0.low, high: $0.high, shift: $0.shift) }
    sample { value in
      var index = 0
      while index < bounds.count && value > bounds[index].high { index += 1 }
      guard index < bounds.count, value >= bounds[index].low else { return }
      let distance = UInt64(bitPattern: value &- bounds[index].low) >> bounds[index].shift
      counts[index << bits + Int(distance)] += 1
    }
    return counts
  }

  /// The parts of `part` that contain the wanted ranks. Values that are certain are `found`.
  private static func narrowed(
    _ part: Part, _ counts: ArraySlice<Int>, _ found: inout [Int: Int64]
  ) -> [Part] {
    var parts: [Part] = []
    var ranks = part.ranks
    var before = part.before
    for (distance, count) in counts.enumerated() where count > 0 {
      let inside = ranks.prefix { $0 < before + count }
      ranks = ranks.dropFirst(inside.count)
      let low = part.low &+ Int64(bitPattern: UInt64(distance) << part.shift)
      if part.shift == 0 {
        for rank in inside { found[rank] = low }
      } else if !inside.isEmpty {
        let width = min(1 << part.shift - 1, UInt64(bitPattern: part.high &- low))
        let high = low &+ Int64(bitPattern: width)
        parts.append(Part(low: low, high: high, before: before, ranks: inside))
      }
      before += count
    }
    return parts
  }
}

extension Collection<Double> {
  /// The arithmetic mean; nil without values.
  package var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}

extension Collection where Element: Comparable {
  /// The middle one in ascending order, of two the later; nil without any. Unlike a median it is always one of them.
  package var middle: Element? { isEmpty ? nil : sorted()[count / 2] }
}

extension [Double] {
  /// The quantile 0.5 as `Percentiles` defines it: the middle value, or the mean of the two middle ones; nil without values.
  package var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
