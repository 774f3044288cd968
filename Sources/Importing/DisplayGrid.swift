import FrameBudget

/// Vsyncs counted by times alone, in two ways at once, as only the end of a log tells which one is right.
///
/// Where images come at vsyncs, the grid follows them: no display has quite the rate that it is called by, and over
/// an hour the difference would add up to dropped frames that nobody saw. Otherwise the rate is taken as said.
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
