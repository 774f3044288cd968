import FrameBudget

/// Totals of the frames of one process and swap chain, counted while reading.
///
/// A frame's time counts as `E - V(b)` and also as `E - begin`, because only the project's own logs have the begin.
struct FrameTally: Sendable {
  /// What a log records: times of one of two kinds, or the vsyncs themselves.
  enum TimeSource: Sendable {
    /// When images appeared on the screen.
    case screen
    /// When the app had finished the images.
    case app
    /// The log has the vsyncs without a new frame.
    case vsyncs
  }

  let clock: TimeSource
  private(set) var statistics: FrameStatistics<Distribution>
  private(set) var frameTimes = Distribution()
  /// Other times of each frame in the log; empty if the log has none.
  var spans = FrameSpans<Distribution>()
  /// Whether the log has the main thread's work between frames.
  var knowsTasks = false
  private(set) var displayChanges = 0
  /// Nil if the log does not have them.
  private(set) var superseded: Int?
  /// Images shown without the main thread's part; nil if the log does not distinguish them.
  private(set) var partial: Int?
  private(set) var grid: DisplayGrid?
  private(set) var fit = RateFit()
  /// The rate of `--hz`.
  let requested: RefreshRate?
  /// Whether the log has several rates.
  private(set) var hasSeveralRates = false
  /// Images of presents that do not wait for a vsync.
  private(set) var unsynced = 0
  /// The resolution of frame times in the log: the largest power of ten, at most a millisecond, that divides all of them so
  /// far.
  private var resolution: Int64 = 1_000_000
  var issues = LogIssues()

  init(refresh: RefreshRate?, clock: TimeSource) {
    self.clock = clock
    requested = refresh
    statistics = FrameStatistics(refresh: refresh)
    if clock != .vsyncs { grid = refresh.map { DisplayGrid($0) } }
  }

  var refresh: RefreshRate? { statistics.refresh }
  private var isRateFromLog = false

  /// Changes the rate of the following vsyncs to that of the log.
  mutating func use(_ refresh: RefreshRate) {
    if isRateFromLog, let known = self.refresh, known.isAbout(refresh) { return }
    // Nothing was counted at the rate of `--hz` yet.
    if !isRateFromLog, statistics.frames == 0, statistics.intervals.count == 0 {
      statistics = FrameStatistics(refresh: nil)
    }
    hasSeveralRates = isRateFromLog
    isRateFromLog = true
    statistics.use(refresh)
    guard clock != .vsyncs else { return }
    if grid == nil { grid = DisplayGrid(refresh) } else { grid?.use(refresh) }
  }

  /// Counts a frame that took `work` nanoseconds from its vsync, and `span` from its start.
  mutating func frame(_ work: Int64, sinceBegin span: Int64? = nil) {
    frameTimes.add(work)
    while work % resolution != 0 { resolution /= 10 }
    statistics.worked(
      .nanoseconds(work), sinceBegin: .nanoseconds(span ?? work),
      resolution: .nanoseconds(resolution))
  }

  /// Records only a frame's time; the caller counts the rest.
  mutating func timed(_ work: Int64) { frameTimes.add(work) }

  /// Counts an image with content that advanced by `error` nanoseconds more or less than the elapsed time.
  mutating func moved(wrongBy error: Int64) {
    spans.animationErrors.add(abs(error))
  }

  /// Records the time between the vsyncs of two frames, in which none was wanted if it is long.
  mutating func rested(_ span: Int64) {
    issues.rested(span)
    // Over a longer time, a rate that is off by little looks like another one.
    if span < FrameThresholds.hang.nanoseconds { fit.add(span) }
  }

  /// Counts a time in which the thread did not draw, in nanoseconds, if it is a hang.
  mutating func hung(_ span: Int64) { statistics.hung(.nanoseconds(span)) }

  mutating func missedDeadline() { statistics.missedDeadline() }
  mutating func beganLate() { statistics.beganLate() }
  mutating func waitedForBuffer() { statistics.waitedForBuffer() }

  mutating func supersede() { superseded = (superseded ?? 0) + 1 }

  /// Records that the log has presents that were superseded.
  mutating func distinguishSuperseded() { superseded = superseded ?? 0 }

  /// Counts the main thread's part of a frame, and the second stage of one, in nanoseconds.
  mutating func built(_ span: Int64) {
    statistics.built(span)
    spans.builds.add(span)
  }
  mutating func rasterized(_ span: Int64) {
    statistics.rasterized(span)
    spans.rasters.add(span)
  }

  /// Counts a new image on the screen, `interval` nanoseconds after the previous one, if known.
  ///
  /// An image that was replaced at once was never on the screen: it was superseded.
  mutating func shown(after interval: Int64?, waitsForVsync: Bool = true) {
    if interval == 0 {
      issues.countZeroDuration()
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

  /// Counts an image that was shown after `gap` vsyncs without a new one.
  mutating func shown(afterGap gap: Int, interval: Int64?, isPartial: Bool = false) {
    displayChanges += 1
    if isPartial { partial = (partial ?? 0) + 1 }
    if let interval, interval > 0 { statistics.displayed(after: interval) }
    statistics.vsyncs.shown(afterGap: gap)
  }

  /// Counts vsyncs without a frame, over `interval` nanoseconds if known.
  mutating func missed(_ vsyncs: Int, interval: Int64? = nil) {
    guard vsyncs > 0 else { return }
    statistics.vsyncs.missed(vsyncs)
    if let interval { statistics.displayed(after: interval) }
  }

  /// Records that the log distinguishes partial updates.
  mutating func distinguishPartialFrames() { partial = partial ?? 0 }

  /// Takes the counts from the log's own vsyncs.
  mutating func take(_ timeline: ScreenTimeline<Distribution>) {
    statistics = timeline.statistics
    spans.animationErrors = timeline.animationErrors
    displayChanges = statistics.vsyncs.presented
  }

  /// Uses the counts of the grid.
  mutating func countByGrid() {
    if let grid { statistics.vsyncs = grid.counts }
  }
}

extension RefreshRate {
  /// Whether the two are within 2 %, the tolerance between clocks.
  func isAbout(_ other: RefreshRate) -> Bool { abs(hertz / other.hertz - 1) < 0.02 }
}
