import FrameBudget
import FrameBudgetParsing

/// One of the project's own runs, whose metrics follow exactly from its frames, whichever file they come from.
struct OwnRun {
  /// The number of its vsyncs.
  let expected: Int
  private let refresh: RefreshRate
  private let duration: TimeSpan
  private let deadline: Int
  private let isOnDemand: Bool
  private let knowsPipeline: Bool
  private var timeline: ScreenTimeline<Distribution>
  private var tally: FrameTally
  private var newest: FrameRecord?
  /// Whether it has causes that this version does not know.
  private var hasOtherCauses = false

  /// `first` is the run's first frame, and `requested` the rate of `--hz`; files of earlier versions do not say how frames got
  /// from the main thread to the screen.
  init(
    refresh: RefreshRate, duration: TimeSpan, first: FrameRecord, knowsPipeline: Bool = true,
    requested: RefreshRate?
  ) {
    self.refresh = refresh
    self.duration = duration
    self.knowsPipeline = knowsPipeline
    tally = FrameTally(refresh: requested, clock: .vsyncs)
    deadline = first.dueVsync - first.beginVsync
    isOnDemand = first.isOnDemand
    expected = refresh.vsyncs(through: Instant.zero + duration)
    timeline = ScreenTimeline(refresh: refresh, deadline: deadline, isOnDemand: isOnDemand)
    tally.use(refresh)
  }

  /// Adds the next frame; `other` is the name of a cause of it that this version does not know.
  mutating func add(_ frame: FrameRecord, otherCause other: String?) throws(InputError) {
    let vsync = refresh.vsync(frame.beginVsync)
    guard frame.presentVsync <= expected + 1, frame.workEnd >= vsync,
      frame.dueVsync - frame.beginVsync == deadline
    else { throw InputError("a frame's begin, end and vsyncs do not fit together") }
    guard isNext(frame) else { throw FrameRecord.outOfOrder }
    if other != nil { hasOtherCauses = true }
    tally.issues.row()
    addWork(frame)
    if knowsPipeline { addStages(frame) }
    timeline.count(
      missed: frame.cause == nil ? 0 : 1, stuffed: frame.isStuffed ? 1 : 0,
      lateBegins: refresh.isOverBudget(frame.begin - vsync) ? 1 : 0)
    timeline.show(begin: frame.beginVsync, frame.gap, frame.gapCauses)
    newest = frame
  }

  private func isNext(_ frame: FrameRecord) -> Bool {
    // The last frame of the warm-up is shown before the first one can be, or after the end of a very short run.
    let warm = min(deadline - 1, expected + 1)
    return frame.isOnDemand == isOnDemand
      && frame.follows(
        begin: newest?.beginVsync ?? -1, shown: newest?.presentVsync ?? warm, last: expected)
  }

  /// Counts the work of a frame since the vsync that it was asked for, and the turns that hang before it.
  private mutating func addWork(_ frame: FrameRecord) {
    let work = frame.workEnd - refresh.vsync(frame.askedVsync)
    tally.timed(work.nanoseconds)
    timeline.worked(work, sinceBegin: frame.workEnd - frame.begin)
    for hang in frame.hangsBetween { timeline.hung(hang) }
  }

  /// Counts the times of a frame on the main thread and in the second stage.
  private mutating func addStages(_ frame: FrameRecord) {
    let instants = FrameInstants(
      frame, after: newest?.ready, lastVsync: expected, end: .zero + duration, refresh: refresh)
    timeline.staged(instants)
    tally.spans.add(instants)
  }

  consuming func imported(_ key: StreamKey) -> ImportedFrames {
    timeline.end(at: expected)
    tally.take(timeline)
    var unknown: FrameKnowledge = hasOtherCauses ? .causes : []
    if !knowsPipeline { unknown.insert(.pipeline) }
    return ImportedFrames(
      key, tally, showsDisplay: true, countsVsyncs: true, duration: duration,
      presentTimes: timeline.presentTimes, unknown: unknown)
  }
}
