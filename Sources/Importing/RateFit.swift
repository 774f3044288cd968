import FrameBudget

/// How well times between images fit rates that displays have, by the first of them.
struct RateFit: Sendable {
  private static let common: [Int64] = [
    24, 25, 30, 48, 50, 60, 72, 75, 90, 100, 120, 144, 165, 180, 200, 240,
  ]
  /// As many tell; more would cost time.
  private static let most = 4096

  private var intervals: [Int64] = []

  mutating func add(_ interval: Int64) {
    if intervals.count < Self.most { intervals.append(interval) }
  }

  /// A common rate that the images fit far better than `refresh`.
  func better(than refresh: RefreshRate) -> RefreshRate? {
    guard intervals.count >= 10, fit(refresh) < 0.5 else { return nil }
    return Self.common.lazy.map { RefreshRate($0) }.first { fit($0) > 0.9 }
  }

  /// 1 if each interval is whole vsyncs, 0 if they have nothing to do with them, -1 if each is half a vsync off.
  private func fit(_ refresh: RefreshRate) -> Double {
    let period = 1e9 / refresh.hertz
    let sum = intervals.reduce(0.0) { sum, interval in
      let vsyncs = Double(interval) / period
      // A triangle in place of a cosine: the share of a period that it is off.
      return sum + 1 - 4 * abs(vsyncs - vsyncs.rounded())
    }
    return sum / Double(intervals.count)
  }
}
