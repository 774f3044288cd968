/// A number that was observed; or, where what it measures had not ended, a number that it is at least.
public struct Observation: Hashable, Sendable {
  /// In the metric's unit.
  public let value: Double
  /// Whether `value` is a lower bound.
  public let isBound: Bool

  /// - Parameters:
  ///   - value: in the metric's unit.
  ///   - isBound: whether it is at least that.
  public init(_ value: Double, isBound: Bool = false) {
    self.value = value
    self.isBound = isBound
  }

  /// The median; nil of nothing. Bounds rank above all that is known, and a median on which one of them has a part
  /// is itself a bound: what it would be if each were as small as it can be.
  public static func median(_ observations: [Observation]) -> Observation? {
    guard observations.count > 1 else { return observations.first }
    let (low, high) = ((observations.count - 1) / 2, observations.count / 2)
    let known = observations.filter { !$0.isBound }.map(\.value).sorted()
    let isBound = high >= known.count
    let values = isBound ? observations.map(\.value).sorted() : known
    return Observation((values[low] + values[high]) / 2, isBound: isBound)
  }
}
