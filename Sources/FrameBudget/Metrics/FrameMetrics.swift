/// The metrics of the frames of a run, or of a log. `MetricCatalog` has the formula of each.
public struct FrameMetrics: Sendable {
  /// Vsyncs of the run: those with a new frame and those without.
  public let expected: Int
  /// Vsyncs at which a new frame was shown.
  public let presented: Int
  /// Dropped vsyncs by cause, in the order of `Cause.allCases`.
  public let drops: [Int]
  /// Frames, shown or not.
  public let frames: Int
  /// Frames whose work took longer than a period.
  public let overBudget: Int
  /// Frames whose work took longer than `FrameThresholds.jankPeriods` periods.
  public let jank: Int
  /// Frames whose work took longer than `FrameThresholds.frozen`.
  public let frozen: Int
  /// How often one or more vsyncs in a row had no new frame.
  public let hitches: Int
  /// Most vsyncs in a row without a new frame.
  public let longestGap: Int
  /// Frames whose work took longer than `FrameThresholds.hang` from their begin.
  public let hangs: Int
  /// Of those, the ones that took no longer than `FrameThresholds.microhang`.
  public let microhangs: Int
  /// Of those, the ones that took longer than `FrameThresholds.severeHang`.
  public let severeHangs: Int
  /// What all those frames took together, from their begins.
  public let hangTotal: TimeSpan
  /// From a frame's vsync to the end of its work, in nanoseconds.
  public let frameTimes: Percentiles
  /// At each vsync, the age of the frame on the screen, in nanoseconds; empty if not recorded.
  public let vsyncAges: Percentiles
  /// From a frame's vsync to its begin, less what the app did on the main thread meanwhile, in nanoseconds; empty without a
  /// real clock.
  public let wakeups: Percentiles
  /// From a frame's vsync to the one that showed it, in nanoseconds.
  public let presentTimes: Percentiles
  /// Frames that were not ready by the vsync that was to show them.
  public let deadlinesMissed: Int
  /// Frames that had to wait for a buffer.
  public let stuffed: Int
  /// Frames that began more than a period behind their vsync.
  public let lateBegins: Int
  /// Spans of frames by platforms' definitions.
  public let times: FrameTimes
  /// Frames that took longer than `FrameThresholds.flutterBudget` on the main thread.
  public let slowBuilds: Int
  /// Frames that took longer than that in the second stage.
  public let slowRasters: Int
  /// Tasks of the main thread that took long.
  public let longTasks: LongTasks
  /// The largest share of dropped vsyncs in any second, in percent; nil without a whole second.
  public let worstSecondPercent: Double?
  /// Dropped vsyncs within the second that ended with the newest one: of a run under way.
  public let droppedLastSecond: Int
  /// Images per second in the slowest hundredth of the time.
  public let low1PercentFPS: Double?
  /// Images per second in the slowest thousandth of the time.
  public let low01PercentFPS: Double?
  /// Images per second over the whole of it.
  public let averageFPS: Double?
  /// How long it lasted.
  public let duration: TimeSpan
  private let refresh: RefreshRate?
  private let isOnDemand: Bool

  /// Metrics from `statistics` over `duration`; samples that were not taken are empty.
  ///
  /// Without vsyncs `images` says how many were shown.
  public init<Sample>(
    _ statistics: FrameStatistics<Sample>, over duration: TimeSpan, images: Int? = nil,
    frameTimes: Percentiles,
    vsyncAges: Percentiles = Percentiles([]), wakeups: Percentiles = Percentiles([]),
    presentTimes: Percentiles = Percentiles([]), times: FrameTimes = FrameTimes()
  ) {
    let vsyncs = statistics.vsyncs
    (expected, presented, drops) = (vsyncs.expected, vsyncs.presented, vsyncs.drops)
    (hitches, longestGap) = (vsyncs.hitches, vsyncs.longestGap)
    worstSecondPercent = vsyncs.worstSecondPercent
    droppedLastSecond = vsyncs.droppedLastSecond
    (frames, overBudget) = (statistics.frames, statistics.overBudget)
    (jank, frozen) = (statistics.jank, statistics.frozen)
    (hangs, hangTotal) = (statistics.hangs, statistics.hangTotal)
    (microhangs, severeHangs) = (statistics.microhangs, statistics.severeHangs)
    (slowBuilds, slowRasters) = (statistics.slowBuilds, statistics.slowRasters)
    longTasks = statistics.longTasks
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
    (deadlinesMissed, stuffed) = (statistics.missed, statistics.stuffed)
    lateBegins = statistics.lateBegins
    averageFPS =
      duration > .zero && isPaced ? Double(images ?? vsyncs.presented) / duration.inSeconds : nil
    self.duration = duration
    refresh = statistics.refresh
  }

