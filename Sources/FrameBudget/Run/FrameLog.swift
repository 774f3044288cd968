/// The frames of a run: when each began, when it was shown, which vsyncs were dropped and why.
///
/// One thing although it holds more than ten: all of it grows by one `append`, frame by frame.
public struct FrameLog: Sendable {
  /// The display's rate.
  public let refresh: RefreshRate
  /// `d`, how many vsyncs behind its own a frame is to be shown.
  public let deadline: Int
  /// Whether there are vsyncs that want no frame.
  public let isOnDemand: Bool
  /// Whether frames begin when a thread wakes, rather than exactly at their vsync.
  public let hasRealClock: Bool
  /// `K`, the number of vsyncs in the run.
  public internal(set) var vsyncs = 0
  /// By frame: the vsync to which it belongs.
  public private(set) var begins: [UInt32] = []
  /// By frame: the vsync that showed it; `K + 1` if the run ended before.
  public private(set) var presents: [UInt32] = []
  /// By frame: nanoseconds from its vsync to the end of its work on the main thread, `E - V(b)`.
  public private(set) var works: [Int64] = []
  /// By frame: nanoseconds from its vsync to `R`, when it was ready; empty without a second stage, where that is `E`.
  public private(set) var readies: [Int64] = []
  /// By frame: nanoseconds from its vsync to its begin.
  public private(set) var lateness: [Int64] = []
  /// By frame: those of them in which nothing of the app kept the main thread from beginning; empty without a real clock.
  public private(set) var wakeups: [Int64] = []
  /// Vsyncs at which a frame was wanted and no new one was shown, with the frame that was shown next.
  public private(set) var drops: [(frame: Int, vsyncs: Int, cause: Cause)] = []
  /// Frames that were not ready by the vsync that was to show them.
  public private(set) var missed = 0
  /// Frames that had to wait for a buffer.
  public private(set) var stuffed = 0
  /// Frames that began more than a period behind their vsync.
  public private(set) var lateBegins = 0
  /// Tasks of the main thread that took long: frames and, in a loop of events, turns of the queue.
  public private(set) var longTasks = LongTasks()
  /// All that each frame knows; empty unless it was asked for.
  public private(set) var records: [FrameRecord] = []
  /// What the main thread spent on each phase: within frames and, in a loop of events, between them.
  public private(set) var totals = PhaseSpans()
  /// Phases that some frame spent less than nothing on: then an engine is wrong.
  public private(set) var negative = PhaseSpans()
  /// The longest that the main thread waited for one lock.
  public private(set) var longestLockWait = TimeSpan.zero
  /// Most items that waited at the begin of a frame.
  public private(set) var deepestQueue = 0

  /// Whether the main thread does things between two frames.
  private let isOfEvents: Bool
  private let hasSecondStage: Bool

  init(
    refresh: RefreshRate, deadline: Int, isOnDemand: Bool, isOfEvents: Bool, hasSecondStage: Bool,
    hasRealClock: Bool
  ) {
    self.hasSecondStage = hasSecondStage
    self.isOnDemand = isOnDemand
    self.isOfEvents = isOfEvents
    self.refresh = refresh
    self.deadline = deadline
    self.hasRealClock = hasRealClock
  }

  /// The vsyncs at which a frame was wanted: all from the first that a frame of time 0 could meet, or those for which
  /// somebody asked.
  public var expected: Int { isOnDemand ? presented + dropped : max(0, vsyncs - deadline + 1) }

  /// The vsync that shows `frame`; `K + 1` if the run ended before.
  public func shown(_ frame: Int) -> Int { Int(presents[frame]) }

  /// By how many vsyncs a frame was shown later than it was to be.
  public func lateVsyncs(_ frame: Int) -> Int { shown(frame) - Int(begins[frame]) - deadline }

  /// `N`: how many frames were shown by the end of the run.
  public var presented: Int {
    // Only the newest can have been cut off: as many as are under way at once.
    begins.count - presents.reversed().prefix { $0 > vsyncs }.count
  }

  /// What was missed before `frame` was shown, and why: `drops` are those of this frame and of later ones, of which its own
  /// are taken.
  func gap(
    before frame: Int, _ drops: inout ArraySlice<(frame: Int, vsyncs: Int, cause: Cause)>
  ) -> (DisplayGap, GapCauses) {
    let shown = shown(frame)
    let own = drops.prefix { $0.frame == frame }
    drops.removeFirst(own.count)
    let gap = DisplayGap(
      from: shown - own.reduce(0) { $0 + $1.vsyncs }, to: shown,
      due: Int(begins[frame]) + deadline)
    return (
      gap,
      GapCauses(
        begin: gap.late > 0 ? own.first?.cause : nil, own: gap.own > 0 ? own.last?.cause : nil)
    )
  }

