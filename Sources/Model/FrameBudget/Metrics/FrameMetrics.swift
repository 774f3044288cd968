/// The metrics of the frames of a run or a log. `MetricCatalog` has the formula of each.
@dynamicMemberLookup
public struct FrameMetrics: Sendable {
  /// New images and gaps at vsyncs.
  public let vsyncs: VsyncCounts
  /// Frames by what happened to them.
  public let counts: FrameCounts
  /// From the vsync that a frame was asked for to the end of its work, in nanoseconds.
  public let frameTimes: Percentiles
  /// At each vsync, the age of the frame on the screen, in nanoseconds; empty if not recorded.
  public let vsyncAges: Percentiles
  /// From a frame's vsync to its start, without the app's work on the main thread meanwhile, in nanoseconds; empty without a
  /// real clock.
  public let wakeups: Percentiles
  /// From a frame's vsync to the one that showed it, in nanoseconds.
  public let presentTimes: Percentiles
  /// Spans of frames as platforms define them.
  public let times: FrameTimes
  /// Long tasks of the main thread.
  public let longTasks: LongTasks
  /// Images per second in the slowest hundredth of the time.
  public let low1PercentFPS: Double?
  /// Images per second in the slowest thousandth of the time.
  public let low01PercentFPS: Double?
  /// Images per second over the whole duration.
  public let averageFPS: Double?
  /// The duration of the run or log.
  public let duration: TimeSpan
  private let refresh: RefreshRate?
  private let isOnDemand: Bool

  /// Metrics from `statistics` over `duration`; missing samples are empty.
  ///
  /// Without vsyncs, `images` is the number of shown images.
  public init<Sample>(
    _ statistics: FrameStatistics<Sample>, over duration: TimeSpan, images: Int? = nil,
    frameTimes: Percentiles,
    vsyncAges: Percentiles = Percentiles([]), wakeups: Percentiles = Percentiles([]),
    presentTimes: Percentiles = Percentiles([]), times: FrameTimes = FrameTimes()
  ) {
    (vsyncs, counts, longTasks) = (statistics.vsyncs, statistics.counts, statistics.longTasks)
    self.times = times
    isOnDemand = statistics.isOnDemand
    let isPaced = !isOnDemand
    func low(_ interval: Int64?) -> Double? {
      interval.flatMap { $0 > 0 && isPaced ? 1e9 / Double($0) : nil }
    }
    low1PercentFPS = low(statistics.intervals.longestHundredth)
    low01PercentFPS = low(statistics.intervals.longest(partOf: 1000))
    (self.frameTimes, self.vsyncAges, self.wakeups) = (frameTimes, vsyncAges, wakeups)
    self.presentTimes = presentTimes
    averageFPS =
      duration > .zero && isPaced ? Double(images ?? vsyncs.presented) / duration.inSeconds : nil
    self.duration = duration
    refresh = statistics.refresh
  }

  /// Metrics of the frames of a run of this duration.
  public init(_ log: FrameLog, duration: TimeSpan) {
    var timeline = ScreenTimeline<Tally>(
      refresh: log.refresh, deadline: log.deadline, isOnDemand: log.isOnDemand, keepsAges: true)
    var drops = log.drops[...]
    for frame in log.begins.indices {
      let work = TimeSpan(nanoseconds: log.works[frame])
      timeline.worked(work, sinceBegin: work - TimeSpan(nanoseconds: log.lateness[frame]))
      let (gap, causes) = log.gap(before: frame, &drops)
      timeline.show(begin: Int(log.begins[frame]), gap, causes)
    }
    log.forEachFrame { timeline.staged($0) }
    timeline.count(missed: log.missed, stuffed: log.stuffed, lateBegins: log.lateBegins)
    for hang in log.turnHangs { timeline.hung(hang.span) }
    timeline.count(log.longTasks)
    timeline.end(at: log.vsyncs)
    let works = Percentiles(log.works)
    self.init(
      timeline.statistics, over: duration, frameTimes: works,
      vsyncAges: Percentiles(timeline.ages ?? Tally()), wakeups: Percentiles(log.wakeups),
      presentTimes: Percentiles(timeline.presentTimes),
      times: FrameTimes(
        log, works: works, animationErrors: Percentiles(timeline.animationErrors)))
  }

