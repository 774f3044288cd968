/// Exact percentiles of a sample: linear interpolation between order statistics, `h = q (n - 1)`, the default
/// of R and NumPy (type 7 in Hyndman and Fan 1996).
public struct Percentiles: Sendable {
  private let sorted: [Int64]

  public init(_ sample: [Int64]) { sorted = sample.sorted() }

  /// The quantile `q`, from 0 to 1; nil for an empty sample.
  public func quantile(_ q: Double) -> Double? {
    precondition((0...1).contains(q), "a quantile from 0 to 1")
    guard !sorted.isEmpty else { return nil }
    let place = q * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    let fraction = place - Double(below)
    return Double(sorted[below]) + fraction * Double(sorted[above] - sorted[below])
  }

  public var maximum: Double? { quantile(1) }
}
