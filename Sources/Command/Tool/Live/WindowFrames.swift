internal import FrameBudget
internal import FrameBudgetCaptures
internal import FrameBudgetParsing

/// The frames of a window of another app, as those of a run.
///
/// Its time is that of the vsyncs for which the app was asked. It stops while the app is not asked or nothing is known: while
/// the window is hidden or nothing in it changes, and between two documents of a page.
struct WindowFrames {
  /// A frame before which vsyncs were dropped.
  struct LateFrame: Equatable {
    /// From its vsync to the end of its drawing.
    let span: TimeSpan
    let cause: Cause
    /// The longest of its scripts, if the browser reports one.
    let work: FramePartTime?
    /// What its thread did in that time, if the kernel reports it.
    var spent: WindowReport.Spent?
  }

  let refresh: RefreshRate
  /// A common rate that fits the vsyncs far better.
  private(set) var betterRate: RefreshRate?
  private(set) var lastLate: LateFrame?

  private var grid: GridTracker
  private var rates = RateFit()
  private var intervals = 0
  /// The newest vsync for which the app was asked: its number, and its time by the clock of the reports.
  private var asked = 0
  private var vsync: Double?
  /// Whether it is known when the newest frame was shown.
  private var isSeen = false
  /// The vsync that showed the newest frame.
  private var shown = 0
  /// Frames that were not observed yet.
  private var ended: [FrameRecord] = []
  /// Frames of the newest report: a browser reports long frames once they are on the screen, so maybe only in the next report.
  private var held: [WindowReport.Frame] = []
  private var longFrames: [WindowReport.LongFrame] = []
  /// The newest report: when it was sent, by the clock of the reports, and when it came.
  private var heard: (sent: Double, at: ContinuousClock.Instant)?
  private var isStopped = true
  private var obstacle: Cause?
  /// When time began to run again: no hang is longer.
  private var resumed: ContinuousClock.Instant?
  private var now = Instant.zero
  /// All hangs and drawing.
  private var work = TimeSpan.zero

  /// The rate is certain after this many intervals.
  private static let certain = 120
  /// Of the display's rate, which is not known exactly.
  private static let tolerance = TimeSpan.milliseconds(1)
  /// In milliseconds. After a longer time without a frame, what was before it is not compared with what is after it.
  private static let longest = 600_000.0

  /// Whether the run has reached the length of the longest: sums of another program's times have to fit into 64 bits. Then no
  /// more frames are counted.
  var isFull: Bool {
    max(work, refresh.vsync(shown).sinceZero) > .nanoseconds(InputTime.spans.upperBound)
  }

  init(_ refresh: RefreshRate) {
    self.refresh = refresh
    grid = GridTracker(refresh, follows: true)
  }

  /// Nothing is known of the window until the next report.
  mutating func stop() {
    release()
    isStopped = true
    vsync = nil
  }

  mutating func take(_ report: WindowReport, at instant: ContinuousClock.Instant) {
    heard = (report.now, instant)
    // The frames of a report come after the pause.
    if report.isHidden || isStopped && report.frames.isEmpty { resumed = instant }
    longFrames += report.longFrames
    release()
    held = report.frames
    isStopped = report.isHidden
    obstacle = report.obstacle
    if isStopped { release() }
  }

  /// Counts the frames that were held: nothing more comes about them.
  mutating func release() {
    // The newest are far fewer, unless something else than the page's script reports.
    defer { longFrames.removeFirst(max(0, longFrames.count - Self.certain)) }
    guard let last = held.last else { return }
    for frame in held {
      if let record = record(of: frame) { ended.append(record) }
    }
    held = []
    longFrames.removeAll { $0.end < last.vsync }
    if intervals < Self.certain { betterRate = rates.better(than: refresh) }
  }

