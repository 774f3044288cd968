/// A frame under way.
public struct OpenFrame: Sendable {
  let vsync: Int
  /// `i`, the vsync that it was asked for.
  var asked: Int
  let due: Instant
  let wokeAt: Instant
  /// The time by phase so far.
  public private(set) var spans = PhaseSpans()
  private(set) var longestLockWait = TimeSpan.zero
  var items = 0
  /// The parts of drawing, once it draws, if frames are recorded; and since when it draws.
  var parts: [FramePartTime] = []
  var drawsSince = Instant.zero
  /// The work of parts of drawing that it left to later frames.
  var partsWaiting = TimeSpan.zero
  var queueDepth = 0
  /// The number of vsyncs after its own at which it should be shown.
  var deadline = 1
  /// The vsync by which it is wanted, as far as that is known when it begins.
  var expectedVsync = 0
  /// With frames on demand, the vsync for which it was requested; otherwise 0.
  var wanted = 0
  /// The vsync from which it has had a buffer.
  var bufferFree = 0
  /// Whether it had to wait for one.
  var isStuffed = false
  /// The cause for which the main thread had been busy longest when the frame began.
  var busyCause: Cause?

  init(vsync: Int, due: Instant, wokeAt: Instant) {
    self.vsync = vsync
    asked = vsync
    self.due = due
    self.wokeAt = wokeAt
    spans[.wakeup] = max(.zero, wokeAt - due)
  }

  /// Adds time to a phase.
  public mutating func spend(_ span: TimeSpan, on phase: Phase) {
    spans[phase] += span
    if phase == .lockWait { longestLockWait = max(longestLockWait, span) }
  }

  /// Leaves of each part what ran until `instant`, at which the frame is cut off: parts run in their order, before the rest of
  /// drawing.
  fileprivate mutating func cutParts(at instant: Instant) {
    var left = instant - drawsSince
    parts = parts.compactMap { part in
      let span = min(part.span, left)
      left -= span
      return span > .zero ? FramePartTime(name: part.name, span: span) : nil
    }
  }

  /// Records the cause for which the main thread delayed the start, once the gap is known.
  mutating func noteDelay(of gap: DisplayGap, _ busy: BusyTime, _ refresh: RefreshRate) {
    guard gap.late > 0 else { return }
    busyCause = busy.longest(from: refresh.vsync(max(0, gap.first - deadline)), to: wokeAt)
  }

  /// The cause for which it began later than at the vsync that could have filled `gap`, with a buffer free by then or not.
  func lateBegin(_ gap: DisplayGap) -> Cause? {
    guard gap.late > 0 else { return nil }
    return bufferFree > gap.first - deadline ? .stuffed : busyCause ?? .wakeup
  }

  /// The state of the frame as if the run ended at `now`, for the live view; `hangs` are the turns that hang before it.
  public func record(
    asOf now: Instant, _ refresh: RefreshRate, hangsBefore hangs: [TimeSpan] = []
  ) -> FrameRecord {
    let last = max(vsync + deadline - 1, expectedVsync - 1, refresh.vsyncs(through: now))
    var frame = EndedFrame(frame: self, end: now)
    var record = FrameRecord(frame, frame.cut(at: now, last: last, expectedVsync: expectedVsync))
    record.hangsBetween = hangs
    return record
  }
}

extension RefreshRate {
  /// The vsync at which a main thread continues after its frame of `vsync` ended its work at `end`: the first by then, but
  /// after its own.
  public func shown(begun vsync: Int, ended end: Instant) -> Int {
    max(vsync + 1, firstVsync(atOrAfter: end))
  }
}

/// A frame whose work on the main thread has ended.
struct EndedFrame: Sendable {
  var frame: OpenFrame
  /// `E`.
  var end: Instant
  /// Nil until it is ready.
  var outcome: Outcome?

  /// The result of the frame.
  struct Outcome: Sendable {
    /// `R`, when the second stage had finished it.
    let ready: Instant
    let gap: DisplayGap
    /// The cause for which it was not ready by the vsync that should have shown it; nil if it was.
    let cause: Cause?
  }

  /// Records that the frame is ready, and the gap that follows from that.
  mutating func finish(at ready: Instant, _ gap: DisplayGap, _ refresh: RefreshRate) {
    if ready > end { frame.spend(ready - end, on: .compositor) }
    let overshoot = ready - refresh.vsync(gap.due)
    let cause = overshoot > .zero ? Cause.of(frame.spans, overshoot: overshoot) : nil
    outcome = Outcome(ready: ready, gap: gap, cause: cause)
  }

  /// Whether it is certain to be shown by `vsync`.
  func isShown(by vsync: Int) -> Bool { outcome.map { $0.gap.shown <= vsync } ?? false }

  /// The result if the run ends at `instant`, after vsync `last`, before the frame is ready: the phase with the most time is
  /// its cause.
  mutating func cut(at instant: Instant, last: Int, expectedVsync first: Int) -> Outcome {
    if instant > end {
      frame.spend(instant - end, on: .compositor)
    } else {
      frame.cutParts(at: instant)
    }
    end = min(end, instant)
    let gap = DisplayGap(from: first, to: last + 1, due: frame.vsync + frame.deadline)
    return Outcome(
      ready: instant, gap: gap, cause: gap.due <= last ? Cause.largest(frame.spans) : nil)
  }
}

/// Lengths of time in nanoseconds, four bytes each: longer ones are in a separate list.
public struct SpanList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  private var short: [UInt32] = []
  /// By position, in ascending order: values that do not fit into four bytes.
  private var long: [LongSpan] = []

  private struct LongSpan: Hashable, Sendable {
    let index: Int
    let value: Int64
  }

  public init(arrayLiteral elements: Int64...) {
    for element in elements { append(element) }
  }

  /// An empty list.
  public init() {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { short.count }

  public subscript(index: Int) -> Int64 {
    let value = short[index]
    return value == .max ? longValue(at: index) : Int64(value)
  }

  /// Reserves memory for `count` values.
  public mutating func reserveCapacity(_ count: Int) { short.reserveCapacity(count) }

  /// Adds a length of time at the end.
  public mutating func append(_ nanoseconds: Int64) {
    if nanoseconds >= 0 && nanoseconds < Int64(UInt32.max) {
      short.append(UInt32(nanoseconds))
    } else {
      long.append(LongSpan(index: short.count, value: nanoseconds))
      short.append(.max)
    }
  }

  private func longValue(at index: Int) -> Int64 {
    long[long.partitioningIndex { $0.index >= index }].value
  }
}