  /// The counts of `vsyncs`.
  public subscript<Value>(dynamicMember count: KeyPath<VsyncCounts, Value>) -> Value {
    vsyncs[keyPath: count]
  }

  /// The counts of `counts`.
  public subscript<Value>(dynamicMember count: KeyPath<FrameCounts, Value>) -> Value {
    counts[keyPath: count]
  }

  /// The share of all frames, in percent; nil without a frame.
  func share(of count: Int) -> Double? {
    counts.frames == 0 ? nil : 100 * Double(count) / Double(counts.frames)
  }

  /// Dropped vsyncs by cause, in the order of `Cause.allCases`.
  public var drops: [Int] { vsyncs.drops }

  /// Dropped vsyncs with this cause.
  package func drops(by cause: Cause) -> Int { vsyncs.drops[Int(cause.rawValue)] }

  /// Dropped vsyncs as a share of the expected ones, in percent; nil if no frame was expected.
  public var droppedPercent: Double? {
    vsyncs.expected == 0 ? nil : 100 * Double(vsyncs.dropped) / Double(vsyncs.expected)
  }
  /// The total time of dropped vsyncs, in milliseconds; 0 without a rate.
  public var hitchTotal: Double { refresh?.milliseconds(ofPeriods: vsyncs.dropped) ?? 0 }
  /// The longest gap, in milliseconds; 0 without a rate.
  public var hitchMax: Double { refresh?.milliseconds(ofPeriods: vsyncs.longestGap) ?? 0 }
  /// The time in which frames were wanted, in seconds: the whole duration or, on demand, the expected vsyncs.
  private var wantedTime: Double {
    isOnDemand ? (refresh?.milliseconds(ofPeriods: vsyncs.expected) ?? 0) / 1e3 : duration.inSeconds
  }
  /// Dropped time in milliseconds per second in which frames were wanted; nil if none was wanted.
  public var hitchRatio: Double? { wantedTime > 0 ? hitchTotal / wantedTime : nil }
}

/// Statistics of frames, updated frame by frame: the common definition for runs, the live view and imported logs.
///
/// It counts display gaps, the vsyncs between one new image and the next, and not the lateness of frames. Both are the same if
/// each frame begins when the previous one is shown; only gaps are right if several frames are under way at once. Each source
/// adds the data that it has: the duration of a frame, the number of vsyncs after which it was shown, and the reason.
@dynamicMemberLookup
public struct FrameStatistics<Sample: SpanSample>: Sendable {
  /// Nil while it is unknown.
  public private(set) var refresh: RefreshRate?
  /// New images and gaps at vsyncs.
  public var vsyncs: VsyncCounts
  /// Times between images on the screen.
  public private(set) var intervals = Sample()
  /// Frames by what happened to them.
  public internal(set) var counts = FrameCounts()
  /// Whether some vsyncs want no frame; then images per second have no meaning.
  public internal(set) var isOnDemand = false
  /// Long tasks of the main thread.
  public var longTasks = LongTasks()

  /// Creates empty statistics.
  public init(refresh: RefreshRate?) {
    self.refresh = refresh
    vsyncs = VsyncCounts(refresh: refresh)
  }

  /// The counts of `counts`.
  public subscript<Value>(dynamicMember count: KeyPath<FrameCounts, Value>) -> Value {
    counts[keyPath: count]
  }

  /// Changes the rate of the display; seconds keep the number of vsyncs of the first rate.
  public mutating func use(_ refresh: RefreshRate) {
    self.refresh = refresh
    vsyncs.use(refresh)
  }

  /// Counts the work of a frame: `work` from the vsync it was asked for to its end, `span` from its start to its end. Both
  /// may be too long by less than `resolution`, the rounding of the log.
  public mutating func worked(
    _ work: TimeSpan, sinceBegin span: TimeSpan, resolution: TimeSpan = .nanoseconds(1)
  ) {
    let least = work - resolution + .nanoseconds(1)
    counts.frames += 1
    if let refresh, refresh.isOverBudget(least) {
      counts.overBudget += 1
      if least > refresh.vsync(FrameThresholds.jankPeriods).sinceZero { counts.jank += 1 }
    }
    if work > FrameThresholds.frozen { counts.frozen += 1 }
    hung(span)
  }

  /// Counts a stretch in which the main loop did not return to its sources, a frame or a turn of its queue, if it is a hang.
  public mutating func hung(_ span: TimeSpan) {
    if span > FrameThresholds.hang { counts.add(hang: span) }
  }

