internal import FrameBudget

/// The frame chart's columns, one per vsync, over all runs of a pane; the newest is the last.
struct Timeline: Sendable {
  private(set) var columns: [VsyncColumn] = []
  private(set) var marks: [Mark] = []
  /// The number of the run that is under way.
  private(set) var run = 0
  private static let kept = 1024

  /// What somebody did, and when.
  struct Mark: Hashable, Sendable {
    let run: Int
    let vsync: Int
    let text: String
  }

  /// Ends a run as far as it was seen, and begins another.
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
    // Of frames that the run's end cut off none was shown before the other.
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

  /// The columns up to now that no frame has filled yet: blank, unless the one under way has missed a vsync.
  func underWay(in model: RunModel) -> [VsyncColumn] {
    guard model.now != nil else { return [] }
    guard let frame = model.openFrame, model.missed > 0 else { return blank(in: model) }
    return columns(of: frame, model.refresh, isUnderWay: true)
  }

  /// The newest column is that of now in every pane, so that panes side by side are in step.
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
  /// The vsyncs of its columns: each vsync has one where a frame had to begin to be shown at it. Where no frame was, then
  /// stand those that it began too late for, itself, and those that it was late for.
  var columns: ClosedRange<Int> {
    let depth = dueVsync - beginVsync
    return droppedVsyncs.lowerBound - depth...presentVsync - depth
  }

  /// Which of them is its own: where it began, unless the frame before was shown too late for that.
  var ownColumn: Int { max(columns.lowerBound, beginVsync) }
}
