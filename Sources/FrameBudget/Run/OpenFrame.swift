/// A frame under way.
public struct OpenFrame: Sendable {
  let vsync: Int
  let due: Instant
  let wokeAt: Instant
  /// What it spent its time on so far.
  public private(set) var spans = PhaseSpans()
  private(set) var longestLockWait = TimeSpan.zero
  var items = 0
  var queueDepth = 0

  init(vsync: Int, due: Instant, wokeAt: Instant) {
    self.vsync = vsync
    self.due = due
    self.wokeAt = wokeAt
    spans[.wakeup] = max(.zero, wokeAt - due)
  }

  /// Counts a length of time towards a phase.
  public mutating func spend(_ span: TimeSpan, on phase: Phase) {
    spans[phase] += span
    if phase == .lockWait { longestLockWait = max(longestLockWait, span) }
  }

  /// The vsync that shows the frame if its work ends at `end`, and why that is a late one.
  func outcome(endingAt end: Instant, _ refresh: RefreshRate) -> (shown: Int, cause: Cause?) {
    let overshoot = end - refresh.vsync(vsync + 1)
    guard overshoot > .zero else { return (vsync + 1, nil) }
    return (refresh.shown(begun: vsync, ended: end), Cause.of(spans, overshoot: overshoot))
  }

  /// All that the frame would know if the run ended at `now`, for whoever watches it meanwhile.
  public func record(asOf now: Instant, _ refresh: RefreshRate) -> FrameRecord {
    let passed = max(vsync, refresh.vsyncs(through: now))
    return FrameRecord(
      self, work: now - due, cause: passed > vsync ? Cause.largest(spans) : nil, shown: passed + 1)
  }
}

extension RefreshRate {
  /// The vsync that shows a frame which began at `vsync` and ended its work at `end`: the first by then, but a later one
  /// than its own.
  public func shown(begun vsync: Int, ended end: Instant) -> Int {
    max(vsync + 1, firstVsync(atOrAfter: end))
  }
}
