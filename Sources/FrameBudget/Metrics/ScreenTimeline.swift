/// Frames whose vsyncs are known, in their order, on their way into statistics.
public struct ScreenTimeline<Sample: SpanSample>: Sendable {
  /// What the frames so far come to.
  public private(set) var statistics: FrameStatistics<Sample>
  /// By vsync, how long ago the frame on the screen began; nil where nobody asks.
  public private(set) var ages: Sample?
  private let refresh: RefreshRate
  /// The newest frame, which the run's end may cut off before it is shown.
  private var newest: (begin: Int, vsync: Int, cause: Cause?)?
  /// Where the image before was shown, and where its frame began.
  private var shown = (vsync: 0, at: Int64(0))
  private var begin: Int64

  /// - Parameters:
  ///   - refresh: the display's rate.
  ///   - keepsAges: whether the age of what the screen shows is asked for.
  public init(refresh: RefreshRate, keepsAges: Bool = false) {
    self.refresh = refresh
    statistics = FrameStatistics(refresh: refresh)
    ages = keepsAges ? Sample() : nil
    // Until the first frame is shown, the warm-up's last is on the screen, which began a period before time 0.
    begin = -refresh.period.nanoseconds
  }

  /// Counts the work of a frame: `work` from its vsync to its end, `span` from its begin to its end.
  public mutating func worked(_ work: TimeSpan, sinceBegin span: TimeSpan) {
    statistics.worked(work, sinceBegin: span)
  }

  /// Counts a frame of vsync `begin` that is to be shown at `vsync`, which is late for `cause`.
  public mutating func show(begin: Int, at vsync: Int, cause: Cause?) {
    showNewest()
    newest = (begin, vsync, cause)
  }

  /// Ends with vsync `last`, the last of the run. A frame that was to be shown later is not: what was missed until the
  /// end, was missed for its cause.
  public mutating func end(at last: Int) {
    if let newest, newest.vsync <= last { showNewest() }
    guard last > shown.vsync else { return }
    statistics.vsyncs.missed(last - shown.vsync, cause: newest?.cause)
    statistics.displayed(after: refresh.vsync(last).nanoseconds - shown.at)
    age(through: last)
    shown.vsync = last
  }

  private mutating func showNewest() {
    guard let frame = newest else { return }
    newest = nil
    let now = refresh.vsync(frame.vsync).nanoseconds
    statistics.vsyncs.shown(afterGap: frame.vsync - shown.vsync - 1, cause: frame.cause)
    statistics.displayed(after: now - shown.at)
    age(through: frame.vsync - 1)
    begin = refresh.vsync(frame.begin).nanoseconds
    shown = (frame.vsync, now)
    ages?.add(now - begin)
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
