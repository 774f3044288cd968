/// Frames whose vsyncs are known, in their order, on their way into statistics.
public struct ScreenTimeline<Sample: SpanSample>: Sendable {
  /// What the frames so far come to.
  public private(set) var statistics: FrameStatistics<Sample>
  /// By vsync, how long ago the frame on the screen began; nil where nobody asks.
  public private(set) var ages: Sample?
  private let refresh: RefreshRate
  /// Where the newest image was shown, and where its frame began.
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

  /// Counts a frame of vsync `begin` that was shown at `vsync`.
  public mutating func show(begin: Int, at vsync: Int, cause: Cause?) {
    let now = refresh.vsync(vsync).nanoseconds
    statistics.vsyncs.shown(afterGap: vsync - shown.vsync - 1, cause: cause)
    statistics.displayed(after: now - shown.at)
    age(through: vsync - 1)
    let begun = refresh.vsync(begin).nanoseconds
    self.begin = begun
    shown = (vsync, now)
    ages?.add(now - begun)
  }

  /// Ends with vsync `last`, the last of the run, the rest having been missed for `cause`.
  public mutating func end(at last: Int, cause: Cause?) {
    guard last > shown.vsync else { return }
    statistics.vsyncs.missed(last - shown.vsync, cause: cause)
    statistics.displayed(after: refresh.vsync(last).nanoseconds - shown.at)
    age(through: last)
    shown.vsync = last
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
