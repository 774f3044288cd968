/// What the frames of a run come to. Each property is a metric; `MetricCatalog` has its formula.
public struct FrameMetrics: Sendable {
  public let expected: Int
  public let presented: Int
  public let drops: [Int]  // by cause
  public let overBudget: Int
  public let frozen: Int
  public let hitches: Int
  public let longestGap: Int
  public let hangs: Int
  public let hangTotal: TimeSpan
  public let frameTimes: Percentiles
  public let vsyncAges: Percentiles
  public let wakeups: Percentiles
  public let worstSecondPercent: Double?
  public let low1PercentFPS: Double?
  private let refresh: RefreshRate

  /// Frames that take longer are frozen, says Android vitals.
  static let frozenFrame = TimeSpan.milliseconds(700)
  /// Apple's threshold for a hang.
  static let hang = TimeSpan.milliseconds(250)

  public init(_ log: FrameLog) {
    refresh = log.refresh
    expected = log.expected
    presented = log.presented
    drops = Self.dropsByCause(log)
    let works = log.works.lazy.map(TimeSpan.init(nanoseconds:))
    overBudget = works.count { log.refresh.isOverBudget($0) }
    frozen = works.count { $0 > Self.frozenFrame }
    let late = log.begins.indices.lazy.map(log.lateVsyncs)
    hitches = late.count { $0 > 0 }
    longestGap = late.max() ?? 0
    let spans = works.indices.lazy.map { frame in
      log.lateness.isEmpty
        ? works[frame] : works[frame] - TimeSpan(nanoseconds: log.lateness[frame])
    }
    hangs = spans.count { $0 > Self.hang }
    hangTotal = spans.filter { $0 > Self.hang }.reduce(.zero, +)
    frameTimes = Percentiles(log.works)
    let (ages, intervals) = Self.display(log)
    vsyncAges = Percentiles(ages)
    wakeups = Percentiles(log.lateness)
    worstSecondPercent = Self.worstSecond(log)
    low1PercentFPS = Self.low1Percent(intervals)
  }

  public var dropped: Int { expected - presented }
  public var droppedPercent: Double? {
    expected == 0 ? nil : 100 * Double(dropped) / Double(expected)
  }
  public var hitchTotal: Double { refresh.milliseconds(ofPeriods: dropped) }
  public var hitchMax: Double { refresh.milliseconds(ofPeriods: longestGap) }

  private static func dropsByCause(_ log: FrameLog) -> [Int] {
    var drops = Array(repeating: 0, count: Cause.allCases.count)
    for (frame, cause) in log.causes { drops[Int(cause.rawValue)] += log.lateVsyncs(frame) }
    return drops
  }

  /// By vsync, how long ago the frame on the screen began; and by frame, how long after the one before it was shown.
  ///
  /// Until the first frame is shown, the warm-up's last is on the screen, which began a period before time 0.
  private static func display(_ log: FrameLog) -> (ages: Tally, intervals: Tally) {
    var (ages, intervals) = (Tally(), Tally())
    guard !log.begins.isEmpty else { return (ages, intervals) }
    var begin = -log.refresh.period.nanoseconds
    // When the newest frame was shown, which is when the next one began.
    var shown: Int64 = 0
    var next = 0
    for vsync in stride(from: 1, through: log.expected, by: 1) {
      let now = log.refresh.vsync(vsync).nanoseconds
      if next < log.begins.count, log.shown(next) == vsync {
        intervals.add(now - shown)
        (begin, shown) = (shown, now)
        next += 1
      }
      ages.add(now - begin)
    }
    // The last frame, if the run ended before it was shown, has been waited for until then.
    let rest = log.refresh.vsync(log.expected).nanoseconds - shown
    if rest > 0 { intervals.add(rest) }
    return (ages, intervals)
  }

  /// The largest share of dropped vsyncs in any second of the run, in percent.
  private static func worstSecond(_ log: FrameLog) -> Double? {
    let window = min(log.expected, log.refresh.vsyncs(through: .zero + .seconds(1)))
    guard window > 0 else { return nil }
    // Frames are shown one after another, so those shown within a window stand side by side.
    var (shown, worst, first, end) = (0, 0, 0, 0)
    for vsync in stride(from: 1, through: log.expected, by: 1) {
      if end < log.begins.count, log.shown(end) == vsync {
        shown += 1
        end += 1
      }
      if first < end, log.shown(first) <= vsync - window {
        shown -= 1
        first += 1
      }
      worst = max(worst, min(vsync, window) - shown)
    }
    return 100 * Double(worst) / Double(window)
  }

  /// One over the display interval at which the longest ones make up 1 % of the time.
  private static func low1Percent(_ intervals: Tally) -> Double? {
    let all = zip(intervals.values, intervals.counts)
    let total = all.reduce(0) { $0 + $1.0 * Int64($1.1) }
    var longest: Int64 = 0
    for (interval, count) in all.reversed() {
      longest += interval * Int64(count)
      if longest * 100 >= total { return 1e9 / Double(interval) }
    }
    return nil
  }
}
