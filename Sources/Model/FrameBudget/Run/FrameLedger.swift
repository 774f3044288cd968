/// The ledger of a run's frames, for both engines: when each begins, which vsync shows it according to `FramePipeline`, and
/// why vsyncs were dropped.
///
/// A frame begins at a vsync `b`, ends its work on the main thread at `E`, is ready at `R` (after the second stage if there
/// is one, otherwise at `E`), and is shown at the vsync that `FramePipeline` gives. The next frame begins at the first
/// vsync at or after `E` at which a buffer is free, if that is before the run's last vsync. Memory for the whole run is
/// reserved, so recording a frame allocates nothing.
public struct FrameLedger: ~Copyable {
  /// The data that is kept of each frame.
  public enum Detail: Sendable {
    /// Enough for every metric: 24 bytes, 32 on a real clock, 8 more with a second stage.
    case summary
    /// The record of each frame.
    case frames
    /// The record of each frame, and a trace of each thread, which the engine keeps.
    case trace
  }

  private let refresh: RefreshRate
  private let detail: Detail
  private let hasSecondStage: Bool
  /// Whether each frame of a loop of frames should be shown at the vsync after its own, and only metrics are kept.
  private let isSimple: Bool
  @usableFromInline private(set) var pipeline: FramePipeline
  /// Requests for frames; nil in a loop of frames.
  private var events: FrameEvents?
  /// Recent work that may have delayed a frame: all of it in a loop of events; in a loop of frames, what ran past a vsync.
  private var busy: BusyTime
  private var log: FrameLog
  /// The current frame, or the newest that has ended. It enters the log once it is certain that it belongs to the run.
  /// A single variable for both, which is never copied, because a frame is large and there are many.
  private var currentOrLastFrame = EndedFrame(
    frame: OpenFrame(vsync: 0, due: .zero, wokeAt: .zero), end: .zero)
  @usableFromInline private(set) var stage = Stage.none
  /// Earlier frames that were not certainly shown when it began.
  private var framesInFlight: [EndedFrame] = []
  /// The number of frames that have begun.
  private var begunCount = 0
  /// The number of frames that have ended on the main thread and are not ready.
  private var unready = 0
  /// The newest work between frames: a turn of the queue, or a part of a later frame.
  private var newestTurn = (from: Instant.zero, to: Instant.zero)
  /// The first vsync at which the main thread could begin the frame that is due.
  private var idleFrom = 0
  /// The first vsync after the parts of later frames that have run in a loop of frames.
  private var aheadUntil = 0
  /// The number of vsyncs so far at which no new frame was shown, except those before a frame that is not ready.
  public private(set) var dropped = 0
  /// The vsync of the current frame; between frames, that of the next one, or the first at which it may begin.
  public private(set) var vsync = 0
  /// The time of that vsync.
  public private(set) var due = Instant.zero
  /// The vsync at which the run ends: frames begin before it.
  @usableFromInline let last: Int
  @usableFromInline let lastVsync: Instant

  @usableFromInline enum Stage { case none, open, ended }

  /// Starts the ledger of a run of the given duration.
  public init(
    refresh: RefreshRate, pipeline: Pipeline = Pipeline(), duration: TimeSpan, detail: Detail,
    hasRealClock: Bool
  ) {
    self.init(
      Display(refresh: refresh, pipeline: pipeline), duration: duration, detail: detail,
      hasRealClock: hasRealClock)
  }