  /// Calls `body` with what is known of each frame, in their order.
  func forEachFrame(_ body: (FrameInstants) -> Void) {
    // Runs of millions of frames come here several times: what only a second stage needs is worked out where there is one.
    let hasStage = !readies.isEmpty
    var free: Instant?
    for frame in begins.indices {
      let vsync = Int(begins[frame])
      let ready = hasStage ? readies[frame] : works[frame]
      var stageFree = Int64.min
      if hasStage {
        let origin = refresh.vsync(vsync)
        if let free { stageFree = (free - origin).nanoseconds }
        free = origin + .nanoseconds(ready)
      }
      body(
        FrameInstants(
          vsync: vsync, due: vsync + deadline, begin: lateness[frame], end: works[frame],
          ready: ready, stageFree: stageFree, refresh: refresh))
    }
  }

  /// How many vsyncs were dropped.
  public var dropped: Int { drops.reduce(0) { $0 + $1.vsyncs } }

  mutating func reserve(_ frames: Int, records wanted: Bool) {
    begins.reserveCapacity(frames)
    presents.reserveCapacity(frames)
    works.reserveCapacity(frames)
    if hasSecondStage { readies.reserveCapacity(frames) }
    lateness.reserveCapacity(frames)
    if hasRealClock {
      wakeups.reserveCapacity(frames)
      drops.reserveCapacity(frames)
    }
    if wanted { records.reserveCapacity(frames) }
  }

  mutating func append(_ ended: EndedFrame, _ outcome: EndedFrame.Outcome, record: Bool) {
    let frame = ended.frame
    if outcome.gap.vsyncs > 0 { drop(outcome, of: frame) }
    if outcome.cause != nil { missed += 1 }
    if frame.isStuffed { stuffed += 1 }
    if refresh.isOverBudget(frame.wokeAt - frame.due) { lateBegins += 1 }
    begins.append(UInt32(frame.vsync))
    presents.append(UInt32(outcome.gap.shown))
    works.append((ended.end - frame.due).nanoseconds)
    if hasSecondStage { readies.append((outcome.ready - frame.due).nanoseconds) }
    // The begin of a frame that the run's end cut off while it waited is that end.
    lateness.append((min(frame.wokeAt, ended.end) - frame.due).nanoseconds)
    if hasRealClock {
      wakeups.append(frame.spans[.wakeup].nanoseconds)
    }
    add(frame)
    negative.keepNegative(of: frame.spans)
    deepestQueue = max(deepestQueue, frame.queueDepth)
    if record { records.append(FrameRecord(ended, outcome)) }
  }

  /// Adds to the totals what `frame` spent. In a loop of events that has what the frame waited for, which others did.
  private mutating func add(_ frame: OpenFrame) {
    var spans = frame.spans
    if isOfEvents {
      for phase in Phase.parts { spans[phase] = .zero }
    } else {
      longestLockWait = max(longestLockWait, frame.longestLockWait)
    }
    totals += spans
  }

  /// Adds to the totals what a loop of events did.
  mutating func ran(_ phase: Phase, for span: TimeSpan) {
    guard span > .zero else { return }
    totals[phase] += span
    if phase == .lockWait { longestLockWait = max(longestLockWait, span) }
  }

  /// Notes that a task of the main thread has ended.
  mutating func ran(task: TimeSpan) { longTasks.ran(task) }

  private mutating func drop(_ outcome: EndedFrame.Outcome, of frame: OpenFrame) {
    let gap = outcome.gap
    if let cause = frame.lateBegin(gap) { drops.append((begins.count, gap.late, cause)) }
    if gap.own > 0, let cause = outcome.cause { drops.append((begins.count, gap.own, cause)) }
  }
}

