internal import FrameBudget

/// A column of the frame chart: what became of one vsync.
struct VsyncColumn: Hashable, Sendable {
  enum Shape: Hashable, Sendable {
    /// A frame began: how many periods its work took, and how many vsyncs it was late.
    case frame(budgets: Double, late: Int)
    /// No new frame was shown, as at all vsyncs after that one: a frame was still, and in all so long, at work, or
    /// began too late.
    case dropped(after: Int, TimeSpan)
    /// Nothing is known yet.
    case blank
  }

  let run: Int
  let vsync: Int
  let shape: Shape
  /// The vsync to which the frame belongs; nil where none is known.
  let frame: Int?
  /// Why the frame was late, as far as that is known by now; nil if it was not.
  let cause: Cause?
  /// What the main thread spent most of the frame on.
  let phase: Phase?
  /// The whole second that began with this vsync.
  let second: Int?
  let isUnderWay: Bool

  /// What became of `vsync`, one of the columns of `frame`.
  init(
    of frame: FrameRecord, at vsync: Int, run: Int, _ refresh: RefreshRate, isUnderWay: Bool = false
  ) {
    let work = frame.workEnd - refresh.vsync(frame.beginVsync)
    let budgets = work.inMilliseconds / refresh.milliseconds(ofPeriods: 1)
    let busiest = Phase.parts.max { frame.spans[$0] < frame.spans[$1] }
    let own = frame.ownColumn
    (self.run, self.vsync, self.isUnderWay) = (run, vsync, isUnderWay)
    self.frame = frame.beginVsync
    if vsync == own {
      shape = .frame(budgets: budgets, late: frame.dropped)
      cause = frame.mainCause
    } else {
      shape = .dropped(after: vsync < own ? frame.columns.lowerBound - 1 : own, work)
      cause = vsync < own ? frame.beginCause : frame.cause
    }
    phase = busiest.flatMap { frame.spans[$0] > .zero ? $0 : nil }
    second = Self.second(vsync, refresh)
  }

  init(blankAt vsync: Int, run: Int, _ refresh: RefreshRate) {
    (self.run, self.vsync, shape, isUnderWay) = (run, vsync, .blank, false)
    (frame, cause, phase, second) = (nil, nil, nil, Self.second(vsync, refresh))
  }

  /// Whether no new frame was shown because the next one had not begun.
  var isBeforeFrame: Bool { frame.map { vsync < $0 } ?? false }

  static func second(_ vsync: Int, _ refresh: RefreshRate) -> Int? {
    let second = refresh.vsync(vsync).nanoseconds / 1_000_000_000
    let first = refresh.firstVsync(atOrAfter: Instant(nanoseconds: second * 1_000_000_000))
    return first == vsync ? Int(second) : nil
  }
}