  /// Starts the ledger of a run of the given duration on that screen.
  public init(_ display: Display, duration: TimeSpan, detail: Detail, hasRealClock: Bool) {
    let (refresh, pipeline) = (display.refresh, display.pipeline)
    self.refresh = refresh
    events = display.mainLoop.events.map { FrameEvents(display, $0) }
    busy = BusyTime(countsIdle: events != nil)
    self.detail = detail
    hasSecondStage = pipeline.hasSecondStage
    isSimple =
      events == nil && detail == .summary && !hasRealClock && !pipeline.hasSecondStage
      && pipeline.deadline == 1
    self.pipeline = FramePipeline(refresh, pipeline)
    last = refresh.vsyncs(through: .zero + duration)
    lastVsync = refresh.vsync(last)
    log = FrameLog(
      refresh: refresh, deadline: pipeline.deadline, isOnDemand: display.frames.isOnDemand,
      isOfEvents: events != nil, hasSecondStage: hasSecondStage, hasRealClock: hasRealClock)
    log.reserve(last + 1, records: detail != .summary)
    if pipeline != Pipeline() || events != nil {
      framesInFlight.reserveCapacity(pipeline.buffers + 1)
    }
  }

  // Inlined like `isUnderWay`, because otherwise a call from another module copies the whole ledger first.
  /// Whether no further frame begins.
  @inlinable
  public var isOver: Bool { vsync >= last }

  /// Whether a frame may begin at `now`: before the run's last vsync, even if its own was earlier and the thread had no core.
  @inlinable
  public func mayBegin(at now: Instant) -> Bool { now < lastVsync }

  /// Whether the vsync of the next frame is known. It is not while all buffers wait for the second stage.
  @inlinable
  public var isNextKnown: Bool { pipeline.nextFree != nil }

  // MARK: On the main thread

  /// Begins the frame of `vsync`, the one that is due; the first is 0.
  public mutating func begin(vsync: Int, wokeAt: Instant) {
    if !mayBegin(at: wokeAt) { log.beganAfterLastVsync() }
    open(vsync: vsync, wokeAt: wokeAt)
  }

  private mutating func open(vsync: Int, wokeAt: Instant) {
    precondition(stage != .open && vsync == self.vsync, "frames follow one another")
    logShown(by: vsync)
    if stage == .ended { framesInFlight.append(currentOrLastFrame) }
    begunCount += 1
    currentOrLastFrame.frame = OpenFrame(vsync: vsync, due: due, wokeAt: wokeAt)
    currentOrLastFrame.outcome = nil
    currentOrLastFrame.frame.deadline = pipeline.deadline
    currentOrLastFrame.frame.expectedVsync = pipeline.shown + unready + 1
    currentOrLastFrame.frame.bufferFree = pipeline.begin()
    currentOrLastFrame.frame.isStuffed = currentOrLastFrame.frame.bufferFree > idleFrom
    stage = .open
    noteBusy(until: wokeAt)
  }

  /// Records why the frame of a loop of frames that begins at `instant` did not begin earlier, as far as that is known.
  private mutating func noteBusy(until instant: Instant) {
    // Nearly always in a loop of frames.
    if busy.isEmpty {
      if events == nil { currentOrLastFrame.frame.busyCause = .wakeup }
      return
    }
    busy.forget(endedBy: refresh.vsync(min(vsync, max(0, pipeline.shown - pipeline.deadline))))
    guard events == nil else { return }
    let begin = max(0, currentOrLastFrame.frame.expectedVsync - pipeline.deadline)
    currentOrLastFrame.frame.busyCause = busy.longest(from: refresh.vsync(begin), to: instant)
  }

  /// The vsyncs of the next frames, at most `count`, as far as they are known, and how long the main thread may be idle before
  /// them: on demand only until the next vsync, because that may want a frame by then. Nil if no next frame is known, or one is
  /// under way or waits.
  func upcoming(_ count: Int, at now: Instant) -> (vsyncs: [Int], idleUntil: Instant)? {
    guard stage != .open else { return nil }
    guard let events else {
      guard isNextKnown, !isOver, now < due else { return nil }
      return (Array(vsync..<vsync + count), due)
    }
    guard let event = nextEvent(at: now), event.posted > now else { return nil }
    let next = refresh.vsync(refresh.vsyncs(through: now) + 1)
    let idleUntil = events.isOnDemand ? min(next, event.posted) : event.posted
    return (events.upcoming(count, from: event.vsync), idleUntil)
  }

