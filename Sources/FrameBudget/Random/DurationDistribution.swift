/// How long something takes: always the same, or drawn anew each time.
public enum DurationDistribution: Hashable, Sendable {
  /// Always the same.
  case constant(TimeSpan)
  /// Any between the two, with equal chances.
  case uniform(from: TimeSpan, to: TimeSpan)
  /// Normal, of this mean and standard deviation; what would be negative is 0.
  case normal(mean: TimeSpan, deviation: TimeSpan)
  /// Exponential, of this mean.
  case exponential(mean: TimeSpan)
  /// What was recorded, in its order, again and again.
  case recorded(RecordedDurations)

  /// Always 0.
  public static let none = DurationDistribution.constant(.zero)

  /// The length, if it is always the same.
  public var fixed: TimeSpan? {
    if case .constant(let span) = self { span } else { nil }
  }

  /// The mean before negative draws are cut off at zero.
  public var mean: TimeSpan {
    switch self {
    case .constant(let span): span
    case .uniform(let from, let to):
      TimeSpan(nanoseconds: (from.nanoseconds + to.nanoseconds) / 2)
    case .normal(let mean, _), .exponential(let mean): mean
    case .recorded(let durations): durations.mean
    }
  }

  /// Draws a length, in whole nanoseconds, never negative.
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

  /// Marsaglia's polar method: square root and logarithm only, both exact to the bit.
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

  /// At most 146 years, to which a run's length can still be added.
  private static func span(_ nanoseconds: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64(min(max(0, nanoseconds.rounded()), 0x1p62)))
  }
}

/// Durations that were recorded: replayed in their order, and from the start again after the last.
///
/// In order, because what is slow comes in bursts: a draw at random would spread a scroll's hitches evenly.
public struct RecordedDurations: Hashable, Sendable {
  private let spans: [TimeSpan]
  /// The mean of them all, rounded down to a nanosecond.
  public let mean: TimeSpan

  /// Nil without a duration.
  public init?(_ spans: [TimeSpan]) {
    guard !spans.isEmpty else { return nil }
    self.spans = spans
    // Sums of a million durations of a day each still fit into 128 bits only.
    let sum = spans.reduce(into: Int128(0)) { $0 += Int128($1.nanoseconds) }
    mean = TimeSpan(nanoseconds: Int64(sum / Int128(spans.count)))
  }

  /// Each of them `factor` times as long.
  func scaled(by factor: Double) -> RecordedDurations {
    RecordedDurations(spans.map { $0.multiplied(by: factor) }) ?? self
  }

  /// How many were recorded.
  public var count: Int { spans.count }

  /// The duration at any place; those before the first, such as a warm-up's, count from the end.
  public subscript(index: Int) -> TimeSpan {
    let place = index % spans.count
    return spans[place < 0 ? place + spans.count : place]
  }
}
