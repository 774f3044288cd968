import FrameBudget

/// Totals of the frames of one process and swap chain, counted while they are read.
///
/// A frame's time serves as `E - V(b)` and, because only the project's own logs have its begin, as `E - begin`.
struct FrameTally: Sendable {
  /// What a log's times are, or whether it counts vsyncs itself.
  enum Clock: Sendable {
    /// When images came to the screen.
    case screen
    /// When the app was ready with them.
    case app
    /// It says at which vsyncs nothing was shown.
    case vsyncs
  }

  let clock: Clock
  private(set) var statistics: FrameStatistics<Distribution>
  private(set) var frameTimes = Distribution()
  /// What else the log says of each frame; what it does not say stays empty.
  var spans = FrameSpans<Distribution>()
  /// Whether it says what the main thread did between frames.
  var knowsTasks = false
  private(set) var displayChanges = 0
  private(set) var superseded = 0
  /// Shown, but without the main thread's part; nil where a log does not say.
  private(set) var partial: Int?
  private(set) var grid: DisplayGrid?
  private(set) var fit = RateFit()
  /// What `--hz` said.
  let told: RefreshRate?
  /// The log says several.
  private(set) var hasSeveralRates = false
  /// Images of presents that need not wait for a vsync.
  private(set) var unsynced = 0
  /// To what frames' times are rounded in the log: the largest power of ten, of a millisecond at most, that divides all of
  /// them so far.
  private var resolution: Int64 = 1_000_000
  var issues = LogIssues()

  init(refresh: RefreshRate?, clock: Clock) {
    self.clock = clock
    told = refresh
    statistics = FrameStatistics(refresh: refresh)
    if clock != .vsyncs { grid = refresh.map { DisplayGrid($0) } }
  }

  var refresh: RefreshRate? { statistics.refresh }
  private var isToldByLog = false

  /// From here on a vsync comes as often as the log says.
  mutating func use(_ refresh: RefreshRate) {
    if isToldByLog, let known = self.refresh, known.isAbout(refresh) { return }
    hasSeveralRates = isToldByLog
    isToldByLog = true
    statistics.use(refresh)
    guard clock != .vsyncs else { return }
    if grid == nil { grid = DisplayGrid(refresh) } else { grid?.use(refresh) }
  }

  /// Counts a frame that took `work` nanoseconds from its vsync on, and `span` from its begin.
  mutating func frame(_ work: Int64, sinceBegin span: Int64? = nil) {
    frameTimes.add(work)
    while work % resolution != 0 { resolution /= 10 }
    statistics.worked(
      .nanoseconds(work), sinceBegin: .nanoseconds(span ?? work),
      resolution: .nanoseconds(resolution))
  }

  /// Keeps a frame's time, what else is known of it being counted elsewhere.
  mutating func timed(_ work: Int64) { frameTimes.add(work) }

  /// Counts an image whose contents moved on by `error` nanoseconds more or less than the time that passed.
  mutating func moved(wrongBy error: Int64) {
    spans.animationErrors.add(abs(error))
  }

  mutating func missedDeadline() { statistics.missedDeadline() }
  mutating func waitedForBuffer() { statistics.waitedForBuffer() }

  mutating func supersede() { superseded += 1 }

  /// Counts a new image on the screen, `interval` nanoseconds after the one before, if that is known.
  ///
  /// One that was there for no time at all was on no screen: it was superseded.
  mutating func shown(after interval: Int64?, waitsForVsync: Bool = true) {
    if interval == 0 {
      issues.shownForNoTime()
      return supersede()
    }
    displayChanges += 1
    if !waitsForVsync { unsynced += 1 }
    guard let interval else {
      grid?.restart()
      return
    }
    statistics.displayed(after: interval)
    fit.add(interval)
    grid?.shown(after: interval)
  }

  /// Counts an image that was shown after that many vsyncs without a new one.
  mutating func shown(afterGap gap: Int, interval: Int64?, isPartial: Bool = false) {
    displayChanges += 1
    if isPartial { partial = (partial ?? 0) + 1 }
    if let interval, interval > 0 { statistics.displayed(after: interval) }
    statistics.vsyncs.shown(afterGap: gap)
  }

  /// Counts vsyncs that no frame met, over `interval` nanoseconds where that is known.
  mutating func missed(_ vsyncs: Int, interval: Int64? = nil) {
    guard vsyncs > 0 else { return }
    statistics.vsyncs.missed(vsyncs)
    if let interval { statistics.displayed(after: interval) }
  }

  /// Says that the log tells partial updates from whole ones.
  mutating func tellsPartial() { partial = partial ?? 0 }

  /// Takes what was counted by vsyncs that the log itself has.
  mutating func take(_ timeline: ScreenTimeline<Distribution>) {
    statistics = timeline.statistics
    spans.animationErrors = timeline.animationErrors
    displayChanges = statistics.vsyncs.presented
  }

  /// Lets the grid's counts be those of the log.
  mutating func countByGrid() {
    if let grid { statistics.vsyncs = grid.counts }
  }
}

extension RefreshRate {
  /// Whether the two are within 2 %: clocks read the same rate that differently.
  func isAbout(_ other: RefreshRate) -> Bool { abs(hertz / other.hertz - 1) < 0.02 }
}