  /// The vsyncs of the frames behind the current one, at most `count`, as far as they are known.
  func following(_ count: Int) -> [Int] {
    events?.following(count) ?? Array(vsync + 1..<vsync + 1 + count)
  }

  // MARK: In a loop of events

  /// The next frame event as of `now`, if it is known; nil from the run's last vsync on.
  public func nextEvent(at now: Instant) -> FrameEvents.Event? {
    mayBegin(at: now) ? upcomingEvent : nil
  }

  private var upcomingEvent: FrameEvents.Event? {
    guard stage != .open, let events, let free = pipeline.nextFree,
      let event = events.next(freeFrom: free), event.vsync < last
    else { return nil }
    return event
  }

  /// Whether a frame that has not begun is wanted at the first vsync at or after `now`, or was wanted before.
  public func wantsFrame(at now: Instant) -> Bool { events?.wantsFrame(at: now) ?? true }

  /// The first vsync at or after `instant`.
  public func firstVsync(atOrAfter instant: Instant) -> Instant {
    refresh.vsync(refresh.firstVsync(atOrAfter: instant))
  }

  /// Begins the frame of `event` at `instant`, for which it may have waited.
  public mutating func begin(_ event: FrameEvents.Event, at instant: Instant) {
    guard let vsync = events?.begin(event, at: instant) else { return }
    if !mayBegin(at: instant) { log.beganAfterLastVsync() }
    // A real clock may have passed the run's last vsync since the frame was chosen.
    beginWaited(event, of: min(vsync, max(last - 1, event.vsync)), at: instant)
  }

  private mutating func beginWaited(
    _ event: FrameEvents.Event, of vsync: Int, at instant: Instant
  ) {
    self.vsync = vsync
    due = refresh.vsync(vsync)
    open(vsync: vsync, wokeAt: instant)
    currentOrLastFrame.frame = Self.waited(
      currentOrLastFrame.frame, for: event, busy, refresh, until: instant)
  }

  /// Completes a frame that has waited until `instant`: its request, and what delayed it.
  private static func waited(
    _ frame: OpenFrame, for event: FrameEvents.Event, _ busy: BusyTime, _ refresh: RefreshRate,
    until instant: Instant
  ) -> OpenFrame {
    var frame = frame
    frame.expectedVsync = max(frame.expectedVsync, event.wanted)
    frame.wanted = event.wanted
    frame.asked = event.asked
    frame.isStuffed = event.isStuffed
    // Work that ended by the vsync at which the frame had to begin did not delay it.
    let begin = max(0, frame.expectedVsync - frame.deadline)
    frame.busyCause = busy.longest(from: refresh.vsync(begin), to: instant)
    busy.charge(&frame, until: instant)
    return frame
  }

  /// Records a request for a frame, if frames are drawn on demand.
  public mutating func request(at instant: Instant) { events?.request(at: instant) }

  /// Ends the drawing of this frame, which leaves `work` of parts to later ones. On demand, that requests the next frame.
  public mutating func drew(leaving work: TimeSpan, at instant: Instant) {
    guard stage == .open, work > .zero else { return }
    currentOrLastFrame.frame.partsWaiting = work
    events?.requestRest(at: instant)
  }

  /// Whether this frame was requested for more than what earlier frames left of parts of drawing.
  public var bringsNew: Bool { events?.bringsNew ?? true }

  /// Records work of a loop of events, between two frames or within one.
  public mutating func ran(_ phase: Phase, from: Instant, to: Instant) {
    busy.ran(phase, from: from, to: to)
    log.ran(phase, for: to - from)
  }

  /// Records the end of a turn of the queue that began at `from`. The whole turn kept the main thread from frames.
  public mutating func eventEnded(from: Instant, to: Instant) {
    guard stage != .open else { return }
    busy.ended(from: from, to: to)
    newestTurn = (from, to)
    log.ran(task: to - from)
    log.ran(turn: to - from, before: begunCount)
  }

