/// Which values of a metric are good, fair or poor.
public struct Bands: Hashable, Sendable {
  /// From here on a value is fair.
  public let fair: Double
  /// From here on it is poor; where that is `fair`, no value is fair.
  public let poor: Double
  /// Whether both limits are still of the better band.
  public let includesLimits: Bool

  private init(fair: Double, poor: Double, includesLimits: Bool = false) {
    (self.fair, self.poor, self.includesLimits) = (fair, poor, includesLimits)
  }

  /// Hitch time in milliseconds per second while scrolling: from 5 on a user notices it, from 10 on it is poor (Apple,
  /// "Explore UI animation hitches and the render loop", WWDC20).
  public static let hitches = Bands(fair: 5, poor: 10)
  /// Time past a deadline: above zero the frame is late (AndroidX Macrobenchmark, `FrameTimingMetric`).
  public static let deadline = Bands(fair: 0, poor: 0, includesLimits: true)
  /// Interaction to Next Paint in milliseconds: above 200 it needs improvement, above 500 it is poor (web-vitals 5,
  /// `INPThresholds`).
  public static let inp = Bands(fair: 200, poor: 500, includesLimits: true)

  /// What `value`, in the metric's unit, is.
  public func band(of value: Double) -> Band {
    func isBetter(than limit: Double) -> Bool { includesLimits ? value <= limit : value < limit }
    return isBetter(than: fair) ? .good : isBetter(than: poor) ? .fair : .poor
  }
}

extension Bands: CustomStringConvertible {
  /// `good below 5, fair below 10, else poor`
  public var description: String {
    let word = includesLimits ? "up to" : "below"
    let names = fair == poor ? [("good", fair)] : [("good", fair), ("fair", poor)]
    let limits = names.map { "\($0) \(word) \(Decimal.text($1, places: 2))" }
    return limits.joined(separator: ", ") + ", else poor"
  }
}

/// What a value is by its metric's bands.
public enum Band: String, Sendable {
  /// Hardly noticed; noticed; disturbing.
  case good, fair, poor
}
