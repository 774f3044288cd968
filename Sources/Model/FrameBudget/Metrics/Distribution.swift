/// Spans of time in bounded memory: the first 131 072 are exact, more are counted in buckets no wider than 0.05 %.
///
/// The buckets divide each power of two into 2048 equal parts, like HdrHistogram.
public struct Distribution: SpanSample {
  /// Up to this many values every quantile is exact.
  public static let exactCount = 1 << 17
  private static let partBits = 11
  /// 2^40 ns are 18 minutes; longer spans count as that.
  private static let longest: Int64 = 1 << 40

  public private(set) var count = 0
  public private(set) var sum: Int64 = 0
  private var maximum = Int64.min
  /// In the order of adding; empty once they are counted in buckets.
  private(set) var values: [Int64] = []
  private var buckets: [UInt32] = []
  /// The buckets of negative values, by their magnitude.
  private var negativeBuckets: [UInt32] = []

  public init() {}

  public var percentiles: Percentiles { Percentiles(self) }

  /// Whether every value is stored, not only the number of values in its bucket.
  public var isExact: Bool { buckets.isEmpty }

  /// Adds a span.
  public mutating func add(_ value: Int64) {
    count += 1
    sum = sum.addingClamped(value)
    maximum = max(maximum, value)
    if buckets.isEmpty {
      if values.count < Self.exactCount {
        values.append(value)
        return
      }
      fold()
    }
    addToBucket(value)
  }

  private mutating func fold() {
    buckets = Array(repeating: 0, count: Self.bucket(of: UInt64(Self.longest)) + 1)
    for value in values { addToBucket(value) }
    values = []
  }

  private mutating func addToBucket(_ value: Int64) {
    let bucket = Self.bucket(of: value.magnitude)
    if value >= 0 {
      buckets[bucket] &+= 1
      return
    }
    if negativeBuckets.isEmpty {
      negativeBuckets = Array(repeating: 0, count: buckets.count)
    }
    negativeBuckets[bucket] &+= 1
  }

  private static func bucket(of magnitude: UInt64) -> Int {
    let value = Int64(min(magnitude, UInt64(longest)))
    let shift = max(0, (63 - value.leadingZeroBitCount) - partBits)
    return (shift << partBits) + Int(value >> Int64(shift))
  }

  /// The middle of the values in `bucket`: the inverse of `bucket(of:)`.
  private static func middle(of bucket: Int) -> Int64 {
    let parts = 1 << partBits
    guard bucket >= 2 * parts else { return Int64(bucket) }
    let shift = (bucket >> partBits) - 1
    let low = Int64(bucket - (shift << partBits)) << Int64(shift)
    return low + (1 << Int64(shift - 1))
  }

  public func fromLongest(_ body: (Int64, Int) -> Bool) {
    if isExact {
      for value in values.sorted(by: >) where !body(value, 1) { return }
      return
    }
    for bucket in buckets.indices.reversed() where buckets[bucket] > 0 {
      if !body(min(Self.middle(of: bucket), maximum), Int(buckets[bucket])) { return }
    }
    for bucket in negativeBuckets.indices where negativeBuckets[bucket] > 0 {
      if !body(min(-Self.middle(of: bucket), maximum), Int(negativeBuckets[bucket])) { return }
    }
  }

  /// The quantile `q`, from 0 to 1, of values in buckets.
  func bucketQuantile(_ q: Double) -> Double {
    if q == 1 { return Double(maximum) }
    let above = Double(count - 1) * (1 - q)
    var seen = 0
    var result = Double(maximum)
    fromLongest { value, times in
      seen += times
      result = Double(value)
      return Double(seen) <= above
    }
    return result
  }
}

extension Int64 {
  /// The sum, clamped to the range of the type.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }
}