  /// Records that the main thread, between two frames, ran a part of a later one. If it ran past the vsync of the next frame of
  /// a loop of frames, that frame begins later.
  public mutating func drewAhead(from: Instant, to: Instant) {
    precondition(stage != .open, "parts run ahead between frames, not in the one of vsync \(vsync)")
    if events == nil { ran(.render, from: from, to: to) }
    eventEnded(from: from, to: to)
    guard events == nil, to > due else { return }
    aheadUntil = refresh.firstVsync(atOrAfter: to)
    findNext()
  }

  /// Records that the main thread is idle at `now`.
  public mutating func noteIdle(at now: Instant) {
    // From the last vsync on, a frame may wait that never begins.
    if mayBegin(at: now) { busy.noteIdle() }
  }

  /// Charges time to a phase of the current frame; has no effect between frames, as in the warm-up.
  public mutating func spend(_ span: TimeSpan, on phase: Phase) {
    if stage == .open { currentOrLastFrame.frame.spend(span, on: phase) }
  }

  /// Records that `count` items of business logic or results ran in this frame.
  public mutating func handled(items count: Int) {
    if stage == .open { currentOrLastFrame.frame.items += count }
  }

  /// Records the parts of drawing that this frame begins at `instant`.
  public mutating func draws(_ parts: @autoclosure () -> [FramePartTime], at instant: Instant) {
    guard stage == .open, detail != .summary else { return }
    currentOrLastFrame.frame.parts = parts()
    currentOrLastFrame.frame.drawsSince = instant
  }

  /// Records how many items waited after this frame had delivered the arrivals.
  public mutating func waiting(items depth: Int) {
    if stage == .open { currentOrLastFrame.frame.queueDepth = depth }
  }

  /// Ends the frame's work on the main thread. Without a second stage it is ready then. Returns the vsync that shows it;
  /// nil with a second stage.
  @discardableResult
  public mutating func end(at instant: Instant) -> Int? {
    precondition(stage == .open, "a frame to end")
    stage = .ended
    currentOrLastFrame.end = instant
    log.ran(task: instant - currentOrLastFrame.frame.wokeAt)
    unready += 1
    noteOverrun(until: instant)
    events?.ended(at: instant)
    idleFrom = refresh.shown(begun: currentOrLastFrame.frame.vsync, ended: instant)
    if !hasSecondStage { return ready(at: instant) }
    findNext()
    return nil
  }

  /// Runs the frame that is due at once: the same as `begin`, `waiting`, `spend` and `end` in turn. It begins at its vsync, reads and
  /// draws for these times, and ends before the next vsync; `items` wait.
  ///
  /// Returns false, and does nothing, if it is the first or the last frame, or a frame before it is not shown by its vsync.
  public mutating func passIdle(
    reading: TimeSpan, drawing: TimeSpan, waiting items: Int
  ) -> Bool {
    guard isSimple, stage != .open, busy.isEmpty, vsync > 0, vsync + 1 < last,
      pipeline.shown == vsync, idleFrom == vsync
    else { return false }
    logShown(by: vsync)
    begunCount += 1
    _ = pipeline.begin()
    _ = pipeline.ready(begun: vsync, at: due + reading + drawing)
    log.append(idle: vsync, reading: reading, drawing: drawing, queueDepth: items)
    idleFrom = vsync + 1
    findNext()
    return true
  }

  /// Records a frame that may have delayed the next one. In a loop of frames it is busy past a vsync then, which costs vsyncs
  /// only if the deadline is more than one period.
  private mutating func noteOverrun(until end: Instant) {
    let isOverrun =
      pipeline.deadline > 1 && end > refresh.vsync(currentOrLastFrame.frame.vsync + 1)
    guard events != nil || isOverrun else { return }
    busy.ended(
      from: currentOrLastFrame.frame.wokeAt, to: end,
      by: Cause.largest(currentOrLastFrame.frame.spans))
  }

  /// Finds the vsync of the next frame: the first with a free buffer.
  private mutating func findNext() {
    guard stage != .open, events == nil else { return }
    vsync = max(idleFrom, aheadUntil, pipeline.nextFree ?? 0)
    due = refresh.vsync(vsync)
  }

