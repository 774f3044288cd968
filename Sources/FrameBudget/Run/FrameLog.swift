/// The frames of a run: when each began, when it was shown, why it was late.
///
/// Frame `i` is shown at the vsync at which frame `i + 1` begins, so begins alone tell what was dropped.
///
/// One thing although it holds more than ten: all of it grows by one `append`, frame by frame.
public struct FrameLog: Sendable {
  /// The display's rate.
  public let refresh: RefreshRate
  /// Whether frames begin when a thread wakes, rather than exactly at their vsync.
  public let hasRealClock: Bool
  /// `K`, the number of vsyncs in the run.
  public internal(set) var expected = 0
  /// By frame: the vsync at which it began.
  public private(set) var begins: [UInt32] = []
  /// By frame: nanoseconds from the vsync at which it began to the end of its work, `E - V(b)`.
  public private(set) var works: [Int64] = []
  /// By frame: nanoseconds from its vsync to its begin; empty without a real clock.
  public private(set) var lateness: [Int64] = []
  /// The causes of late frames.
  public private(set) var causes: [(frame: Int, cause: Cause)] = []
  /// All that each frame knows; empty unless it was asked for.
  public private(set) var records: [FrameRecord] = []
  /// What all frames together spent on each phase.
  public private(set) var totals = PhaseSpans()
  /// Phases that some frame spent less than nothing on: then an engine is wrong.
  public private(set) var negative = PhaseSpans()
  /// The longest that a frame waited for one lock.
  public private(set) var longestLockWait = TimeSpan.zero
  /// Most items that waited at the begin of a frame.
  public private(set) var deepestQueue = 0
  /// The vsync that shows the last frame, or `K + 1` if the run ended before.
  var endShown = 0

  init(refresh: RefreshRate, hasRealClock: Bool) {
    self.refresh = refresh
    self.hasRealClock = hasRealClock
  }

  /// The vsync that shows `frame`; `K + 1` if the run ended before.
  public func shown(_ frame: Int) -> Int {
    frame + 1 < begins.count ? Int(begins[frame + 1]) : endShown
  }

  /// By how many vsyncs a frame was late.
  public func lateVsyncs(_ frame: Int) -> Int { shown(frame) - Int(begins[frame]) - 1 }

  /// `N`: how many frames were shown by the end of the run.
  public var presented: Int {
    begins.isEmpty ? 0 : begins.count - (endShown > expected ? 1 : 0)
  }

  mutating func reserve(_ frames: Int, records wanted: Bool) {
    begins.reserveCapacity(frames)
    works.reserveCapacity(frames)
    if hasRealClock {
      lateness.reserveCapacity(frames)
      causes.reserveCapacity(frames)
    }
    if wanted { records.reserveCapacity(frames) }
  }

  mutating func append(
    _ frame: OpenFrame, work: TimeSpan, cause: Cause?, shown: Int, record: Bool
  ) {
    if let cause { causes.append((begins.count, cause)) }
    begins.append(UInt32(frame.vsync))
    works.append(work.nanoseconds)
    if hasRealClock { lateness.append((frame.wokeAt - frame.due).nanoseconds) }
    totals += frame.spans
    negative.keepNegative(of: frame.spans)
    longestLockWait = max(longestLockWait, frame.longestLockWait)
    deepestQueue = max(deepestQueue, frame.queueDepth)
    if record { records.append(FrameRecord(frame, work: work, cause: cause, shown: shown)) }
  }

  /// Corrects the last record: the run's end decides when that frame was shown.
  mutating func completeRecords() {
    if let last = records.indices.last { records[last].presentVsync = shown(last) }
  }
}

/// All that one frame knows.
public struct FrameRecord: Hashable, Sendable {
  /// The vsync at which it began.
  public let beginVsync: Int
  /// The vsync that showed it; one after the last if the run ended before.
  public internal(set) var presentVsync: Int
  /// When its work began.
  public let begin: Instant
  /// When its work ended.
  public let workEnd: Instant
  /// Why it was late; nil if it was not.
  public let cause: Cause?
  /// How many items' results it took.
  public let items: Int
  /// How many items waited when it began.
  public let queueDepth: Int
  /// What it spent its time on.
  public let spans: PhaseSpans

  /// By how many vsyncs it was late.
  public var lateVsyncs: Int { presentVsync - beginVsync - 1 }

  /// As it looked at `now`, when it was under way: of what the whole of it spent, as large a part as had passed.
  public func asOf(_ now: Instant, _ refresh: RefreshRate) -> FrameRecord {
    let passed = min(max(beginVsync, refresh.vsyncs(through: now)), presentVsync - 1)
    let share = (now - begin).inSeconds / max((workEnd - begin).inSeconds, 1e-9)
    return FrameRecord(
      beginVsync: beginVsync, presentVsync: passed + 1, begin: begin, workEnd: min(now, workEnd),
      cause: passed > beginVsync ? cause : nil, items: items, queueDepth: queueDepth,
      spans: spans.scaled(by: min(1, max(0, share))))
  }

  /// A record of a frame, shown or about to be.
  public init(
    beginVsync: Int, presentVsync: Int, begin: Instant, workEnd: Instant, cause: Cause?, items: Int,
    queueDepth: Int, spans: PhaseSpans
  ) {
    self.beginVsync = beginVsync
    self.presentVsync = presentVsync
    self.begin = begin
    self.workEnd = workEnd
    self.cause = cause
    self.items = items
    self.queueDepth = queueDepth
    self.spans = spans
  }

  init(_ frame: OpenFrame, work: TimeSpan, cause: Cause?, shown: Int) {
    self.init(
      beginVsync: frame.vsync, presentVsync: shown, begin: min(frame.wokeAt, frame.due + work),
      workEnd: frame.due + work, cause: cause, items: frame.items, queueDepth: frame.queueDepth,
      spans: frame.spans)
  }
}
