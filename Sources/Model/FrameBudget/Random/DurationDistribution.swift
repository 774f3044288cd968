/// A duration: constant, or drawn each time.
public enum DurationDistribution: Hashable, Sendable {
  /// Always the same.
  case constant(TimeSpan)
  /// Uniform between the two.
  case uniform(from: TimeSpan, to: TimeSpan)
  /// Normal, with this mean and standard deviation; negative values become 0.
  case normal(mean: TimeSpan, deviation: TimeSpan)
  /// Exponential, with this mean.
  case exponential(mean: TimeSpan)
  /// Recorded durations in their order, repeated.
  case recorded(RecordedDurations)

  /// Always 0.
  public static let none = DurationDistribution.constant(.zero)

  /// The duration, if it is constant.
  public var fixed: TimeSpan? {
    if case .constant(let span) = self { span } else { nil }
  }

  /// The mean before negative draws become zero.
  public var mean: TimeSpan {
    switch self {
    case .constant(let span): span
    case .uniform(let from, let to):
      TimeSpan(nanoseconds: (from.nanoseconds + to.nanoseconds) / 2)
    case .normal(let mean, _), .exponential(let mean): mean
    case .recorded(let durations): durations.mean
    }
  }

  /// The longest possible duration; nil if unbounded.
  package var largest: TimeSpan? {
    switch self {
    case .constant(let span): span
    case .uniform(let from, let to): max(from, to)
    case .normal(let mean, let deviation): deviation == .zero ? max(mean, .zero) : nil
    case .exponential(let mean): mean == .zero ? .zero : nil
    case .recorded(let durations): (0..<durations.count).lazy.map { durations[$0] }.max()
    }
  }

  /// A lower bound of all draws.
  package var smallest: TimeSpan {
    switch self {
    case .constant(let span): span
    case .uniform(let from, let to): min(from, to)
    case .normal(let mean, let deviation): deviation == .zero ? max(mean, .zero) : .zero
    case .exponential: .zero
    case .recorded(let durations):
      (0..<durations.count).lazy.map { durations[$0] }.min() ?? .zero
    }
  }

  /// Draws a duration, in whole nanoseconds, never negative.
  public func sample(using stream: inout RandomStream) -> TimeSpan {
    switch self {
    case .constant(let span): span
    case .uniform(let from, let to):
      Self.span(
        Double(from.nanoseconds) + stream.unit() * Double((to - from).nanoseconds))
    case .normal(let mean, let deviation):
      Self.span(
        Double(mean.nanoseconds) + Self.standardNormal(using: &stream)
          * Double(deviation.nanoseconds))
    case .exponential(let mean):
      Self.span(
        -Double(mean.nanoseconds) * naturalLogarithm(1 - stream.unit()))
    case .recorded(let durations): durations[Int(stream.unit() * Double(durations.count))]
    }
  }

  /// Marsaglia's polar method. It uses only square root and logarithm, both exact to the bit.
  private static func standardNormal(using stream: inout RandomStream) -> Double {
    while true {
      let x = 2 * stream.unit() - 1
      let y = 2 * stream.unit() - 1
      let radius = x * x + y * y
      if radius > 0 && radius < 1 {
        return x * (-2 * naturalLogarithm(radius) / radius).squareRoot()
      }
    }
  }

  /// At most 146 years, so that a run's duration can be added.
  private static func span(_ nanoseconds: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64(min(max(0, nanoseconds.rounded()), 0x1p62)))
  }
}

/// Recorded durations, replayed in their order and repeated after the last.
///
/// The order matters because slow ones come in bursts: random draws would spread a scroll's hitches evenly.
public struct RecordedDurations: Hashable, Sendable {
  private let spans: [TimeSpan]
  /// The mean, rounded down to a nanosecond.
  public let mean: TimeSpan

  /// Nil without a duration.
  public init?(_ spans: [TimeSpan]) {
    guard !spans.isEmpty else { return nil }
    self.spans = spans
    // The sum of a million durations of a day each needs 128 bits.
    let sum = spans.reduce(into: Int128(0)) { $0 += Int128($1.nanoseconds) }
    mean = TimeSpan(nanoseconds: Int64(sum / Int128(spans.count)))
  }

  /// Each duration multiplied by `factor`.
  func scaled(by factor: Double) -> RecordedDurations {
    RecordedDurations(spans.map { $0.multiplied(by: factor) }) ?? self
  }

  /// The number of recorded durations.
  public var count: Int { spans.count }

  /// The duration at any position; negative positions, such as those of a warm-up, count from the end.
  public subscript(index: Int) -> TimeSpan {
    let position = index % spans.count
    return spans[position < 0 ? position + spans.count : position]
  }
}

/// A stream of pseudo-random numbers: SplitMix64 (Steele, Lea, Flood 2014), seeded by name.
///
/// The run's seed, a name and an index determine a stream, so that a draw depends on its purpose and not on earlier draws: an
/// additional workload does not shift the others, and two threads that reach an item in another order still draw the same cost.
public struct RandomStream: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The stream called `name` under `seed`; `index` selects one of its independent members.
  public init(seed: UInt64, name: some StringProtocol, index: Int = 0) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325  // FNV-1a, 64 bits
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    self.init(key: Self.mixed(seed ^ Self.mixed(hash)), index: index)
  }

  /// The member `index` of the stream with this `key`, which was computed before: for many draws by index.
  public init(key: UInt64, index: Int) {
    self.key = key
    state = Self.mixed(key &+ UInt64(bitPattern: Int64(index)) &* 0x9e37_79b9_7f4a_7c15)
  }

  /// The identity of this stream among all streams of the seed, independent of the index.
  public let key: UInt64

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mixed(state)
  }

  /// A number in [0, 1) with 53 random bits.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// The natural logarithm of a positive, finite number, by additions, multiplications and divisions only.
///
/// IEEE 754 defines the results of these to the bit; the C library's `log`, and with it every random arrival, would differ
/// between systems. `ln x = e ln 2 + 2 artanh((m - 1) / (m + 1))` with `x = m * 2^e`, `m` near 1.
func naturalLogarithm(_ value: Double) -> Double {
  precondition(value > 0 && value.isFinite, "a positive number")
  var mantissa = value.significand
  var exponent = Double(value.exponent)
  if mantissa > 1.4142135623730951 {
    mantissa /= 2
    exponent += 1
  }
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  var series = 0.0
  for odd in stride(from: 25.0, through: 1.0, by: -2.0) { series = series * square + 1 / odd }
  return exponent * 0.6931471805599453 + 2 * ratio * series
}