  /// Counts the two stages of a frame.
  public mutating func staged(_ frame: FrameInstants) {
    if let build = frame.build { built(build) }
    if let raster = frame.raster { rasterized(raster) }
  }

  /// Counts the main thread's part of a frame, in nanoseconds.
  public mutating func built(_ span: Int64) {
    if span > FrameThresholds.flutterBudget.nanoseconds { counts.slowBuilds += 1 }
  }

  /// Counts the second stage of a frame, in nanoseconds.
  public mutating func rasterized(_ span: Int64) {
    if span > FrameThresholds.flutterBudget.nanoseconds { counts.slowRasters += 1 }
  }

  /// Counts a frame that was not ready by the vsync that should have shown it.
  public mutating func missedDeadline() { counts.deadlinesMissed += 1 }

  /// Counts a frame that began more than a period after its vsync.
  public mutating func beganLate() { counts.lateBegins += 1 }

  /// Counts a frame that had to wait for a buffer.
  public mutating func waitedForBuffer() { counts.stuffed += 1 }

  /// Counts an image that came `interval` nanoseconds after the previous one.
  public mutating func displayed(after interval: Int64) { intervals.add(interval) }
}

/// Frames, shown or not, by what happened to them.
public struct FrameCounts: Sendable {
  /// Creates counts of 0.
  package init() {}

  /// All frames.
  public internal(set) var frames = 0
  /// Frames whose work took longer than a period.
  public internal(set) var overBudget = 0
  /// Frames whose work took longer than `FrameThresholds.jankPeriods` periods.
  public internal(set) var jank = 0
  /// Frames whose work took longer than `FrameThresholds.frozen`.
  public internal(set) var frozen = 0
  /// Stretches of the main loop, frames and turns of its queue, of more than `FrameThresholds.hang`.
  public private(set) var hangs = 0
  /// Hangs of at most `FrameThresholds.microhang`.
  public private(set) var microhangs = 0
  /// Hangs of more than `FrameThresholds.severeHang`.
  public private(set) var severeHangs = 0
  /// The total duration of hangs; at most 292 years.
  public private(set) var hangTotal = TimeSpan.zero
  /// Frames that were not ready by the vsync that should have shown them.
  public internal(set) var deadlinesMissed = 0
  /// Frames that had to wait for a buffer.
  public internal(set) var stuffed = 0
  /// Frames that began more than a period after their vsync.
  public internal(set) var lateBegins = 0
  /// Frames that took longer than `FrameThresholds.flutterBudget` on the main thread.
  public internal(set) var slowBuilds = 0
  /// Frames that took longer than that in the second stage.
  public internal(set) var slowRasters = 0

  /// Hangs in Instruments' sense, without microhangs and severe hangs.
  public var fullHangs: Int { hangs - microhangs - severeHangs }

  /// Counts a hang of this duration.
  package mutating func add(hang span: TimeSpan) {
    hangs += 1
    if span <= FrameThresholds.microhang { microhangs += 1 }
    if span > FrameThresholds.severeHang { severeHangs += 1 }
    hangTotal.nanoseconds = hangTotal.nanoseconds.addingClamped(span.nanoseconds)
  }
}

/// The thresholds of platforms, with their sources.
public enum FrameThresholds {
  /// A main loop that does not return to its sources for longer than this hangs (Apple, "Understanding hangs in your app").
  public static let hang = TimeSpan.milliseconds(250)
  /// Instruments calls hangs up to this duration microhangs (Apple, "Analyze hangs with Instruments", WWDC23).
  public static let microhang = TimeSpan.milliseconds(500)
  /// Instruments calls longer hangs severe.
  public static let severeHang = TimeSpan.seconds(2)
  /// Frames that take longer are frozen (Android vitals, "Slow rendering").
  public static let frozen = TimeSpan.milliseconds(700)
  /// Frames of more than this many periods are jank (AndroidX JankStats 1.0, `jankHeuristicMultiplier`).
  public static let jankPeriods = 2
  /// The budget for building, or rasterizing, a frame at any refresh rate (Flutter 3, `kBuildBudget`).
  public static let flutterBudget = TimeSpan.milliseconds(16)
  /// Longer tasks of the main thread are long tasks, and the time beyond it is blocking time (W3C, "Long Tasks API").
  public static let longTask = TimeSpan.milliseconds(50)
}

