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
