/// The causes of the vsyncs without a new picture before a frame.
public struct GapCauses: Hashable, Sendable {
  /// The cause for which it began too late for some of them.
  public var begin: Cause?
  /// The cause for which it was not ready by the vsync that should have shown it.
  public var own: Cause?

  /// - Parameters:
  ///   - begin: the cause for which it began too late for some of them.
  ///   - own: the cause for which it was not ready by the vsync that should have shown it.
  public init(begin: Cause? = nil, own: Cause? = nil) { (self.begin, self.own) = (begin, own) }
}

/// Adds frames with known vsyncs, in their order, to statistics.
public struct ScreenTimeline<Sample: SpanSample>: Sendable {
  /// The statistics of the frames so far.
  public private(set) var statistics: FrameStatistics<Sample>
  /// By vsync, the age of the frame on the screen; nil if not recorded.
  public private(set) var ages: Sample?
  /// By shown frame: from its vsync to the one that showed it.
  public private(set) var presentTimes = Sample()
  /// For each shown image: by how much the time since the previous image differs from the distance of their vsyncs.
  public var animationErrors: Sample {
    var all = errors
    all.add(0, times: withoutError)
    return all
  }
  /// The values other than 0, which are few, and the number of zeros.
  private var errors = Sample()
  private var withoutError = 0
  private let refresh: RefreshRate
  /// The newest frames, which the run's end may cut off before they are shown.
  private var pending: [PendingFrame] = []
  /// The vsync that showed the previous image, and the time at which its frame began.
  private var shown: (vsync: Int, at: Int64)
  /// The vsync of that frame, and the time of that vsync.
  private var begun = -1
  private var begin: Int64

  /// - Parameters:
  ///   - refresh: the display's rate.
  ///   - deadline: the number of vsyncs after its own at which a frame should be shown.
  ///   - isOnDemand: whether some vsyncs want no frame; then ages have no meaning.
  ///   - keepsAges: whether to record the age of the image on the screen.
  public init(
    refresh: RefreshRate, deadline: Int = 1, isOnDemand: Bool = false, keepsAges: Bool = false
  ) {
    self.refresh = refresh
    statistics = FrameStatistics(refresh: refresh)
    statistics.isOnDemand = isOnDemand
    ages = keepsAges && !isOnDemand ? Sample() : nil
    // Until the first frame is shown, the screen shows the warm-up's last one, which began a period before time 0.
    begin = -refresh.period.nanoseconds
    shown = (deadline - 1, refresh.vsync(deadline - 1).nanoseconds)
  }

  /// Counts the work of a frame: `work` from the vsync it was asked for to its end, `span` from its start to its end.
  public mutating func worked(_ work: TimeSpan, sinceBegin span: TimeSpan) {
    statistics.worked(work, sinceBegin: span)
  }

  /// Counts a turn of the queue, if it is a hang.
  public mutating func hung(_ span: TimeSpan) { statistics.hung(span) }

  /// Counts the two stages of a frame.
  public mutating func staged(_ frame: FrameInstants) { statistics.staged(frame) }

  /// Counts the long tasks of the main thread, all of them at once.
  public mutating func count(_ tasks: LongTasks) { statistics.longTasks = tasks }

  /// Counts frames that were not ready by the vsync that should have shown them, those that waited for a buffer, and those that
  /// began more than a period after their vsync.
  public mutating func count(missed: Int, stuffed: Int, lateBegins: Int) {
    statistics.counts.deadlinesMissed += missed
    statistics.counts.stuffed += stuffed
    statistics.counts.lateBegins += lateBegins
  }

  /// Counts a frame of vsync `begin` that is shown after `gap`, which has these causes.
  public mutating func show(begin: Int, _ gap: DisplayGap, _ causes: GapCauses = GapCauses()) {
    showPending(by: begin)
    pending.append(PendingFrame(begin: begin, gap: gap, causes: causes))
  }

  /// Ends with vsync `last`, the last of the run. A frame that would be shown later is not shown; the vsyncs missed until the
  /// end have its causes.
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

  /// Shows the frames that are due by `vsync`.
  private mutating func showPending(by vsync: Int) {
    while let frame = pending.first, frame.gap.shown <= vsync {
      pending.removeFirst()
      show(frame)
    }
  }

  private mutating func show(_ frame: PendingFrame) {
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

  /// Keeps the image on the screen through `last`.
  private mutating func age(through last: Int) {
    guard ages != nil else { return }
    for vsync in stride(from: shown.vsync + 1, through: last, by: 1) {
      let age = refresh.vsync(vsync).nanoseconds - begin
      ages?.add(age)
    }
  }
}

/// A frame that is not shown yet. Outside the timeline, whose type parameter would make the compiler look up its metadata for each
/// frame.
private struct PendingFrame: Sendable {
  let begin: Int
  let gap: DisplayGap
  let causes: GapCauses
}
