/// The frames of a run: when each began, when it was shown, which vsyncs were dropped and why.
public struct FrameLog: Sendable {
  /// The display's rate.
  public let refresh: RefreshRate
  /// `d`, the number of vsyncs after its own at which a frame should be shown.
  public let deadline: Int
  /// Whether there are vsyncs that want no frame.
  public let isOnDemand: Bool
  /// Whether a frame begins when a thread wakes up, instead of exactly at its vsync.
  public let hasRealClock: Bool
  /// `K`, the number of vsyncs in the run.
  public internal(set) var vsyncs = 0
  /// The end of the run.
  var end = Instant.zero
  /// By frame: the vsync to which it belongs.
  public private(set) var begins: [UInt32] = []
  /// By frame: the vsync that showed it; `K + 1` if the run ended before.
  public private(set) var presents: [UInt32] = []
  /// By frame: `i`, the vsync that it was asked for. Empty in a loop of frames: then it is the vsync to which it belongs.
  private var askedVsyncs: [UInt32] = []
  /// By frame: nanoseconds from the vsync it was asked for to the end of its work on the main thread, `E - V(i)`.
  public private(set) var works: [Int64] = []
  /// By frame: nanoseconds from `V(i)` to `R`, when it was ready. Empty without a second stage: then `R` is `E`.
  public private(set) var readies: [Int64] = []
  /// By frame: nanoseconds from `V(i)` to its start.
  public private(set) var lateness: [Int64] = []
  /// By frame: nanoseconds of its lateness in which no work of the app delayed it; empty without a real clock.
  public private(set) var wakeups: [Int64] = []
  /// Vsyncs at which a frame was wanted and no new one was shown, with the next frame that was shown.
  public private(set) var drops: [(frame: Int, vsyncs: Int, cause: Cause)] = []
  /// Frames that were not ready by their deadline, the vsync that should have shown them.
  public private(set) var missed = 0
  /// Frames that had to wait for a buffer.
  public private(set) var stuffed = 0
  /// Frames that began more than a period after their vsync.
  public private(set) var lateBegins = 0
  /// Turns of the queue of a loop of events that hang, each with the number of frames that had begun before it ended.
  public private(set) var turnHangs: [(before: Int, span: TimeSpan)] = []
  /// Long tasks of the main thread: frames and, in a loop of events, turns of the queue.
  public private(set) var longTasks = LongTasks()
  /// The records of all frames; empty unless they were requested.
  public private(set) var records: [FrameRecord] = []
  /// The time of the main thread in each phase: within frames and, in a loop of events, between them.
  public private(set) var totals = PhaseSpans()
  /// Phases with a negative time in some frame: a fault of the engine.
  public private(set) var negative = PhaseSpans()
  /// By number: the frames that left work of parts of drawing to later ones.
  private var incomplete: [UInt32] = []
  /// The number of frames that an engine in virtual time began at the run's last vsync or later: its fault.
  private(set) var startsAfterLastVsync = 0
  /// The longest wait of the main thread for one lock.
  public private(set) var longestLockWait = TimeSpan.zero
  /// The largest number of items that waited at the start of a frame.
  public private(set) var deepestQueue = 0

  /// Whether the main loop is one of events, which also runs work between frames.
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

  /// The number of vsyncs at which a frame was wanted: all from the first that a frame of time 0 can meet, or, with frames
  /// on demand, those with a request.
  public var expected: Int { isOnDemand ? presented + dropped : max(0, vsyncs - deadline + 1) }

  /// The time of the last vsync of the run.
  public var lastVsync: Instant { refresh.vsync(vsyncs) }

  /// `i`, the vsync that `frame` was asked for.
  public func asked(_ frame: Int) -> Int {
    Int(askedVsyncs.isEmpty ? begins[frame] : askedVsyncs[frame])
  }

  /// The turns that hang between the frame before `frame` and it.
  func turnHangs(before frame: Int) -> [TimeSpan] {
    turnHangs[turnHangs.partitioningIndex { $0.before >= frame }...]
      .prefix { $0.before == frame }.map(\.span)
  }