  /// Metrics of the frames of a run that lasted for `duration`.
  public init(_ log: FrameLog, duration: TimeSpan) {
    var timeline = ScreenTimeline<Tally>(
      refresh: log.refresh, deadline: log.deadline, isOnDemand: log.isOnDemand, keepsAges: true)
    var drops = log.drops[...]
    for frame in log.begins.indices {
      let work = TimeSpan(nanoseconds: log.works[frame])
      // In virtual time a hang counts from the vsync, as what the frame waited for hangs as well.
      let lateness = log.hasRealClock ? log.lateness[frame] : 0
      timeline.worked(work, sinceBegin: work - TimeSpan(nanoseconds: lateness))
      let (gap, causes) = log.gap(before: frame, &drops)
      timeline.show(begin: Int(log.begins[frame]), gap, causes)
    }
    log.forEachFrame { timeline.staged($0) }
    timeline.count(missed: log.missed, stuffed: log.stuffed, lateBegins: log.lateBegins)
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

  /// Microhangs and severe hangs left out, what Instruments calls a hang.
  public var fullHangs: Int { hangs - microhangs - severeHangs }

  /// The share of all frames, in percent; nil without a frame.
  func share(of count: Int) -> Double? {
    frames == 0 ? nil : 100 * Double(count) / Double(frames)
  }

  /// Dropped vsyncs with this cause.
  package func drops(by cause: Cause) -> Int { drops[Int(cause.rawValue)] }

  /// Vsyncs at which no new frame was shown.
  public var dropped: Int { expected - presented }
  /// Their share of the expected ones, in percent; nil where none was expected.
  public var droppedPercent: Double? {
    expected == 0 ? nil : 100 * Double(dropped) / Double(expected)
  }
  /// In milliseconds; 0 without a rate.
  public var hitchTotal: Double { refresh?.milliseconds(ofPeriods: dropped) ?? 0 }
  /// In milliseconds; 0 without a rate.
  public var hitchMax: Double { refresh?.milliseconds(ofPeriods: longestGap) ?? 0 }
  /// The time in which frames were wanted, in seconds: all of it, or on demand the expected vsyncs.
  private var wantedTime: Double {
    isOnDemand ? (refresh?.milliseconds(ofPeriods: expected) ?? 0) / 1e3 : duration.inSeconds
  }
  /// Dropped time per second in which frames were wanted, in milliseconds; nil where none was.
  public var hitchRatio: Double? { wantedTime > 0 ? hitchTotal / wantedTime : nil }
}

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

/// What was shown at vsyncs, and at how many of them nothing new was: counted as it comes.
public struct VsyncCounts: Sendable {
  /// Vsyncs at which a new frame was shown.
  public private(set) var presented = 0
  /// Vsyncs at which no new frame was shown.
  public private(set) var dropped = 0
  /// Dropped vsyncs by cause, as far as causes are known.
  public private(set) var drops = Array(repeating: 0, count: Cause.allCases.count)
  /// How often one or more vsyncs in a row had no new frame.
  public private(set) var hitches = 0
  /// Most vsyncs in a row without a new frame.
  public private(set) var longestGap = 0
  private var window: DropWindow?

  /// Without a rate nothing is known of seconds.
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

  /// Counts a frame that was shown behind a gap, some of which it may have missed by beginning late.
  mutating func shown(_ gap: DisplayGap, _ causes: GapCauses) {
    missed(gap, causes)
    presented += 1
    window?.shown()
  }

  /// Counts a gap that no frame ended, and why there was one.
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

/// The largest number of dropped vsyncs in any second, from vsyncs as they come.
struct DropWindow: Sendable {
  private var dropped: [Bool]
  private var next = 0
  /// How many of the newest second were dropped.
  private(set) var now = 0
  private(set) var seen = 0
  private(set) var worst = 0

  /// A window of `vsyncs` vsyncs.
  init(vsyncs: Int) { dropped = Array(repeating: false, count: max(1, vsyncs)) }

  /// Notes a vsync at which a new frame was shown.
  mutating func shown() { push(false) }

  /// Notes vsyncs without a new frame.
  mutating func missed(_ vsyncs: Int) {
    // More than a window of them leave the same behind.
    for _ in 0..<min(vsyncs, dropped.count) { push(true) }
  }

  /// In percent of the window, or of the whole where that is shorter.
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
