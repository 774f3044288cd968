internal import FrameBudget

/// The frame chart's columns, one per vsync, over all runs of a pane; the newest is the last.
struct Timeline: Sendable {
  private(set) var columns: [VsyncColumn] = []
  private(set) var marks: [Mark] = []
  /// The number of the current run.
  private(set) var run = 0
  private static let kept = 1024

  /// An action of the user, and its time.
  struct Mark: Hashable, Sendable {
    let run: Int
    let vsync: Int
    let text: String
  }

  /// Ends a run where it was last observed, and begins another.
  mutating func beginRun(after old: RunModel?, mark text: String) {
    if let old { append(underWay(in: old).filter { $0.shape != .blank }) }
    run += 1
    mark(text, at: 0)
  }

  mutating func mark(_ text: String, at vsync: Int) {
    marks.append(Mark(run: run, vsync: vsync, text: text))
    if marks.count > 64 { marks.removeFirst() }
  }

  /// Adds a frame that has ended: its own column and one for each vsync that it dropped.
  mutating func append(_ frame: FrameRecord, refresh: RefreshRate) {
    let last = columns.last.flatMap { $0.run == run ? $0.vsync : nil } ?? .min
    // Frames cut off by the end of the run have no order of display.
    let new = columns(of: frame, refresh).filter { $0.vsync > last }
    if frame.isOnDemand, last > .min, let first = new.first {
      append(blank(after: last, upTo: first.vsync - 1, refresh))
    }
    append(new)
  }

  private func columns(
    of frame: FrameRecord, _ refresh: RefreshRate, isUnderWay: Bool = false
  ) -> [VsyncColumn] {
    frame.columns.suffix(Self.kept).map { vsync in
      VsyncColumn(of: frame, at: vsync, run: run, refresh, isUnderWay: isUnderWay)
    }
  }

  /// The columns up to now without a finished frame: blank, unless the current frame has missed a vsync.
  func underWay(in model: RunModel) -> [VsyncColumn] {
    guard model.now != nil else { return [] }
    guard let frame = model.openFrame, model.missed > 0 else { return blank(in: model) }
    return columns(of: frame, model.refresh, isUnderWay: true)
  }

  /// The newest column is the current vsync in every pane, so that panes side by side are aligned.
  private func blank(in model: RunModel) -> [VsyncColumn] {
    let last = columns.last.map { $0.run == run ? $0.vsync : -1 } ?? -1
    return blank(after: last, upTo: model.expected, model.refresh)
  }

  private func blank(after last: Int, upTo end: Int, _ refresh: RefreshRate) -> [VsyncColumn] {
    guard last < end else { return [] }
    return ((last + 1)...end).suffix(Self.kept).map { vsync in
      VsyncColumn(blankAt: vsync, run: run, refresh)
    }
  }

  private mutating func append(_ new: [VsyncColumn]) {
    columns += new
    if columns.count > 2 * Self.kept { columns.removeFirst(columns.count - Self.kept) }
  }
}

extension FrameRecord {
  /// The vsyncs of its columns. The picture of a vsync has its column where the frame had to begin to be shown at that vsync.
  /// The columns are, in order: the vsyncs for which it began too late, its own, and the vsyncs for which it was late.
  var columns: ClosedRange<Int> {
    let depth = dueVsync - beginVsync
    return droppedVsyncs.lowerBound - depth...presentVsync - depth
  }

  /// Its own column: where it began, unless the frame before was shown too late for that.
  var ownColumn: Int { max(columns.lowerBound, beginVsync) }
}

/// A column of the frame chart: the outcome of one vsync.
struct VsyncColumn: Hashable, Sendable {
  enum Shape: Hashable, Sendable {
    /// A frame began: how many periods its work took, and how many vsyncs it was late.
    case frame(budgets: Double, late: Int)
    /// No new frame was shown from the vsync after `after` through this one: a frame was still at work, for the given time in
    /// all, or began too late.
    case dropped(after: Int, TimeSpan)
    /// Nothing is known yet.
    case blank
  }

  let run: Int
  let vsync: Int
  let shape: Shape
  /// The vsync to which the frame belongs; nil where none is known.
  let frame: Int?
  /// Why the frame was late, as far as known; nil if it was on time.
  let cause: Cause?
  /// The phase that took most of the frame on the main thread.
  let phase: Phase?
  /// The whole second that began with this vsync.
  let second: Int?
  let isUnderWay: Bool

  /// The outcome of `vsync`, one of the columns of `frame`.
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