  /// The vsync that shows `frame`; `K + 1` if the run ended before.
  public func shown(_ frame: Int) -> Int { Int(presents[frame]) }

  /// The number of vsyncs by which a frame was shown too late.
  public func lateVsyncs(_ frame: Int) -> Int { shown(frame) - Int(begins[frame]) - deadline }

  /// `N`: the number of frames that were shown by the end of the run.
  public var presented: Int {
    // Only the newest frames can have been cut off: at most as many as are in flight at once.
    begins.count - presents.reversed().prefix { $0 > vsyncs }.count
  }

  /// The number of frames that were shown and had left work of parts of drawing to later ones.
  public var shownIncomplete: Int { incomplete.count { presents[Int($0)] <= vsyncs } }

  /// The drops before `frame` was shown, and their causes. `drops` are those of this frame and of later ones; its own are
  /// removed.
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

  /// Calls `body` with the times of each frame, in order.
  func forEachFrame(_ body: (FrameInstants) -> Void) {
    // Called several times for runs of millions of frames, so the values of a second stage are computed only if there is one.
    let (hasStage, lastVsync) = (!readies.isEmpty, lastVsync)
    var free: Instant?
    for frame in begins.indices {
      let vsync = asked(frame)
      let ready = hasStage ? readies[frame] : works[frame]
      let isShown = shown(frame) <= vsyncs
      let origin = hasStage || !isShown ? refresh.vsync(vsync) : .zero
      var stageFree = Int64.min
      if hasStage {
        if let free { stageFree = (free - origin).nanoseconds }
        free = origin + .nanoseconds(ready)
      }
      body(
        FrameInstants(
          vsync: vsync, due: vsync + deadline, begin: lateness[frame], end: works[frame],
          ready: ready, stageFree: stageFree,
          hasBegun: isShown || origin + .nanoseconds(lateness[frame]) < lastVsync,
          isReady: isShown || origin + .nanoseconds(ready) < end, refresh: refresh))
    }
  }

  /// Records that a frame begins at the run's last vsync or later: a fault of an engine in virtual time.
  mutating func beganAfterLastVsync() { if !hasRealClock { startsAfterLastVsync += 1 } }

  /// The number of dropped vsyncs.
  public var dropped: Int { drops.reduce(0) { $0 + $1.vsyncs } }

  mutating func reserve(_ frames: Int, records wanted: Bool) {
    begins.reserveCapacity(frames)
    if isOfEvents { askedVsyncs.reserveCapacity(frames) }
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
    if frame.partsWaiting > .zero { incomplete.append(UInt32(begins.count)) }
    if record { records.append(self.record(of: ended, outcome, number: begins.count)) }
    let asked = isOfEvents ? refresh.vsync(frame.asked) : frame.due
    if refresh.isOverBudget(frame.wokeAt - frame.due) { lateBegins += 1 }
    // A frame that the end of the run cut off while it waited began at that end.
    append(
      vsync: frame.vsync, shown: outcome.gap.shown, work: ended.end - asked,
      lateness: min(frame.wokeAt, ended.end) - asked)
    if isOfEvents { askedVsyncs.append(UInt32(frame.asked)) }
    if hasSecondStage { readies.append((outcome.ready - asked).nanoseconds) }
    if hasRealClock {
      wakeups.append(frame.spans[.wakeup].nanoseconds)
    }
    add(frame)
    negative.keepNegative(of: frame.spans)
    deepestQueue = max(deepestQueue, frame.queueDepth)
  }

  /// Appends a frame of a loop of frames that begins at its vsync, only reads and draws, and is shown at the next one.
  mutating func append(idle vsync: Int, reading: TimeSpan, drawing: TimeSpan, queueDepth: Int) {
    let work = reading + drawing
    append(vsync: vsync, shown: vsync + 1, work: work, lateness: .zero)
    totals[.reads] += reading
    totals[.render] += drawing
    ran(task: work)
    deepestQueue = max(deepestQueue, queueDepth)
  }