  /// The record of the next frame; nil if it was replaced before a vsync could show it.
  private mutating func record(of frame: WindowReport.Frame) -> FrameRecord? {
    guard !isFull else { return nil }
    advance(to: frame)
    guard frame.end - frame.vsync < Self.longest else {
      vsync = nil
      return nil
    }
    let long = longFrames.last { $0.render <= frame.begin + 1 && frame.begin <= $0.end }
    let begin = max(frame.vsync, min(frame.begin, long?.render ?? frame.begin))
    var wait = Self.span(begin - frame.vsync)
    let drawing = Self.span(max(begin, min(frame.end, long?.end ?? frame.end)) - begin)
    let (asking, due) = (refresh.vsync(asked), asked + 1)
    var present = refresh.shown(begun: asked, ended: asking + wait + drawing)
    if let seen = frame.shown, 0..<Self.longest ~= seen - frame.vsync {
      present = asked + max(1, vsyncs(in: seen - frame.vsync))
      let rest = refresh.vsync(present) - asking - drawing
      if frame.before != nil, wait > rest + Self.tolerance {
        // By one clock: a compositor that rested shows a frame at once, between two vsyncs.
        present = refresh.shown(begun: asked, ended: asking + wait + drawing)
      } else {
        // Two clocks disagree about the wait; the screen does not.
        wait = min(wait, max(.zero, rest))
      }
    }
    let start = asking + wait
    let end = start + drawing
    guard present > shown else { return nil }
    let spans = phases(of: frame, wait: wait, drawing: drawing)
    let dropped = present - shown - 1
    let before = long?.scripts.filter { $0.end <= begin + 1 }.map(\.span).max().map(Self.span)
    let stretch = max(wait, before ?? .zero)
    let overshoot = end - refresh.vsync(due)
    let record = FrameRecord(
      beginVsync: asked, presentVsync: present, begin: start, workEnd: end, dropped: dropped,
      cause: present > due ? cause(of: spans, frame, overshoot: overshoot) : nil,
      // Between these vsyncs the app was not asked for a frame.
      beginCause: due > shown + 1 ? .wakeup : nil, items: 0, queueDepth: 0, spans: spans,
      hangsBetween: stretch > FrameThresholds.hang ? [stretch] : [],
      parts: long?.scripts.filter { $0.end > begin + 1 }.map(FramePartTime.init) ?? [])
    if let cause = record.mainCause, dropped > 0 {
      let longest = long?.scripts.max { $0.span < $1.span }
      lastLate = LateFrame(
        span: wait + drawing, cause: cause, work: longest.map(FramePartTime.init),
        spent: overshoot > .zero ? frame.spent : nil)
    }
    shown = present
    work += stretch + drawing
    return record
  }

  /// The phases of a frame. If the kernel says what the thread did, a wait for a core is a late wake-up unless it interrupts work,
  /// and sleep is a wait.
  private func phases(
    of frame: WindowReport.Frame, wait: TimeSpan, drawing: TimeSpan
  ) -> PhaseSpans {
    var spans = PhaseSpans()
    guard let before = frame.before, let drawn = frame.drawing else {
      spans[isBusy(wait) ? .logic : .wakeup] = wait
      spans[.render] = drawing
      return spans
    }
    spans[.lockWait] = min(drawing, Self.span(drawn.waiting))
    spans[.render] = drawing - spans[.lockWait]
    spans[.machine] = min(drawing, Self.span(drawn.taken))
    spans[.preempted] = min(drawing - spans[.machine], Self.span(drawn.shared))
    guard isBusy(Self.span(before.own + before.waiting)) else {
      spans[.wakeup] = wait
      return spans
    }
    let waiting = min(wait, Self.span(before.waiting))
    spans[.lockWait] = spans[.lockWait] + waiting
    spans[.logic] = wait - waiting
    let taken = min(spans[.logic], Self.span(before.taken))
    spans[.machine] = spans[.machine] + taken
    spans[.preempted] =
      spans[.preempted] + min(spans[.logic] - taken, Self.span(before.shared))
    return spans
  }

  /// If the app was in time, the compositor, another process, has shown the frame late. A late wake-up is the work of whoever had
  /// the core, if that is known.
  private func cause(
    of spans: PhaseSpans, _ frame: WindowReport.Frame, overshoot: TimeSpan
  ) -> Cause {
    guard overshoot > .zero else { return .machine }
    var spans = spans
    if let before = frame.before, spans[.wakeup] > .zero {
      let taken = min(spans[.wakeup], Self.span(before.taken))
      let shared = min(spans[.wakeup] - taken, Self.span(before.shared))
      spans[.wakeup] = spans[.wakeup] - taken - shared
      spans[.machine] = spans[.machine] + taken
      spans[.preempted] = spans[.preempted] + shared
    }
    return Cause.of(spans, overshoot: overshoot)
  }

  /// Counts the vsyncs up to that of `frame`.
  private mutating func advance(to frame: WindowReport.Frame) {
    if frame.shown != nil || isSeen && !frame.isFirst {
      // The vsyncs up to the one that showed the frame before are counted.
      asked = shown
    } else if let before = vsync, !frame.isFirst, 0..<Self.longest ~= frame.vsync - before {
      asked += vsyncs(in: frame.vsync - before)
    } else {
      grid.restart()
      asked = shown
    }
    vsync = frame.vsync
    isSeen = frame.shown != nil
  }

