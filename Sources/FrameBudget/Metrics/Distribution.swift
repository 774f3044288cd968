/// Spans of time in bounded memory: the first 131 072 are exact, more are counted in classes no wider than 0.05 %.
///
/// The classes divide each power of two into 2048 equal parts, like HdrHistogram.
public struct Distribution: SpanSample {
  /// Up to this many values every quantile is exact.
  public static let exactCount = 1 << 17
  private static let partBits = 11
  /// 2^40 ns are 18 minutes; longer spans count as that.
  private static let longest: Int64 = 1 << 40

  public private(set) var count = 0
  public private(set) var sum: Int64 = 0
  private var maximum = Int64.min
  /// In the order of adding; empty once they are counted in classes.
  private(set) var values: [Int64] = []
  private var classes: [UInt32] = []
  /// The classes of negative values, by their magnitude.
  private var negativeClasses: [UInt32] = []

  public init() {}

  public var percentiles: Percentiles { Percentiles(self) }

  /// Whether every value is stored, not only the number of values in its class.
  public var isExact: Bool { classes.isEmpty }

  /// Adds a span.
  public mutating func add(_ value: Int64) {
    count += 1
    sum = sum.addingClamped(value)
    maximum = max(maximum, value)
    if classes.isEmpty {
      if values.count < Self.exactCount {
        values.append(value)
        return
      }
      fold()
    }
    classify(value)
  }

  private mutating func fold() {
    classes = Array(repeating: 0, count: Self.place(of: UInt64(Self.longest)) + 1)
    for value in values { classify(value) }
    values = []
  }

  private mutating func classify(_ value: Int64) {
    let place = Self.place(of: value.magnitude)
    if value >= 0 {
      classes[place] &+= 1
      return
    }
    if negativeClasses.isEmpty {
      negativeClasses = Array(repeating: 0, count: classes.count)
    }
    negativeClasses[place] &+= 1
  }

  private static func place(of magnitude: UInt64) -> Int {
    let value = Int64(min(magnitude, UInt64(longest)))
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

  public func fromLongest(_ body: (Int64, Int) -> Bool) {
    if isExact {
      for value in values.sorted(by: >) where !body(value, 1) { return }
      return
    }
    for place in classes.indices.reversed() where classes[place] > 0 {
      if !body(min(Self.middle(of: place), maximum), Int(classes[place])) { return }
    }
    for place in negativeClasses.indices where negativeClasses[place] > 0 {
      if !body(min(-Self.middle(of: place), maximum), Int(negativeClasses[place])) { return }
    }
  }

  /// The quantile `q`, from 0 to 1, of values in classes.
  func classQuantile(_ q: Double) -> Double {
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