  private mutating func append(vsync: Int, shown: Int, work: TimeSpan, lateness: TimeSpan) {
    begins.append(UInt32(vsync))
    presents.append(UInt32(shown))
    works.append(work.nanoseconds)
    self.lateness.append(lateness.nanoseconds)
  }

  /// The record of a frame, given its number in the run.
  func record(
    of ended: EndedFrame, _ outcome: EndedFrame.Outcome, number: Int
  ) -> FrameRecord {
    var record = FrameRecord(ended, outcome)
    record.hangsBetween = turnHangs(before: number)
    return record
  }

  /// Adds the turns that hang behind the last frame to its record.
  mutating func recordLastHangs() {
    guard let last = records.indices.last else { return }
    let behind = turnHangs.partitioningIndex { $0.before > last }
    records[last].hangsBetween += turnHangs[behind...].map(\.span)
  }

  /// Adds the time of `frame` to the totals. In a loop of events, that time includes what the frame waited for, which other
  /// work spent.
  private mutating func add(_ frame: OpenFrame) {
    var spans = frame.spans
    if isOfEvents {
      for phase in Phase.parts { spans[phase] = .zero }
    } else {
      longestLockWait = max(longestLockWait, frame.longestLockWait)
    }
    totals += spans
  }

  /// Adds time that a loop of events spent to the totals.
  mutating func ran(_ phase: Phase, for span: TimeSpan) {
    guard span > .zero else { return }
    totals[phase] += span
    if phase == .lockWait { longestLockWait = max(longestLockWait, span) }
  }

  /// Records that a task of the main thread has ended.
  mutating func ran(task: TimeSpan) { longTasks.ran(task) }

  /// Records that a turn of the queue has ended, before the frame of number `frame` began.
  mutating func ran(turn: TimeSpan, before frame: Int) {
    if turn > FrameThresholds.hang { turnHangs.append((frame, turn)) }
  }

  private mutating func drop(_ outcome: EndedFrame.Outcome, of frame: OpenFrame) {
    let gap = outcome.gap
    if let cause = frame.lateBegin(gap) { drops.append((begins.count, gap.late, cause)) }
    if gap.own > 0, let cause = outcome.cause { drops.append((begins.count, gap.own, cause)) }
  }
}

extension GapCauses {
  /// The cause of most of the drops in `gap`.
  package func main(in gap: DisplayGap) -> Cause? {
    gap.own >= gap.late ? own ?? begin : begin ?? own
  }
}

/// The record of one frame: a row of the per-frame file.
public struct FrameRecord: Hashable, Sendable {
  /// The vsync to which it belongs.
  public let beginVsync: Int
  /// `i`, the vsync that it was asked for, from which its times count.
  public let askedVsync: Int
  /// The vsync that should have shown it, given its start.
  public let dueVsync: Int
  /// The vsync that showed it; one after the last if the run ended before.
  public let presentVsync: Int
  /// When its work began.
  public let begin: Instant
  /// When its work on the main thread ended.
  public let workEnd: Instant
  /// When the second stage had finished it; without one, the end of its work.
  public let ready: Instant
  /// Vsyncs before `presentVsync` at which a frame was wanted and no new one was shown.
  public let dropped: Int
  /// Why it was not ready by the vsync that should have shown it; nil if it was.
  public let cause: Cause?
  /// Why it began too late for vsyncs that were dropped before its due vsync; nil if none were.
  public let beginCause: Cause?
  /// Whether it had to wait for a buffer.
  public let isStuffed: Bool
  /// Whether frames are drawn on demand, so that some vsyncs want none.
  public let isOnDemand: Bool
  /// The number of items whose results it handled.
  public let items: Int
  /// The number of items that waited when it began.
  public let queueDepth: Int
  /// Its time by phase.
  public let spans: PhaseSpans
  /// In a loop of events, the turns of the queue of more than `FrameThresholds.hang` between the previous frame and this one;
  /// in the record of a run's last frame, those behind it as well.
  public package(set) var hangsBetween: [TimeSpan]
  /// The processor time of each part of drawing in it; empty if drawing has no parts, or had not begun.
  public let parts: [FramePartTime]
  /// The work of spread parts of drawing that it left to later frames.
  public let partsWaiting: TimeSpan

