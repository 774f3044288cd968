internal import FrameBudget

#if os(Linux)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Maps values to places along one side of a plot, and picks round numbers to label.
struct Axis {
  let title: String
  private let low: Double
  private let high: Double
  private let isLogarithmic: Bool
  private let start: Double
  private let end: Double
  /// What is written at a tick.
  var tickText: (Double) -> String = Axis.label

  /// An axis from zero to at least `maximum`, drawn from `start` to `end`.
  static func linear(_ title: String, to maximum: Double, from start: Double, to end: Double)
    -> Axis
  {
    let step = roundStep(max(maximum, 1e-9))
    let high = (maximum / step).rounded(.up) * step
    return Axis(
      title: title, low: 0, high: max(high, step), isLogarithmic: false, start: start, end: end)
  }

  /// An axis over the range of `values` as they are.
  static func span(_ title: String, _ values: [Double], from start: Double, to end: Double) -> Axis
  {
    let low = values.min() ?? 0
    let high = values.max() ?? 1
    // Values that lie closer together cannot be told apart, nor can ticks between them be counted.
    let size = max(1, low.magnitude, high.magnitude)
    return Axis(
      title: title, low: low, high: high - low > 1e-9 * size ? high : low + size,
      isLogarithmic: false, start: start, end: end)
  }

  /// A logarithmic axis over whole powers of ten: frames of 10 ms and hangs of 2 s in one picture.
  static func logarithmic(
    _ title: String, _ values: some Sequence<Double>, from start: Double, to end: Double
  ) -> Axis {
    let positive = values.filter { $0 > 0 }
    let low = max(positive.min() ?? 1, 0.01)
    let high = max(positive.max() ?? 10, low)
    let floor = log10(low).rounded(.down)
    return Axis(
      title: title, low: floor, high: max(log10(high).rounded(.up), floor + 1), isLogarithmic: true,
      start: start, end: end)
  }

  private init(
    title: String, low: Double, high: Double, isLogarithmic: Bool, start: Double, end: Double
  ) {
    self.title = title
    self.low = low
    self.high = high
    self.isLogarithmic = isLogarithmic
    self.start = start
    self.end = end
  }

  func place(_ value: Double) -> Double {
    let value = isLogarithmic ? log10(max(value, 1e-12)) : value
    let share = (min(max(value, low), high) - low) / (high - low)
    return start + share * (end - start)
  }

  /// The values that are labelled.
  var ticks: [Double] {
    if isLogarithmic { return stride(from: low, through: high, by: 1).map { pow(10, $0) } }
    let step = Self.roundStep(high - low)
    let first = (low / step).rounded(.up)
    let count = Int(((high - low) / step).rounded(.down))
    return (0...max(count, 0)).map { (first + Double($0)) * step }.filter { $0 <= high * 1.000001 }
  }

  /// A number for a label: `0.1`, `20`, `1500`, `2M`.
  static func label(_ value: Double) -> String {
    if abs(value) >= 1e6 { return Decimal.text(value / 1e6, places: 1) + "M" }
    return Decimal.text(value, places: abs(value) < 1 ? 3 : abs(value) < 10 ? 1 : 0)
  }

  /// 1, 2 or 5 times a power of ten, so that a range has four to ten steps.
  private static func roundStep(_ range: Double) -> Double {
    let power = pow(10, log10(range / 4).rounded(.down))
    let share = range / 4 / power
    return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1)
  }
}
