/// Why a frame left vsyncs without a new picture before it.
public struct GapCauses: Hashable, Sendable {
  /// Why it began too late for some of them.
  public var begin: Cause?
  /// Why it was not ready by the vsync that was to show it.
  public var own: Cause?

  /// - Parameters:
  ///   - begin: why it began too late for some of them.
  ///   - own: why it was not ready by the vsync that was to show it.
  public init(begin: Cause? = nil, own: Cause? = nil) { (self.begin, self.own) = (begin, own) }
}

/// Frames whose vsyncs are known, in their order, on their way into statistics.
public struct ScreenTimeline<Sample: SpanSample>: Sendable {
  /// The statistics of the frames so far.
  public private(set) var statistics: FrameStatistics<Sample>
  /// By vsync, the age of the frame on the screen; nil if not recorded.
  public private(set) var ages: Sample?
  /// By frame that was shown, how long ago it had begun.
  public private(set) var presentTimes = Sample()
  /// Of each image that was shown, by how much it came sooner or later after the one before than their vsyncs are apart.
  public var animationErrors: Sample {
    var all = errors
    all.add(0, times: withoutError)
    return all
  }
  /// Those that are not 0, which few are, and how many are.
  private var errors = Sample()
  private var withoutError = 0
  private let refresh: RefreshRate
  /// The newest frames, which the run's end may cut off before they are shown.
  private var pending: [Frame] = []
  /// Where the image before was shown, and where its frame began.
  private var shown: (vsync: Int, at: Int64)
  /// The vsync of that frame, and when it was.
  private var begun = -1
  private var begin: Int64

  private struct Frame: Sendable {
    let begin: Int
    let gap: DisplayGap
    let causes: GapCauses
  }

  /// - Parameters:
  ///   - refresh: the display's rate.
  ///   - deadline: how many vsyncs behind its own a frame is to be shown.
  ///   - isOnDemand: whether there are vsyncs that want no frame; then ages say nothing.
  ///   - keepsAges: whether the age of what the screen shows is asked for.
  public init(
    refresh: RefreshRate, deadline: Int = 1, isOnDemand: Bool = false, keepsAges: Bool = false
  ) {
    self.refresh = refresh
    statistics = FrameStatistics(refresh: refresh)
    statistics.isOnDemand = isOnDemand
    ages = keepsAges && !isOnDemand ? Sample() : nil
    // Until the first frame is shown, the warm-up's last is on the screen, which began a period before time 0.
    begin = -refresh.period.nanoseconds
    shown = (deadline - 1, refresh.vsync(deadline - 1).nanoseconds)
  }

  /// Counts the work of a frame: `work` from its vsync to its end, `span` from its begin to its end.
  public mutating func worked(_ work: TimeSpan, sinceBegin span: TimeSpan) {
    statistics.worked(work, sinceBegin: span)
  }

  /// Counts the two stages of a frame.
  public mutating func staged(_ frame: FrameInstants) { statistics.staged(frame) }

  /// Counts the long tasks of the main thread, all of them at once.
  public mutating func count(_ tasks: LongTasks) { statistics.longTasks = tasks }

  /// Counts frames that were not ready by the vsync that was to show them, those that waited for a buffer, and those that
  /// began more than a period behind their vsync.
  public mutating func count(missed: Int, stuffed: Int, lateBegins: Int) {
    statistics.missed += missed
    statistics.stuffed += stuffed
    statistics.lateBegins += lateBegins
  }

  /// Counts a frame of vsync `begin` that is to be shown behind `gap`, for which there are `causes`.
  public mutating func show(begin: Int, _ gap: DisplayGap, _ causes: GapCauses = GapCauses()) {
    showPending(by: begin)
    pending.append(Frame(begin: begin, gap: gap, causes: causes))
  }

  /// Ends with vsync `last`, the last of the run. A frame that was to be shown later is not: what was missed until the
  /// end, was missed for its causes.
  public mutating func end(at last: Int) {
    showPending(by: last)
    let next = pending.first
    guard last > shown.vsync, next != nil || !statistics.isOnDemand else { return }
    let gap = DisplayGap(
      from: max(shown.vsync + 1, next?.gap.first ?? 0), to: last + 1, due: next?.gap.due ?? 0)
    statistics.vsyncs.missed(gap, next?.causes ?? GapCauses())
    statistics.displayed(after: refresh.vsync(last).nanoseconds - shown.at)
    age(through: last)
    shown.vsync = last
  }

  /// Shows what is shown by `vsync`.
  private mutating func showPending(by vsync: Int) {
    while let frame = pending.first, frame.gap.shown <= vsync {
      pending.removeFirst()
      show(frame)
    }
  }

  private mutating func show(_ frame: Frame) {
    let now = refresh.vsync(frame.gap.shown).nanoseconds
    statistics.vsyncs.shown(frame.gap, frame.causes)
    statistics.displayed(after: now - shown.at)
    age(through: frame.gap.shown - 1)
    let error = abs((frame.gap.shown - shown.vsync) - (frame.begin - begun))
    if error == 0 { withoutError += 1 } else { errors.add(refresh.vsync(error).nanoseconds) }
    begun = frame.begin
    begin = refresh.vsync(frame.begin).nanoseconds
    shown = (frame.gap.shown, now)
    ages?.add(now - begin)
    presentTimes.add(now - begin)
  }

  /// The image on the screen stays there through `last`.
  private mutating func age(through last: Int) {
    guard ages != nil else { return }
    for vsync in stride(from: shown.vsync + 1, through: last, by: 1) {
      let age = refresh.vsync(vsync).nanoseconds - begin
      ages?.add(age)
    }
  }
}
