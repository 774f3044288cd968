/// Which values of a metric are good, fair or poor.
public struct Bands: Hashable, Sendable {
  /// From here on a value is fair.
  public let fair: Double
  /// From here on it is poor.
  public let poor: Double

  /// Hitch time in milliseconds per second while scrolling: from 5 on a user notices it, from 10 on it is poor (Apple,
  /// "Explore UI animation hitches and the render loop", WWDC20).
  public static let hitches = Bands(fair: 5, poor: 10)

  /// What `value`, in the metric's unit, is.
  public func band(of value: Double) -> Band {
    value < fair ? .good : value < poor ? .fair : .poor
  }
}

/// What a value is by its metric's bands.
public enum Band: String, Sendable {
  /// Hardly noticed; noticed; disturbing.
  case good, fair, poor
}
