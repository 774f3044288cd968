import FrameBudget

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
