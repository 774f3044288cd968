/// How far a prediction moves if costs and arrivals differ slightly from what is assumed: its error bar.
///
/// `VirtualEngine.range` finds it from a few runs. A narrow range is no proof: a change in between may move a metric further.
public struct PredictionRange: Hashable, Sendable {
  /// The metrics that have a range, in the order of the columns.
  public static let metrics: [Metric] = [.droppedPercent, .frameTime(.p99), .response(.p99)]

  /// By metric; nil if it applied to no run.
  private var spans: [ClosedRange<Double>?]

  /// The range of a single run, which has no width.
  public init(_ run: RunMetrics) {
    spans = Self.metrics.map { metric in run[metric].map { $0...$0 } }
  }

  /// Widens the range so that it includes `run`.
  public mutating func include(_ run: RunMetrics) {
    for (place, metric) in Self.metrics.enumerated() {
      guard let value = run[metric] else { continue }
      let span = spans[place] ?? value...value
      spans[place] = min(span.lowerBound, value)...max(span.upperBound, value)
    }
  }

  /// From the smallest to the largest value, in the unit of `metric`; nil if it applied to no run or has no range.
  public subscript(metric: Metric) -> ClosedRange<Double>? {
    zip(Self.metrics, spans).first { $0.0.name == metric.name }?.1
  }
}

extension Metric {
  /// Whether `range` is wide enough to be printed: wider than a point, or, for times, wider than both 1 ms and the 10 % by
  /// which costs themselves differ.
  public func isWorthTelling(_ range: ClosedRange<Double>) -> Bool {
    let width = range.upperBound - range.lowerBound
    return unit == .milliseconds ? width > max(1, range.upperBound / 10) : width > 1
  }

  /// The name of the column with the lower end of `metric`'s range.
  public static func low(of metric: String) -> String { "\(metric)_low" }

  /// The name of the column with the upper end of `metric`'s range.
  public static func high(of metric: String) -> String { "\(metric)_high" }
}
