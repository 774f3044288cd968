package import FrameBudget

/// A frame in one of the project's own traces: what its event says. Apps that recorded themselves say only when it began.
package struct TracedFrame {
  /// Its work on the main thread, in nanoseconds.
  package let work: Range<Int64>
  package let beginVsync: Int?
  package let askedVsync: Int?
  package let dueVsync: Int?
  package let presentVsync: Int?
  /// When it could be shown, in nanoseconds.
  package let ready: Int64?
  /// The vsyncs right before it at which a frame was wanted.
  package let dropped: Int?

  /// Nil for an event of another kind.
  package init?(_ event: borrowing ReadTraceEvent) {
    guard event.kind == .span, event.category == .frame else { return nil }
    work = event.begin..<event.end
    beginVsync = event[.beginVsync]
    askedVsync = event[.askedVsync]
    dueVsync = event[.dueVsync]
    presentVsync = event[.presentVsync]
    ready = event[.ready].map { Int64($0) }
    dropped = event[.dropped]
  }
}

extension TraceReader {
  /// A cause of a frame; sets `other` if this version does not know it.
  package func cause(
    _ argument: TraceArgument, of event: borrowing ReadTraceEvent, otherwise other: inout String?
  ) -> Cause? {
    FrameRecord.cause(text(argument, of: event) ?? "", otherwise: &other)
  }

  /// The frame with everything that a per-frame file says of it but its phases. Sets `other` if it has a cause that this version
  /// does not know.
  package func record(
    of frame: TracedFrame, _ event: borrowing ReadTraceEvent, otherCause other: inout String?
  ) throws(InputError) -> FrameRecord {
    guard let begin = frame.beginVsync, let shown = frame.presentVsync, let due = frame.dueVsync,
      let ready = frame.ready, let dropped = frame.dropped
    else { throw InputError("a frame lacks vsyncs, or the time at which it was ready") }
    let record = FrameRecord(
      beginVsync: begin, askedVsync: frame.askedVsync, dueVsync: due, presentVsync: shown,
      begin: Instant(nanoseconds: frame.work.lowerBound),
      workEnd: Instant(nanoseconds: frame.work.upperBound), ready: Instant(nanoseconds: ready),
      dropped: dropped, cause: cause(.cause, of: event, otherwise: &other),
      beginCause: cause(.beginCause, of: event, otherwise: &other),
      isStuffed: event[.isStuffed] == 1, isOnDemand: event[.isOnDemand] == 1, items: 0,
      queueDepth: 0, spans: PhaseSpans(),
      hangsBetween: try FrameRecord.hangs(text(.hangsBetween, of: event) ?? ""))
    try record.check()
    return record
  }
}
