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
