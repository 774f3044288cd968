package import FrameBudget

/// Counts vsyncs from times alone, in two ways at once, because only the end of a log shows which one is right.
///
/// If images come at vsyncs, the grid follows them: the real rate of a display differs slightly from its nominal rate, and over
/// an hour the difference would add up to false drops. Otherwise the nominal rate is used.
struct DisplayGrid: Sendable {
  private var following: GridTracker
  private var steady: GridTracker
  private var followed: VsyncCounts
  private var counted: VsyncCounts

  init(_ refresh: RefreshRate) {
    following = GridTracker(refresh, follows: true)
    steady = GridTracker(refresh, follows: false)
    followed = VsyncCounts(refresh: refresh)
    counted = followed
  }

  mutating func shown(after interval: Int64) {
    Self.count(following.vsyncs(after: interval), in: &followed)
    Self.count(steady.vsyncs(after: interval), in: &counted)
  }

  private static func count(_ vsyncs: Int, in counts: inout VsyncCounts) {
    // An image that was replaced at once was not shown at any vsync.
    if vsyncs > 0 { counts.shown(afterGap: vsyncs - 1) }
  }

  mutating func restart() {
    following.restart()
    steady.restart()
  }

  /// Changes the rate of the following vsyncs; one of them coincides with the newest image.
  mutating func use(_ refresh: RefreshRate) {
    following = GridTracker(refresh, follows: true)
    steady = GridTracker(refresh, follows: false)
  }

  var isOnGrid: Bool { following.isOnGrid }

  var counts: VsyncCounts { isOnGrid ? followed : counted }
}

/// Assigns images to vsyncs by the times between images: their running sum against the display's grid.
///
/// Rounding each interval separately would count 24.9 ms as one vsync of 60 Hz every time, and 25.1 ms as two. So the rounding
/// error of an interval is carried over to the next one.
package struct GridTracker: Sendable {
  private let nominal: Double
  private let follows: Bool
  /// In nanoseconds.
  private var period: Double
  /// How far after its vsync the newest image came; negative if before it.
  private var phaseError = 0.0
  private var deviation = 0.0
  private var count = 0

  /// The share of an image's deviation that counts as a shift of the grid, and of its rate.
  private static let shift = 0.25
  private static let drift = 0.02
  /// The largest deviation of a display's rate from its nominal rate, as a share.
  private static let maxDeviation = 0.005

  /// If `follows`, phase and rate of the grid are fitted to the images; otherwise the rate is exact.
  package init(_ refresh: RefreshRate, follows: Bool) {
    nominal = 1e9 / refresh.hertz
    period = nominal
    self.follows = follows
  }

  /// The number of vsyncs from the previous image to this one; 0 if this one replaced it at once.
  package mutating func vsyncs(after interval: Int64) -> Int {
    let time = phaseError + Double(interval)
    let vsyncs = (time / period).rounded()
    phaseError = time - vsyncs * period
    deviation += abs(phaseError) / period
    count += 1
    if follows { follow(over: vsyncs) }
    return Int(vsyncs)
  }

  private mutating func follow(over vsyncs: Double) {
    let change = Self.drift * phaseError / max(1, vsyncs)
    let tolerance = Self.maxDeviation * nominal
    period = min(max(period + change, nominal - tolerance), nominal + tolerance)
    phaseError *= 1 - Self.shift
  }

  /// After an unknown interval: the next image comes at a vsync.
  package mutating func restart() { phaseError = 0 }

  /// Whether images come at vsyncs. Images independent of the grid deviate by a quarter of a period on average.
  var isOnGrid: Bool { deviation <= 0.15 * Double(count) }
}

/// How well the first intervals between images fit common display rates.
package struct RateFit: Sendable {
  private static let common: [Int64] = [
    24, 25, 30, 48, 50, 60, 72, 75, 90, 100, 120, 144, 165, 180, 200, 240,
  ]
  /// This many intervals suffice; more would cost time.
  private static let maxIntervals = 4096

  /// The common rate within one per cent of `hertz`, or that one itself.
  package static func rate(near hertz: Double) -> RefreshRate? {
    if let near = common.first(where: { abs(hertz / Double($0) - 1) <= 0.01 }) {
      return RefreshRate(near)
    }
    guard 1...1000 ~= hertz else { return nil }
    return RefreshRate(Int64((hertz * 1000).rounded()), over: 1000)
  }

  private var intervals: [Int64] = []

  package init() {}

  package mutating func add(_ interval: Int64) {
    if intervals.count < Self.maxIntervals { intervals.append(interval) }
  }

  /// A common rate that fits the images far better than `refresh`.
  package func better(than refresh: RefreshRate) -> RefreshRate? {
    guard intervals.count >= 10, fit(refresh) < 0.5 else { return nil }
    return Self.common.lazy.map { RefreshRate($0) }.first { fit($0) > 0.9 }
  }

  /// 1 if each interval is a whole number of vsyncs, 0 if they are independent of vsyncs, -1 if each is half a vsync off.
  private func fit(_ refresh: RefreshRate) -> Double {
    let period = 1e9 / refresh.hertz
    let sum = intervals.reduce(0.0) { sum, interval in
      let vsyncs = Double(interval) / period
      // A triangle instead of a cosine: the distance from whole vsyncs, as a share of a period.
      return sum + 1 - 4 * abs(vsyncs - vsyncs.rounded())
    }
    return sum / Double(intervals.count)
  }
}