  // MARK: In the second stage

  /// Records that the oldest frame that has ended and was not ready is ready. Returns the vsync that shows it.
  @discardableResult
  public mutating func ready(at instant: Instant) -> Int {
    precondition(unready > 0, "a frame to be ready")
    unready -= 1
    let gap: DisplayGap
    if let index = framesInFlight.firstIndex(where: { $0.outcome == nil }) {
      let frame = framesInFlight[index].frame
      gap = pipeline.ready(begun: frame.vsync, at: instant, wanted: frame.wanted)
      framesInFlight[index].finish(at: instant, gap, refresh)
      framesInFlight[index].frame.noteDelay(of: gap, busy, refresh)
    } else {
      gap = pipeline.ready(
        begun: currentOrLastFrame.frame.vsync, at: instant, wanted: currentOrLastFrame.frame.wanted)
      currentOrLastFrame.finish(at: instant, gap, refresh)
      currentOrLastFrame.frame.noteDelay(of: gap, busy, refresh)
    }
    dropped += gap.cut(at: last + 1).vsyncs
    findNext()
    return gap.shown
  }

  /// Appends to the log the frames that were certainly shown by `vsync`.
  private mutating func logShown(by vsync: Int) {
    while let first = framesInFlight.first, first.isShown(by: vsync) {
      append(framesInFlight.removeFirst())
    }
    if stage == .ended, framesInFlight.isEmpty, currentOrLastFrame.isShown(by: vsync) {
      stage = .none
      append(currentOrLastFrame)
    }
  }

  private mutating func append(_ ended: EndedFrame) {
    if let outcome = ended.outcome { log.append(ended, outcome, record: detail != .summary) }
  }

  // MARK: The end

  /// Ends the run: cuts off frames that are under way and returns the log up to `instant`.
  public consuming func finish(at instant: Instant) -> FrameLog {
    (log.vsyncs, log.end) = (refresh.vsyncs(through: instant), instant)
    // If the main thread slept through the last vsync, or had no core, the due frame never began.
    if events != nil {
      // From the run's last vsync on, an idle thread does not delay the frame.
      let free = min(instant, max(lastVsync, busy.end))
      if let event = upcomingEvent, event.posted <= free, event.vsync < log.vsyncs {
        beginWaited(event, of: event.vsync, at: free)
      }
    } else if stage != .open && isNextKnown && (vsync < log.vsyncs || isHeldUp) {
      // A frame that a part kept from beginning did not wait for a buffer.
      if isHeldUp { idleFrom = aheadUntil }
      vsync = min(vsync, log.vsyncs)
      due = refresh.vsync(vsync)
      open(vsync: vsync, wokeAt: instant)
    }
    if stage == .open {
      precondition(
        instant >= currentOrLastFrame.frame.due, "a run ends after its last frame starts")
      currentOrLastFrame.end = instant
      log.ran(task: instant - currentOrLastFrame.frame.wokeAt)
    }
    var left = framesInFlight
    // Frames that began at the last vsync or later show nothing within the run, but may have waited in turn before.
    let hasWaited =
      (events != nil || isHeldUp) && currentOrLastFrame.frame.expectedVsync <= log.vsyncs
    if stage != .none, hasWaited || currentOrLastFrame.frame.vsync < log.vsyncs {
      left.append(currentOrLastFrame)
    }
    for ended in left { logTruncated(ended, at: instant) }
    log.recordLastHangs()
    return log
  }

  /// Whether a part of a later frame ran past the last vsync at which a frame of the run could begin.
  private var isHeldUp: Bool {
    events == nil && newestTurn.to > refresh.vsync(max(0, log.vsyncs - 1))
  }