  /// The number of vsyncs in an interval between two, in milliseconds.
  private mutating func vsyncs(in interval: Double) -> Int {
    let nanoseconds = Self.span(interval).nanoseconds
    rates.add(nanoseconds)
    intervals += 1
    return max(0, grid.vsyncs(after: nanoseconds))
  }

  /// Whether a wait for the main thread is too long for a wake-up. A browser reports only work of 50 ms or more.
  private func isBusy(_ wait: TimeSpan) -> Bool {
    wait.nanoseconds > refresh.period.nanoseconds / 4
  }

  private static func span(_ milliseconds: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64(milliseconds * 1e6))
  }

  // MARK: The view

  /// What has happened since the last observation. Without a report for longer than a hang, the app hangs.
  mutating func observation(at instant: ContinuousClock.Instant) -> RunObservation {
    if isSilent(at: instant) { release() }
    var observation = RunObservation()
    swap(&observation.frames, &ended)
    now = max(now, refresh.vsync(shown))
    if let open = openFrame(at: instant) {
      now = max(now, open.workEnd)
      observation.openFrame = open
    }
    observation.now = vsync == nil && shown == 0 ? nil : now
    return observation
  }

  private func isSilent(at instant: ContinuousClock.Instant) -> Bool {
    heard.map { instant - $0.at > .nanoseconds(FrameThresholds.hang.nanoseconds) } ?? false
  }

  /// The frame that a hang delays, as of now.
  private func openFrame(at instant: ContinuousClock.Instant) -> FrameRecord? {
    guard !isStopped, isSilent(at: instant), let heard, let vsync else { return nil }
    let next = asked + 1
    let start = refresh.vsync(next)
    let silence = (instant - heard.at) / .milliseconds(1)
    let awake = resumed.map { (instant - $0) / .milliseconds(1) } ?? Self.longest
    let passed = min(max(0, heard.sent - vsync) + silence, awake, Self.longest)
    let end = max(start, refresh.vsync(asked) + Self.span(passed))
    let present = max(refresh.shown(begun: next, ended: end), shown + 1)
    let cause = obstacle ?? .logic
    var spans = PhaseSpans()
    spans[cause == .lock ? .lockWait : .logic] = end - start
    if cause == .machine { spans[.machine] = end - start }
    return FrameRecord(
      beginVsync: next, presentVsync: present, begin: start, workEnd: end,
      dropped: present - shown - 1, cause: present > next + 1 ? cause : nil,
      beginCause: next > shown ? cause : nil, items: 0, queueDepth: 0, spans: spans)
  }
}

extension WindowReport.Frame {
  /// What its thread did from the vsync to the end.
  fileprivate var spent: WindowReport.Spent? {
    guard let before, let drawing else { return nil }
    return before + drawing
  }
}

extension FramePartTime {
  fileprivate init(_ script: WindowReport.Script) {
    // Names in lists have none of these.
    let name = String(script.name.map { ";=".contains($0) ? "_" : $0 })
    self.init(name: name, span: TimeSpan(nanoseconds: Int64(script.span * 1e6)))
  }
}

/// What the view costs the page.
struct PageCost {
  /// The time that the script has taken of the page's main thread.
  private var cost = TimeSpan.zero
  private var first: TimeSpan?
  /// The processor time of the page's process, and of its main thread.
  private(set) var used: (process: TimeSpan, main: TimeSpan)?

  mutating func add(_ span: TimeSpan) {
    cost = min(cost + span, .nanoseconds(InputTime.spans.upperBound))
  }

  mutating func take(process: TimeSpan, main: TimeSpan) {
    // Another site is in another process, whose time is its own.
    if first == nil || process < used?.process ?? .zero {
      first = process
      cost = .zero
    }
    used = (process, main)
  }

  /// The share, in words. The script requests every frame; what a frame itself takes is not known apart from the page's work.
  var words: String? {
    percent.map {
      "this view's script takes \(Decimal.text($0, places: 1)) % of its CPU time, and the frames that it requests more"
    }
  }

  /// As a share of the page's processor time in percent; nil before that is known.
  var percent: Double? {
    guard let first, let used, used.process > first else { return nil }
    return 100 * cost.inSeconds / (used.process - first).inSeconds
  }
}