/// All that one frame knows.
///
/// One thing although it holds more than ten: a row of the per-frame file.
public struct FrameRecord: Hashable, Sendable {
  /// The vsync to which it belongs.
  public let beginVsync: Int
  /// The vsync that was to show it, by when it began.
  public let dueVsync: Int
  /// The vsync that showed it; one after the last if the run ended before.
  public let presentVsync: Int
  /// When its work began.
  public let begin: Instant
  /// When its work on the main thread ended.
  public let workEnd: Instant
  /// When the second stage was through with it; where there is none, the end of its work.
  public let ready: Instant
  /// Vsyncs before `presentVsync` at which a frame was wanted and no new one was shown.
  public let dropped: Int
  /// Why it was not ready by the vsync that was to show it; nil if it was.
  public let cause: Cause?
  /// Why it began too late for vsyncs that were dropped before the one that was to show it; nil if none were.
  public let beginCause: Cause?
  /// Whether it had to wait for a buffer.
  public let isStuffed: Bool
  /// Whether frames are drawn on demand, so that there are vsyncs that want none.
  public let isOnDemand: Bool
  /// How many items' results it took.
  public let items: Int
  /// How many items waited when it began.
  public let queueDepth: Int
  /// What it spent its time on.
  public let spans: PhaseSpans

  /// By how many vsyncs it was shown later than it was to be.
  public var lateVsyncs: Int { presentVsync - dueVsync }

  /// The vsyncs that were dropped before it was shown.
  public var droppedVsyncs: Range<Int> { presentVsync - dropped..<presentVsync }

  /// Why nothing new was shown at `vsync`, one of those that were dropped before it.
  public func cause(at vsync: Int) -> Cause? { vsync < dueVsync ? beginCause : cause }

  /// Why most of what was dropped before it was.
  public var mainCause: Cause? {
    gap.own >= gap.late ? cause ?? beginCause : beginCause ?? cause
  }

  /// Why it left vsyncs without a new picture before it.
  public var gapCauses: GapCauses { GapCauses(begin: beginCause, own: cause) }

  /// What was missed before it was shown.
  public var gap: DisplayGap {
    DisplayGap(from: presentVsync - dropped, to: presentVsync, due: dueVsync)
  }

  /// As it looked at `now`, when it was under way: of what the whole of it spent, as large a part as had passed.
  public func asOf(_ now: Instant, _ refresh: RefreshRate) -> FrameRecord {
    let passed = min(max(dueVsync - 1, refresh.vsyncs(through: now)), presentVsync - 1)
    let share = (now - begin).inSeconds / max((workEnd - begin).inSeconds, 1e-9)
    return FrameRecord(
      beginVsync: beginVsync, dueVsync: dueVsync, presentVsync: passed + 1, begin: begin,
      workEnd: min(now, workEnd), ready: min(now, ready),
      dropped: max(0, dropped - (presentVsync - passed - 1)),
      cause: passed >= dueVsync ? cause : nil, beginCause: beginCause, isStuffed: isStuffed,
      isOnDemand: isOnDemand,
      items: items, queueDepth: queueDepth, spans: spans.scaled(by: min(1, max(0, share))))
  }

  /// A record of a frame, shown or about to be; unless said otherwise it was to be shown at the vsync after its own, and
  /// nothing was shown in between.
  public init(
    beginVsync: Int, dueVsync: Int? = nil, presentVsync: Int, begin: Instant, workEnd: Instant,
    ready: Instant? = nil, dropped: Int? = nil, cause: Cause?, beginCause: Cause? = nil,
    isStuffed: Bool = false, isOnDemand: Bool = false, items: Int, queueDepth: Int,
    spans: PhaseSpans
  ) {
    self.beginVsync = beginVsync
    self.dueVsync = dueVsync ?? beginVsync + 1
    self.presentVsync = presentVsync
    self.begin = begin
    self.workEnd = workEnd
    self.ready = ready ?? workEnd
    self.dropped = dropped ?? presentVsync - beginVsync - 1
    self.cause = cause
    self.beginCause = beginCause
    self.isStuffed = isStuffed
    self.isOnDemand = isOnDemand
    self.items = items
    self.queueDepth = queueDepth
    self.spans = spans
  }

  init(_ ended: EndedFrame, _ outcome: EndedFrame.Outcome) {
    let (frame, gap) = (ended.frame, outcome.gap)
    self.init(
      beginVsync: frame.vsync, dueVsync: gap.due, presentVsync: gap.shown,
      begin: min(frame.wokeAt, ended.end), workEnd: ended.end, ready: outcome.ready,
      dropped: gap.vsyncs, cause: outcome.cause, beginCause: frame.lateBegin(gap),
      isStuffed: frame.isStuffed, isOnDemand: frame.wanted > 0, items: frame.items,
      queueDepth: frame.queueDepth,
      spans: frame.spans)
  }
}