  private mutating func logTruncated(_ ended: EndedFrame, at instant: Instant) {
    var ended = ended
    let end = log.vsyncs + 1
    let first = log.presents.last.map { Int($0) + 1 } ?? pipeline.deadline
    if let outcome = ended.outcome, outcome.ready <= instant {
      ended.outcome = outcome.cut(at: end, from: first)
    } else {
      let outcome = ended.cut(
        at: instant, last: log.vsyncs, expectedVsync: max(first, ended.frame.wanted))
      ended.frame.noteDelay(of: outcome.gap, busy, refresh)
      ended.outcome = outcome
    }
    append(ended)
  }

  // MARK: For the live view

  /// Whether a frame is under way.
  @inlinable
  public var isUnderWay: Bool { stage == .open }

  /// The current frame, with the time charged so far.
  public var underWay: OpenFrame? { stage == .open ? currentOrLastFrame.frame : nil }

  /// In a loop of events, the frame that waits at `now` for the main thread, which has been in `phase` since `since`.
  public func waiting(at now: Instant, doing phase: Phase, since: Instant) -> OpenFrame? {
    guard let event = nextEvent(at: now), event.posted < now else { return nil }
    var busy = busy
    busy.cut(phase, since: since, at: now)
    var frame = OpenFrame(vsync: event.vsync, due: refresh.vsync(event.vsync), wokeAt: now)
    frame.deadline = pipeline.deadline
    frame.expectedVsync = pipeline.shown + unready + 1
    return Self.waited(frame, for: event, busy, refresh, until: now)
  }

  /// The turns of the queue that hang, between the previous frame and the one that is under way or waits at `now`. The main
  /// thread has been in `phase` since `since`.
  public func hangsBeforeOpenFrame(
    at now: Instant, doing phase: Phase, since: Instant
  ) -> [TimeSpan] {
    if stage == .open { return log.turnHangs(before: begunCount - 1) }
    var busy = busy
    busy.cut(phase, since: since, at: now)
    let open = busy.newestSpan(endingAt: now)
    return log.turnHangs(before: begunCount) + (open > FrameThresholds.hang ? [open] : [])
  }

  /// The number of frames that have begun and are not ready.
  public var unreadyCount: Int { unready + (stage == .open ? 1 : 0) }

  /// Whether the frame or the turn of the queue under way is a hang if the run ends at `instant`. A turn that the end cuts
  /// off has ended before.
  public func isHanging(at instant: Instant) -> Bool {
    let isFrame = stage == .open || stage == .ended && currentOrLastFrame.end > instant
    if isFrame { return instant - currentOrLastFrame.frame.wokeAt > FrameThresholds.hang }
    return newestTurn.to >= instant && instant - newestTurn.from > FrameThresholds.hang
  }

  /// The number of frames that are ready by now.
  public var endedCount: Int {
    log.begins.count + framesInFlight.count + (stage == .ended ? 1 : 0) - unready
  }

  /// The record of the newest ready frame, until it enters the log.
  public var newestReady: FrameRecord? {
    unloggedRecords.last
  }

  /// The records of the ready frames from index `first` on; requires the detail of frames.
  public func records(from first: Int) -> [FrameRecord] {
    guard first < endedCount else { return [] }
    return Array(log.records.dropFirst(first))
      + unloggedRecords.dropFirst(max(0, first - log.begins.count))
  }

  /// The records of the ready frames that are not in the log.
  private var unloggedRecords: [FrameRecord] {
    let unlogged = stage == .ended ? framesInFlight + [currentOrLastFrame] : framesInFlight
    return unlogged.enumerated().compactMap { index, ended in
      ended.outcome.map { log.record(of: ended, $0, number: log.begins.count + index) }
    }
  }
}

extension EndedFrame.Outcome {
  /// The frame as cut off by a run that shows nothing from vsync `end` on and showed the previous frame at vsync `first -
  /// 1`.
  fileprivate func cut(at end: Int, from first: Int) -> Self {
    let from = max(gap.first, first)
    let gap = DisplayGap(from: from, to: min(gap.shown, end), due: gap.due)
    return Self(ready: ready, gap: gap, cause: cause)
  }
}
