/// Statistics of frames, counted as they come: the one definition that runs, the live view and imported logs share.
///
/// It knows display gaps, the vsyncs between one new image and the next, rather than how late a frame was: both
/// are the same where each frame begins when the one before is shown, and only gaps count right where several are
/// under way at once. Each source says what it knows: how long a frame took, after how many vsyncs it was shown, why.
public struct FrameStatistics<Sample: SpanSample>: Sendable {
  /// Nil while it is unknown.
  public private(set) var refresh: RefreshRate?
  /// What was shown at which vsyncs.
  public var vsyncs: VsyncCounts
  /// Times between images on the screen.
  public private(set) var intervals = Sample()
  /// Frames so far, shown or not.
  public private(set) var frames = 0
  /// Frames whose work took longer than a period, so far.
  public private(set) var overBudget = 0
  /// Frames whose work took longer than `FrameThresholds.jankPeriods` periods, so far.
  public private(set) var jank = 0
  /// Frames whose work took longer than `FrameThresholds.frozen`, so far.
  public private(set) var frozen = 0
  /// Frames whose work took longer than `FrameThresholds.hang` from their begin, so far.
  public private(set) var hangs = 0
  /// Of those, frames whose work took no longer than `FrameThresholds.microhang`.
  public private(set) var microhangs = 0
  /// Of those, frames whose work took longer than `FrameThresholds.severeHang`.
  public private(set) var severeHangs = 0
  /// What all of them took together, at most 292 years.
  public private(set) var hangTotal = TimeSpan.zero
  /// Whether there are vsyncs that want no frame, so that images per second say nothing.
  public internal(set) var isOnDemand = false
  /// Frames that were not ready by the vsync that was to show them.
  public internal(set) var missed = 0
  /// Frames that had to wait for a buffer.
  public internal(set) var stuffed = 0
  /// Frames that began more than a period behind their vsync.
  public internal(set) var lateBegins = 0
  /// Frames that took longer than `FrameThresholds.flutterBudget` on the main thread.
  public private(set) var slowBuilds = 0
  /// Frames that took longer than that in the second stage.
  public private(set) var slowRasters = 0
  /// Tasks of the main thread that took long.
  public var longTasks = LongTasks()

  /// Nothing counted yet.
  public init(refresh: RefreshRate?) {
    self.refresh = refresh
    vsyncs = VsyncCounts(refresh: refresh)
  }

  /// From here on the display has another rate; seconds keep as many vsyncs as with the first one.
  public mutating func use(_ refresh: RefreshRate) {
    self.refresh = refresh
    vsyncs.use(refresh)
  }

  /// Counts the work of a frame: `work` from its vsync to its end, `span` from its begin to its end. Both may be too long by
  /// less than `resolution`, to which the log rounds them.
  public mutating func worked(
    _ work: TimeSpan, sinceBegin span: TimeSpan, resolution: TimeSpan = .nanoseconds(1)
  ) {
    let least = work - resolution + .nanoseconds(1)
    frames += 1
    if let refresh {
      if refresh.isOverBudget(least) {
        overBudget += 1
        if least > refresh.vsync(FrameThresholds.jankPeriods).sinceZero { jank += 1 }
      }
    }
    if work > FrameThresholds.frozen { frozen += 1 }
    if span > FrameThresholds.hang {
      hangs += 1
      if span <= FrameThresholds.microhang { microhangs += 1 }
      if span > FrameThresholds.severeHang { severeHangs += 1 }
      hangTotal.nanoseconds = hangTotal.nanoseconds.addingClamped(span.nanoseconds)
    }
  }

  /// Counts the two stages of a frame.
  public mutating func staged(_ frame: FrameInstants) {
    let budget = FrameThresholds.flutterBudget.nanoseconds
    if frame.build > budget { slowBuilds += 1 }
    if frame.raster > budget { slowRasters += 1 }
  }

  /// Counts a frame that was not ready by the vsync that was to show it.
  public mutating func missedDeadline() { missed += 1 }

  /// Counts a frame that had to wait for a buffer.
  public mutating func waitedForBuffer() { stuffed += 1 }

  /// Counts an image that came that many nanoseconds after the one before.
  public mutating func displayed(after interval: Int64) { intervals.add(interval) }
}

/// From where on a frame is more than a hitch, and who says so.
public enum FrameThresholds {
  /// A main thread that is busy for longer than this hangs (Apple, "Understanding hangs in your app").
  public static let hang = TimeSpan.milliseconds(250)
  /// Up to this Instruments calls a hang a microhang (Apple, "Analyze hangs with Instruments", WWDC23).
  public static let microhang = TimeSpan.milliseconds(500)
  /// Beyond this Instruments calls a hang severe.
  public static let severeHang = TimeSpan.seconds(2)
  /// Frames that take longer are frozen (Android vitals, "Slow rendering").
  public static let frozen = TimeSpan.milliseconds(700)
  /// Frames of more than this many periods are jank (AndroidX JankStats 1.0, `jankHeuristicMultiplier`).
  public static let jankPeriods = 2
  /// A frame may be built, or rasterized, for this long at any refresh rate (Flutter 3, `kBuildBudget`).
  public static let flutterBudget = TimeSpan.milliseconds(16)
  /// Tasks of the main thread that take longer are long, and what they take beyond it blocks (W3C, "Long Tasks API").
  public static let longTask = TimeSpan.milliseconds(50)
}

/// Tasks of the main thread that keep it from all else for longer than `FrameThresholds.longTask`.
public struct LongTasks: Hashable, Sendable {
  /// How many there were.
  public private(set) var count = 0
  /// What they took together beyond that, at most 292 years.
  public private(set) var blocking = TimeSpan.zero

  /// None yet.
  public init() {}

  /// Counts a task that took `span`, if it is a long one.
  public mutating func ran(_ span: TimeSpan) {
    guard span > FrameThresholds.longTask else { return }
    count += 1
    blocking.nanoseconds = blocking.nanoseconds.addingClamped(
      (span - FrameThresholds.longTask).nanoseconds)
  }
}
