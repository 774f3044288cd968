/// A number that the project prints: its one name, unit and formula, and how it follows from a run.
public struct Metric: Sendable {
  /// As columns and expectations name it.
  public let name: String
  /// What its values are counted in.
  public let unit: Unit
  /// How it is computed, in a line.
  public let formula: String
  /// The value for a run; nil where it does not apply.
  public let value: @Sendable (RunMetrics) -> MetricValue?

  /// What values are counted in.
  public enum Unit: String, Sendable {
    /// A number or a word; how many; a share; times.
    case none = "", count, percent = "%", milliseconds = "ms", microseconds = "µs"
    /// Time per second; vsyncs; images per second.
    case millisecondsPerSecond = "ms/s", vsyncs, framesPerSecond = "frames/s"
    /// Items per second.
    case itemsPerSecond = "items/s"
  }
}

extension Metric {
  /// The name of the column that says whether `metric` is a lower bound.
  public static func bound(of metric: String) -> String { "\(metric)_is_bound" }
}

/// A value as it stands in a file.
public enum MetricValue: Hashable, Sendable, CustomStringConvertible {
  /// A word.
  case text(String)
  /// How many.
  case count(Int)
  /// A number, in the metric's unit.
  case real(Double)

  /// The value as a number; nil for a word.
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
  /// As columns and expectations name it.
  public let name: String
  /// What its values are counted in.
  public let unit: Metric.Unit
  /// How it is computed, in a line.
  public let formula: String
  /// Its value; nil where it has none.
  public let value: @Sendable (ItemMetrics) -> MetricValue?

  var overAll: Metric {
    Metric(name: name, unit: unit, formula: formula) { [value] in value($0.items) }
  }
}