/// Tasks that occupy the main thread for longer than `FrameThresholds.longTask`.
public struct LongTasks: Hashable, Sendable {
  /// The number of long tasks.
  public private(set) var count = 0
  /// The total time beyond the threshold, at most 292 years.
  public private(set) var blocking = TimeSpan.zero

  /// Creates an empty count.
  public init() {}

  /// Counts a task of this duration, if it is long.
  public mutating func ran(_ span: TimeSpan) {
    guard span > FrameThresholds.longTask else { return }
    count += 1
    blocking.nanoseconds = blocking.nanoseconds.addingClamped(
      (span - FrameThresholds.longTask).nanoseconds)
  }
}

/// The new images at vsyncs, and the vsyncs without one, counted one by one.
public struct VsyncCounts: Sendable {
  /// Vsyncs at which a new frame was shown.
  public private(set) var presented = 0
  /// Vsyncs at which no new frame was shown.
  public private(set) var dropped = 0
  /// Dropped vsyncs by cause, as far as causes are known.
  public private(set) var drops = Array(repeating: 0, count: Cause.allCases.count)
  /// The number of gaps of one or more consecutive vsyncs without a new frame.
  public private(set) var hitches = 0
  /// The most consecutive vsyncs without a new frame.
  public private(set) var longestGap = 0
  private var window: DropWindow?

  /// Without a rate there are no figures per second.
  public init(refresh: RefreshRate?) {
    if let refresh { use(refresh) }
  }

  mutating func use(_ refresh: RefreshRate) {
    guard window == nil else { return }
    window = DropWindow(vsyncs: refresh.vsyncs(through: .zero + .seconds(1)))
  }

  /// Vsyncs so far.
  public var expected: Int { presented + dropped }

  /// The largest share of dropped vsyncs in any second, in percent.
  public var worstSecondPercent: Double? { window?.worstPercent }

  /// Dropped vsyncs within the second that ended with the newest one.
  public var droppedLastSecond: Int { window?.now ?? 0 }

  /// Counts a frame that was shown after `gap` vsyncs without a new one.
  public mutating func shown(afterGap gap: Int) {
    missed(gap)
    presented += 1
    window?.shown()
  }

  /// Counts a frame that was shown after a gap, part of which it may have missed by beginning late.
  mutating func shown(_ gap: DisplayGap, _ causes: GapCauses) {
    missed(gap, causes)
    presented += 1
    window?.shown()
  }

  /// Counts a gap that no frame ended, with its causes.
  mutating func missed(_ gap: DisplayGap, _ causes: GapCauses) {
    missed(gap.vsyncs)
    if let cause = causes.begin { drops[Int(cause.rawValue)] += gap.late }
    if let cause = causes.own { drops[Int(cause.rawValue)] += gap.own }
  }

  /// Counts a gap that no frame ended.
  public mutating func missed(_ gap: Int) {
    guard gap > 0 else { return }
    dropped += gap
    hitches += 1
    longestGap = max(longestGap, gap)
    window?.missed(gap)
  }
}

/// The largest number of dropped vsyncs in any second, updated vsync by vsync.
struct DropWindow: Sendable {
  private var dropped: [Bool]
  private var next = 0
  /// The number of dropped vsyncs in the newest second.
  private(set) var now = 0
  private(set) var seen = 0
  private(set) var worst = 0

  /// A window of `vsyncs` vsyncs.
  init(vsyncs: Int) { dropped = Array(repeating: false, count: max(1, vsyncs)) }

  /// Records a vsync at which a new frame was shown.
  mutating func shown() { push(false) }

  /// Records vsyncs without a new frame.
  mutating func missed(_ vsyncs: Int) {
    // More vsyncs than a window give the same result.
    for _ in 0..<min(vsyncs, dropped.count) { push(true) }
  }

  /// In percent of the window, or of all vsyncs if they are fewer.
  var worstPercent: Double? {
    let length = min(seen, dropped.count)
    return length == 0 ? nil : 100 * Double(worst) / Double(length)
  }

  private mutating func push(_ isDropped: Bool) {
    if dropped[next] { now -= 1 }
    dropped[next] = isDropped
    if isDropped { now += 1 }
    next = next + 1 == dropped.count ? 0 : next + 1
    seen += 1
    worst = max(worst, now)
  }
}