  /// The part of drawing that took the most processor time.
  public var heaviestPart: FramePartTime? {
    let heaviest = parts.max { $0.span < $1.span }
    return heaviest.flatMap { $0.span > .zero ? $0 : nil }
  }

  /// The number of vsyncs by which it was shown too late.
  public var lateVsyncs: Int { presentVsync - dueVsync }

  /// The vsyncs that were dropped before it was shown.
  public var droppedVsyncs: Range<Int> { presentVsync - dropped..<presentVsync }

  /// The cause of the drop at `vsync`, one of `droppedVsyncs`.
  public func cause(at vsync: Int) -> Cause? { vsync < dueVsync ? beginCause : cause }

  /// The cause of most of the drops before it.
  public var mainCause: Cause? { gapCauses.main(in: gap) }

  /// The causes of the drops before it.
  public var gapCauses: GapCauses { GapCauses(begin: beginCause, own: cause) }

  /// The drops before it was shown.
  public var gap: DisplayGap {
    DisplayGap(from: presentVsync - dropped, to: presentVsync, due: dueVsync)
  }

  /// The record as of `now`, while the frame was under way: each phase has the share of its time that had passed.
  public func asOf(_ now: Instant, _ refresh: RefreshRate) -> FrameRecord {
    let passed = min(max(dueVsync - 1, refresh.vsyncs(through: now)), presentVsync - 1)
    let share = (now - begin).inSeconds / max((workEnd - begin).inSeconds, 1e-9)
    return FrameRecord(
      beginVsync: beginVsync, askedVsync: askedVsync, dueVsync: dueVsync,
      presentVsync: passed + 1, begin: begin,
      workEnd: min(now, workEnd), ready: min(now, ready),
      dropped: max(0, dropped - (presentVsync - passed - 1)),
      cause: passed >= dueVsync ? cause : nil, beginCause: beginCause, isStuffed: isStuffed,
      isOnDemand: isOnDemand,
      items: items, queueDepth: queueDepth, spans: spans.scaled(by: min(1, max(0, share))),
      hangsBetween: hangsBetween, parts: parts, partsWaiting: partsWaiting)
  }

  /// Creates a record of a frame that is or will be shown; by default it was asked for at its own vsync and due at the one
  /// after, without drops before it.
  public init(
    beginVsync: Int, askedVsync: Int? = nil, dueVsync: Int? = nil, presentVsync: Int,
    begin: Instant, workEnd: Instant,
    ready: Instant? = nil, dropped: Int? = nil, cause: Cause?, beginCause: Cause? = nil,
    isStuffed: Bool = false, isOnDemand: Bool = false, items: Int, queueDepth: Int,
    spans: PhaseSpans, hangsBetween: [TimeSpan] = [], parts: [FramePartTime] = [],
    partsWaiting: TimeSpan = .zero
  ) {
    self.beginVsync = beginVsync
    self.askedVsync = askedVsync ?? beginVsync
    self.hangsBetween = hangsBetween
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
    self.parts = parts
    self.partsWaiting = partsWaiting
  }

  init(_ ended: EndedFrame, _ outcome: EndedFrame.Outcome) {
    let (frame, gap) = (ended.frame, outcome.gap)
    self.init(
      beginVsync: frame.vsync, askedVsync: frame.asked, dueVsync: gap.due, presentVsync: gap.shown,
      begin: min(frame.wokeAt, ended.end), workEnd: ended.end, ready: outcome.ready,
      dropped: gap.vsyncs, cause: outcome.cause, beginCause: frame.lateBegin(gap),
      isStuffed: frame.isStuffed, isOnDemand: frame.wanted > 0, items: frame.items,
      queueDepth: frame.queueDepth,
      spans: frame.spans, parts: frame.parts, partsWaiting: frame.partsWaiting)
  }
}
