import FrameBudget

/// Spans of time in bounded memory: exact for the first 131 072, beyond that in classes no wider than 0.05 %.
///
/// The classes divide each power of two into 2048 equal parts, as HdrHistogram does.
struct Distribution: Sendable {
  static let exactCount = 1 << 17
  private static let partBits = 11
  /// 2^40 ns are 18 minutes: whatever is longer is counted as that.
  private static let longest: Int64 = 1 << 40

  private(set) var count = 0
  private(set) var sum: Int64 = 0
  private(set) var maximum: Int64 = 0
  private var values: [Int64] = []
  private var classes: [UInt32] = []

  var isExact: Bool { classes.isEmpty }

  /// Adds a span that is not negative.
  mutating func append(_ value: Int64) {
    count += 1
    sum &+= value
    maximum = max(maximum, value)
    if classes.isEmpty {
      if values.count < Self.exactCount {
        values.append(value)
        return
      }
      fold()
    }
    classes[Self.place(of: value)] &+= 1
  }

  private mutating func fold() {
    classes = Array(repeating: 0, count: Self.place(of: Self.longest) + 1)
    for value in values { classes[Self.place(of: value)] &+= 1 }
    values = []
  }

  private static func place(of value: Int64) -> Int {
    let value = min(value, longest)
    let shift = max(0, (63 - value.leadingZeroBitCount) - partBits)
    return (shift << partBits) + Int(value >> Int64(shift))
  }

  /// The middle of the class at `place`: the inverse of `place(of:)`.
  private static func middle(of place: Int) -> Int64 {
    let parts = 1 << partBits
    guard place >= 2 * parts else { return Int64(place) }
    let shift = (place >> partBits) - 1
    let low = Int64(place - (shift << partBits)) << Int64(shift)
    return low + (1 << Int64(shift - 1))
  }

  /// Calls `body` with each value and how often it occurs, from the longest down, until it returns false.
  private func fromLongest(_ body: (Int64, Int) -> Bool) {
    if isExact {
      for value in values.sorted(by: >) where !body(value, 1) { return }
      return
    }
    for place in classes.indices.reversed() where classes[place] > 0 {
      if !body(min(Self.middle(of: place), maximum), Int(classes[place])) { return }
    }
  }

  /// The quantiles `wanted`, in nanoseconds; exact as `Percentiles` has them while all values are kept.
  func quantiles(_ wanted: [Double]) -> [Double?] {
    if isExact {
      let percentiles = Percentiles(values)
      return wanted.map(percentiles.quantile)
    }
    return wanted.map { $0 == 1 ? Double(maximum) : classQuantile($0) }
  }

  private func classQuantile(_ q: Double) -> Double {
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

  /// The interval at which the longest ones make up 1 % of the total.
  func longestHundredth() -> Int64? {
    var sum: Int64 = 0
    var result: Int64?
    fromLongest { value, times in
      sum &+= value &* Int64(times)
      result = value
      return sum < self.sum / 100
    }
    return result
  }
}
