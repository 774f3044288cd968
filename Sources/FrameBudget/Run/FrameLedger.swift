/// The only code that knows vsyncs, lateness and causes: decides when a frame begins, when it is shown, and why vsyncs
/// were dropped.
///
/// A frame begins at a vsync `b`, ends its work at `E`, and is shown at the first vsync at or after `E`, at
/// least `b + 1`. The next frame begins there, if that is before the run's last vsync. Room for the whole run is made beforehand, so that recording
/// a frame allocates nothing.
public struct FrameLedger: ~Copyable {
  /// What is kept of each frame.
  public enum Detail: Sendable {
    /// Enough for every metric: 12 bytes, 20 on a real clock.
    case summary
    /// All that a frame knows.
    case frames
    /// All that a frame knows; and the engine keeps what each thread did.
    case trace
  }

  private let refresh: RefreshRate
  private let detail: Detail
  private var log: FrameLog
  /// The frame under way, or the newest that has ended: it enters the log once it is known to lie within the run.
  ///
  /// One place for both, which nothing copies: a frame is large, and there are many.
  private var frame = OpenFrame(vsync: 0, due: .zero, wokeAt: .zero)
  private var stage = Stage.none
  /// Of a frame that has ended.
  private var end = Instant.zero
  private var cause: Cause?
  /// The vsync of the frame under way; between frames, that of the next one.
  public private(set) var vsync = 0
  /// When that vsync is.
  public private(set) var due = Instant.zero
  /// The vsync at which the run ends: frames begin before it.
  private let last: Int

  private enum Stage { case none, open, ended }

  /// The books of a run of so long a duration that begins.
  public init(refresh: RefreshRate, duration: TimeSpan, detail: Detail, hasRealClock: Bool) {
    self.refresh = refresh
    self.detail = detail
    last = refresh.vsyncs(through: .zero + duration)
    log = FrameLog(refresh: refresh, hasRealClock: hasRealClock)
    log.reserve(last + 1, records: detail != .summary)
  }

  /// Whether no further frame begins.
  public var isOver: Bool { vsync >= last }

  /// Vsyncs so far at which no new frame was shown; those of a frame under way are not known yet.
  public var dropped: Int { min(vsync, last + 1) - endedCount }

  /// Begins the frame of `vsync`, the one that is due; the first is 0.
  public mutating func begin(vsync: Int, wokeAt: Instant) {
    precondition(stage != .open && vsync == self.vsync, "frames follow one another")
    logEnded(shown: vsync)
    frame = OpenFrame(vsync: vsync, due: due, wokeAt: wokeAt)
    stage = .open
  }

  /// Charges time to a phase of the frame that is under way; between frames, as in the warm-up, to nothing.
  public mutating func spend(_ span: TimeSpan, on phase: Phase) {
    if stage == .open { frame.spend(span, on: phase) }
  }

  /// Notes that `count` items of business logic or results ran in this frame.
  public mutating func handled(items count: Int) {
    if stage == .open { frame.items += count }
  }

  /// Notes how many items were waiting after this frame had delivered what arrived.
  public mutating func waiting(items depth: Int) {
    if stage == .open { frame.queueDepth = depth }
  }

  /// Ends the frame and returns the vsync that shows it, at which the next frame begins.
  @discardableResult
  public mutating func end(at instant: Instant) -> Int {
    precondition(stage == .open, "a frame to end")
    stage = .ended
    end = instant
    (vsync, cause) = frame.outcome(endingAt: instant, refresh)
    due = refresh.vsync(vsync)
    return vsync
  }

  /// Ends the run: cuts off a frame that is under way and returns the log up to `instant`.
  public consuming func finish(at instant: Instant) -> FrameLog {
    log.expected = refresh.vsyncs(through: instant)
    // A thread that slept through the end never began the frame that was due.
    if stage != .open && vsync < log.expected { begin(vsync: vsync, wokeAt: instant) }
    if stage == .open || (stage == .ended && end > instant) {
      precondition(instant >= frame.due, "a run ends after its last begin")
      (stage, end, cause) = (.ended, instant, Cause.largest(frame.spans))
      vsync = log.expected + 1
    }
    // What began at the last vsync or later can show nothing within the run.
    if stage == .ended, frame.vsync >= log.expected {
      stage = .none
      vsync = frame.vsync
    }
    log.endShown = min(vsync, log.expected + 1)
    logEnded(shown: log.endShown)
    if detail != .summary { log.completeRecords() }
    return log
  }

  /// Whether a frame is under way.
  public var isUnderWay: Bool { stage == .open }

  /// The frame under way, with what it has been charged for by now.
  public var underWay: OpenFrame? { stage == .open ? frame : nil }

  /// Whether the frame that is under way when a run ends at `instant` is a hang by then.
  public func isHanging(at instant: Instant) -> Bool {
    let isUnderWay = stage == .open || stage == .ended && end > instant
    let begin = log.hasRealClock ? frame.wokeAt : frame.due
    return isUnderWay && instant - begin > FrameThresholds.hang
  }

  /// How many frames have ended by now.
  public var endedCount: Int { log.begins.count + (stage == .ended ? 1 : 0) }

  /// All that the frame which ended last knows; until the next one begins.
  public var newest: FrameRecord? {
    guard stage == .ended else { return nil }
    return FrameRecord(frame, work: end - frame.due, cause: cause, shown: vsync)
  }

  /// The frames that have ended by now, from the one at place `first` on; for the detail of frames.
  public func records(from first: Int) -> [FrameRecord] {
    let logged = log.records.dropFirst(first)
    guard first < endedCount, let newest else { return Array(logged) }
    return logged + [newest]
  }

  private mutating func logEnded(shown: Int) {
    guard stage == .ended else { return }
    stage = .none
    log.append(frame, work: end - frame.due, cause: cause, shown: shown, record: detail != .summary)
  }
}
