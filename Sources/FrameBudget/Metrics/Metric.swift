/// A number that the project prints: its one name, unit and formula, and how it follows from a run.
public struct Metric: Sendable {
  public let name: String
  public let unit: Unit
  public let formula: String
  /// The value for a run; nil where it does not apply.
  public let value: @Sendable (RunMetrics) -> MetricValue?

  public enum Unit: String, Sendable {
    case none = "", count, percent = "%", milliseconds = "ms", microseconds = "µs"
    case millisecondsPerSecond = "ms/s", vsyncs, framesPerSecond = "frames/s"
    case itemsPerSecond = "items/s"
  }
}

extension Metric {
  /// The name of the column that says whether `metric` is a lower bound.
  public static func bound(of metric: String) -> String { "\(metric)_is_bound" }
}

/// A value as it stands in a file.
public enum MetricValue: Hashable, Sendable, CustomStringConvertible {
  case text(String)
  case count(Int)
  case real(Double)

  public var number: Double? {
    switch self {
    case .text: nil
    case .count(let count): Double(count)
    case .real(let value): value
    }
  }

  /// Whole numbers as they are, others with at most six decimals: nanoseconds in milliseconds, exactly.
  public var description: String {
    switch self {
    case .text(let text): text
    case .count(let count): String(count)
    case .real(let value): Decimal.text(value, places: 6)
    }
  }
}

/// A metric of items: the same for all of a run and, in a file of its own, for each workload.
public struct ItemMetric: Sendable {
  public let name: String
  public let unit: Metric.Unit
  public let formula: String
  public let value: @Sendable (ItemMetrics) -> MetricValue?

  var overAll: Metric {
    Metric(name: name, unit: unit, formula: formula) { [value] in value($0.items) }
  }
}
