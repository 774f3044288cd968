/// A quantile of a sample, as named in columns.
package enum Quantile: String, CaseIterable, Sendable {
  case p50, p90, p95, p99, p999, max

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
/// wanted rank is searched for in the original data.
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
  }

  private let store: Store

  /// The largest sample that is sorted.
  private static let sortable = 4096
  /// In larger samples, the most different values that are counted.
  private static let countable = 256

  /// - Parameter sample: in any order.
  public init(_ sample: [Int64]) {
    self.init(of: sample.count) { body in for value in sample { body(value) } }
  }

  /// `count` is the number of values; nil if unknown, which costs a pass over them.
  init(of count: Int? = nil, _ sample: @escaping Sample) {
    if count ?? 0 <= Self.sortable {
      var values: [Int64] = []
      sample { if values.count <= Self.sortable { values.append($0) } }
      if values.count <= Self.sortable {
        values.sort()
        store = .sorted(values)
        return
      }
    }
    store = Self.counted(sample).map { .counted($0) } ?? .searched(sample, Selection(sample))
  }

  /// Nil if there are too many different values.
  private static func counted(_ sample: Sample) -> Tally? {
    var tally = Tally()
    sample { if tally.values.count <= countable { tally.add($0) } }
    return tally.values.count <= countable ? tally : nil
  }

  /// A sample that grows between queries.
  package init(_ tally: Tally) { store = .counted(tally) }

  /// Exact if the distribution is.
  public init(_ distribution: Distribution) {
    store =
      distribution.isExact ? Percentiles(distribution.values).store : .buckets(distribution)
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
    }
  }

  private func value(at rank: Int) -> Int64 {
    switch store {
    case .sorted(let values): values[rank]
    case .counted(let tally): tally.value(at: rank)
    case .searched(let sample, let selection): selection.value(at: rank, in: sample)
    case .buckets: preconditionFailure("buckets have quantiles, not ranks")
    }
  }
}

/// Finds the value of a given rank by narrowing its range with each pass over the sample.
private struct Selection: Sendable {
  private(set) var count = 0
  private var least = Int64.max
  private var greatest = Int64.min

  /// The number of parts into which a pass divides the range.
  private static let parts = 4096

  init(_ sample: Percentiles.Sample) {
    sample { value in
      count += 1
      least = min(least, value)
      greatest = max(greatest, value)
    }
  }

  func value(at rank: Int, in sample: Percentiles.Sample) -> Int64 {
    var (low, high) = (least, greatest)
    if rank == count - 1 { return high }
    var rank = rank
    while low < high {
      let width = UInt64(bitPattern: high &- low) / UInt64(Self.parts) + 1
      var counts = [Int](repeating: 0, count: Self.parts)
      sample { value in
        guard value >= low && value <= high else { return }
        counts[Int(UInt64(bitPattern: value &- low) / width)] += 1
      }
      var part = 0
      while rank >= counts[part] {
        rank -= counts[part]
        part += 1
      }
      let offset = UInt64(part) * width
      high = min(high, low &+ Int64(bitPattern: offset + width - 1))
      low = low &+ Int64(bitPattern: offset)
    }
    return low
  }
}

extension [Double] {
  /// The quantile 0.5 as `Percentiles` defines it: the middle value, or the mean of the two middle ones; nil without values.
  package var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}
