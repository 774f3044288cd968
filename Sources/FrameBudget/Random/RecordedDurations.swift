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
