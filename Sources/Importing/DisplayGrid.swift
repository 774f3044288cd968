import FrameBudget

/// Vsyncs counted by times alone, in two ways at once, as only the end of a log tells which one is right.
///
/// Where images come at vsyncs, the grid follows them: no display has quite the rate that it is called by, and over
/// an hour the difference would add up to dropped frames that did not happen. Otherwise the stated rate is used.
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
    // An image that replaced another one at once was shown at no vsync of its own.
    if vsyncs > 0 { counts.shown(afterGap: vsyncs - 1) }
  }

  mutating func restart() {
    following.restart()
    steady.restart()
  }

  /// From here on vsyncs come at another rate, one of them with the newest image.
  mutating func use(_ refresh: RefreshRate) {
    following = GridTracker(refresh, follows: true)
    steady = GridTracker(refresh, follows: false)
  }

  var isOnGrid: Bool { following.isOnGrid }

  var counts: VsyncCounts { isOnGrid ? followed : counted }
}

/// Which vsync each image is shown at, by the times between images: their running sum against the display's grid.
///
/// Rounding each interval by itself would call 24.9 ms one vsync of 60 Hz for ever, and 25.1 ms two. What an
/// interval was rounded by is carried over to the next one.
struct GridTracker: Sendable {
  private let nominal: Double
  private let follows: Bool
  /// In nanoseconds.
  private var period: Double
  /// How far behind its vsync the newest image came; negative before it.
  private var rest = 0.0
  private var deviation = 0.0
  private var count = 0

  /// How much of an image's deviation is taken for a shift of the grid, and of its rate.
  private static let shift = 0.25
  private static let drift = 0.02
  /// A display's rate is within this share of what it is called.
  private static let mostOff = 0.005

  /// `follows`: phase and rate of the grid are fitted to the images; otherwise the rate is taken as said.
  init(_ refresh: RefreshRate, follows: Bool) {
    nominal = 1e9 / refresh.hertz
    period = nominal
    self.follows = follows
  }

  /// How many vsyncs an image came after the one before; 0 for one that replaced it at once.
  mutating func vsyncs(after interval: Int64) -> Int {
    let time = rest + Double(interval)
    let vsyncs = (time / period).rounded()
    rest = time - vsyncs * period
    deviation += abs(rest) / period
    count += 1
    if follows { follow(over: vsyncs) }
    return Int(vsyncs)
  }

  private mutating func follow(over vsyncs: Double) {
    let change = Self.drift * rest / max(1, vsyncs)
    let most = Self.mostOff * nominal
    period = min(max(period + change, nominal - most), nominal + most)
    rest *= 1 - Self.shift
  }

  /// The next image's time since the one before is not known: it comes at a vsync.
  mutating func restart() { rest = 0 }

  /// Whether images come at vsyncs: what has nothing to do with the grid deviates by a quarter of a period.
  var isOnGrid: Bool { deviation <= 0.15 * Double(count) }
}

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
